"""Small mistakes, made systematically: every mutant of a solution module, for tools/mutants.py.

A mutant differs from the solution in one place between `### BEGIN SOLUTION` and `### END SOLUTION`. Changes that mean the
same by definition (swapaxes with its two axes swapped) and the texts of errors are left out.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TypeVar

import libcst as cst
from libcst.metadata import ExpressionContext, ExpressionContextProvider, MetadataWrapper, ParentNodeProvider, PositionProvider

T = TypeVar("T")
SOLUTIONS = Path(__file__).resolve().parents[1] / "solutions"

BINARY: dict[type[cst.BaseBinaryOp], tuple[Callable[..., cst.BaseBinaryOp], ...]] = {
    cst.Add: (cst.Subtract, cst.Multiply),
    cst.Subtract: (cst.Add, cst.Multiply),
    cst.Multiply: (cst.Divide, cst.Add),
    cst.Divide: (cst.Multiply, cst.FloorDivide),
    cst.FloorDivide: (cst.Divide, cst.Multiply),
    cst.Modulo: (cst.FloorDivide,),
    cst.MatrixMultiply: (cst.Multiply,),
    cst.Power: (cst.Multiply,),
    cst.BitOr: (cst.BitAnd, cst.BitXor),
    cst.BitAnd: (cst.BitOr,),
}
COMPARISON: dict[type[cst.BaseCompOp], tuple[Callable[..., cst.BaseCompOp], ...]] = {
    cst.LessThan: (cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual),
    cst.LessThanEqual: (cst.LessThan, cst.GreaterThan, cst.GreaterThanEqual),
    cst.GreaterThan: (cst.GreaterThanEqual, cst.LessThan, cst.LessThanEqual),
    cst.GreaterThanEqual: (cst.GreaterThan, cst.LessThan, cst.LessThanEqual),
    cst.Equal: (cst.NotEqual, cst.LessThanEqual, cst.GreaterThanEqual),
    cst.NotEqual: (cst.Equal, cst.LessThan, cst.GreaterThan),
    cst.Is: (cst.IsNot,),
    cst.IsNot: (cst.Is,),
    cst.In: (cst.NotIn,),
    cst.NotIn: (cst.In,),
}
# Names that a learner confuses: each is replaced with every other one of its group.
KINDS = (
    ("Q", "K", "V"),
    ("W_Q", "W_K", "W_V"),
    ("P", "Q"),
    ("X_a", "X_b"),
    ("weights_a", "weights_b"),
    ("weights", "scores"),
    ("weights", "d_weights", "d_scores"),
    ("weights", "per_head"),
    ("output", "weights"),
    ("n_q", "n_k"),
    ("n", "n_heads", "d_head", "d_model"),
    ("d_k", "d_v", "d_out", "d_model"),
    ("fan_in", "fan_out"),
    ("w_i", "w_j"),
    ("queries", "keys"),
    ("keys", "values"),
    ("h", "c"),
    ("token", "h"),
    ("before", "largest", "base"),
    ("total", "mixed"),
    ("exps", "scores"),
    ("tokens", "key_tokens"),
    ("label_width", "cell_width"),
    ("matrices", "biases"),
    ("src_vocab_size", "tgt_vocab_size", "hidden_size"),
    ("encoder_seed", "decoder_seed"),
    ("encoder_embedding", "decoder_embedding"),
    ("encoder_lstm", "decoder_lstm"),
    ("min", "max", "mean"),
    ("minimum", "maximum"),
    ("sum", "mean"),
    ("any", "all"),
    ("argmax", "argmin"),
    ("floor", "ceil", "rint"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("std", "var"),
    ("sqrt", "square"),
    ("exp", "exp2"),
    ("log", "log2", "log1p"),
    ("normal", "uniform"),
    ("float64", "int64"),
    ("eye", "ones"),
    ("append", "remove"),
)
SYMMETRIC = {"swapaxes": {(0, 1), (1, 2)}, "maximum": {(0, 1)}}  # in which arguments a call is: swapping them says the same


Replacement = cst.CSTNode | cst.FlattenSentinel


@dataclass(frozen=True)
class Mutant:
    """A solution with one mistake. before, after: the changed lines, without indentation."""

    exercise: str
    line: int
    before: str
    after: str
    source: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.exercise, self.before, self.after


def mutants_of(exercise: str, at_most: int | None = None) -> list[Mutant]:
    """All mutants of one exercise's solution, in the order of its lines, none twice; or some of them, spread evenly."""
    source = (SOLUTIONS / f"{exercise}.py").read_text(encoding="utf-8")
    wrapper = MetadataWrapper(cst.parse_module(source))
    finder = _Finder(wrapper.module, wrapper.resolve(ParentNodeProvider), regions_of(source))
    wrapper.visit(finder)
    step = 1 if at_most is None else -(-len(finder.found) // at_most)
    found: dict[str, Mutant] = {}
    for node, replacement in finder.found[step // 2 :: step]:
        mutated = finder.code_with(node, replacement)
        if mutated in found or mutated == source:
            continue
        try:
            compile(mutated, exercise, "exec")
        except SyntaxError:  # nobody can hand that in as a module
            continue
        found[mutated] = Mutant(exercise, *difference(source, mutated), mutated)
    return sorted(found.values(), key=lambda mutant: (mutant.line, mutant.after))


def regions_of(source: str) -> list[tuple[int, int]]:
    """The line numbers of each `### BEGIN SOLUTION` and its `### END SOLUTION`."""
    marks = [(number, line.strip()) for number, line in enumerate(source.splitlines(), 1) if line.strip().startswith("### ")]
    return [(begin, end) for (begin, _), (end, _) in zip(marks[::2], marks[1::2], strict=True)]


def difference(source: str, mutated: str) -> tuple[int, str, str]:
    """The first changed line's number, and the changed lines before and after."""
    old, new = source.splitlines(), mutated.splitlines()
    changes = [code for code in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes() if code[0] != "equal"]
    (_, start, _, new_start, _), (_, _, end, _, new_end) = changes[0], changes[-1]
    before, after = ("\n".join(line.strip() for line in lines) for lines in (old[start:end], new[new_start:new_end]))
    return start + 1, before, after


def integer(n: int) -> cst.BaseExpression:
    """The literal of a whole number."""
    return cst.Integer(str(n)) if n >= 0 else cst.UnaryOperation(cst.Minus(), cst.Integer(str(-n)))


def last_name(node: cst.BaseExpression) -> str:
    """`b` of `a.b`, `b` of `b`."""
    return node.attr.value if isinstance(node, cst.Attribute) else node.value if isinstance(node, cst.Name) else ""


def replaced(parent: cst.CSTNode, child: cst.CSTNode, new: Replacement) -> cst.CSTNode:
    """The parent with this in the child's place; libcst's deep_replace does the same by a walk through everything."""
    for field in fields(parent):
        value = getattr(parent, field.name)
        if value is child:
            return parent.with_changes(**{field.name: new})
        if isinstance(value, (list, tuple)) and any(item is child for item in value):
            put = new.nodes if isinstance(new, cst.FlattenSentinel) else [new]
            return parent.with_changes(**{field.name: [each for item in value for each in (put if item is child else [item])]})
    raise ValueError(f"{type(child).__name__} is no child of {type(parent).__name__}")


def swapped(items: Sequence[T], i: int) -> list[T]:
    """Items i and i + 1 in each other's place."""
    return [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def without(items: Sequence[T], i: int) -> list[T]:
    """All items but one."""
    return [*items[:i], *items[i + 1 :]]


class _Finder(cst.CSTVisitor):
    """Collects (node, what takes its place) for all nodes that lie in a region."""

    METADATA_DEPENDENCIES = (PositionProvider, ExpressionContextProvider)

    def __init__(self, module: cst.Module, parents: Mapping[cst.CSTNode, cst.CSTNode], regions: Sequence[tuple[int, int]]):
        super().__init__()
        self.module, self.parents, self.regions = module, parents, regions
        self.found: list[tuple[cst.CSTNode, Replacement]] = []
        self.codes: dict[cst.CSTNode, str] = {statement: module.code_for_node(statement) for statement in module.body}
        self.head = "".join(module.code_for_node(line) for line in module.header)
        self.foot = "".join(module.code_for_node(line) for line in module.footer)

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.Annotation, cst.FormattedString)):
            return False
        if self._inside(node):
            for mutate in (
                _binary,
                _comparison,
                _boolean,
                _unary,
                _literal,
                _call,
                _elements,
                _subscript,
                _choice,
                _comprehension,
                _statement,
            ):
                for replacement in mutate(node):
                    self.found.append((node, replacement))
            for replacement in self._number(node):
                self.found.append((node, replacement))
            for replacement in self._name(node):
                self.found.append((node, replacement))
        return True

    def code_with(self, node: cst.CSTNode, replacement: Replacement) -> str:
        """The module's code with this in the node's place. Only the statement that it is in is written anew."""
        while not isinstance(parent := self.parents[node], cst.Module):
            node, replacement = parent, replaced(parent, node, replacement)
        assert isinstance(replacement, cst.CSTNode)
        changed = {**self.codes, node: self.module.code_for_node(replacement)}
        return "".join([self.head, *changed.values(), self.foot])

    def _inside(self, node: cst.CSTNode) -> bool:
        position = self.get_metadata(PositionProvider, node, None)
        return position is not None and any(begin < position.start.line and position.end.line < end for begin, end in self.regions)

    def _number(self, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
        parent = self.parents.get(node)
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus) and isinstance(node.expression, cst.Integer):
            n = -int(node.expression.value)
        elif isinstance(node, cst.Integer) and not (isinstance(parent, cst.UnaryOperation) and isinstance(parent.operator, cst.Minus)):
            n = int(node.value)
        else:
            return
        yield from (integer(n + 1), integer(n - 1))
        if n not in (0, -1, 1):
            yield integer(-n)

    def _name(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """A name that is read, or an attribute's, replaced with the others of its kind."""
        if not isinstance(node, cst.Name):
            return
        parent = self.parents.get(node)
        context = self.get_metadata(ExpressionContextProvider, node, None)
        of_attribute = isinstance(parent, cst.Attribute) and parent.attr is node
        if isinstance(parent, cst.Arg) and parent.keyword is node:
            return
        if context is not ExpressionContext.LOAD and not of_attribute:
            return
        for kind in KINDS:
            if node.value in kind:
                yield from (node.with_changes(value=other) for other in kind if other != node.value)


def _binary(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.BinaryOperation):
        for other in BINARY.get(type(node.operator), ()):
            yield node.with_changes(operator=other())
        yield from (node.left, node.right)


def _comparison(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        target = node.comparisons[0]
        for other in COMPARISON.get(type(target.operator), ()):
            yield node.with_changes(comparisons=[target.with_changes(operator=other())])


def _boolean(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.BooleanOperation):
        yield node.with_changes(operator=cst.Or() if isinstance(node.operator, cst.And) else cst.And())
        yield from (node.left, node.right)


def _unary(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.UnaryOperation):
        yield node.expression


def _literal(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Float):
        number = float(node.value)
        yield from (cst.Float(repr(other)) for other in {0.0: (1.0,), 1.0: (0.0, 2.0)}.get(number, (number * 2, number / 2, 1.0, 0.0)))
    elif isinstance(node, cst.Name) and node.value in ("True", "False"):
        yield node.with_changes(value="False" if node.value == "True" else "True")
    elif isinstance(node, cst.Name) and node.value == "None":
        yield node.with_changes(value="False")
    elif isinstance(node, cst.SimpleString):
        text = node.raw_value
        if len(text) == 1 and text in "abcd":  # an answer to a question
            yield from (node.with_changes(value=f'"{other}"') for other in "abcd" if other != text)
        else:
            yield node.with_changes(value='""' if text else '"x"')


def _call(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if not isinstance(node, cst.Call):
        return
    name, args = last_name(node.func), list(node.args)
    positions = [i for i, arg in enumerate(args) if arg.keyword is None]
    for i in positions[:-1]:
        if (i, i + 1) not in SYMMETRIC.get(name, ()):
            yield node.with_changes(args=_tidy(swapped(args, i)))
    for i, arg in enumerate(args):
        if arg.keyword is not None:
            yield node.with_changes(args=_tidy(without(args, i)))
            if arg.keyword.value == "axis":
                yield node.with_changes(args=[*args[:i], arg.with_changes(value=cst.Name("None")), *args[i + 1 :]])
    if len(positions) > 1:
        yield node.with_changes(args=_tidy(without(args, positions[-1])))
    if positions and not args[0].star:
        yield args[0].value
    if isinstance(node.func, cst.Attribute) and last_name(node.func.value) not in ("np", "unicodedata"):
        yield node.func.value


def _tidy(args: Sequence[cst.Arg]) -> list[cst.Arg]:
    """Arguments with a comma between each two, and none behind the last."""
    comma = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    return [arg.with_changes(comma=comma if i < len(args) - 1 else cst.MaybeSentinel.DEFAULT) for i, arg in enumerate(args)]


def _elements(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Elements of a tuple or a list: two swapped, one missing. Where the tuple is assigned to, this is swapped names."""
    if isinstance(node, (cst.Tuple, cst.List)):
        items = [element.with_changes(comma=cst.MaybeSentinel.DEFAULT) for element in node.elements]
        for i in range(len(items) - 1):
            yield node.with_changes(elements=swapped(items, i))
        for i in range(len(items)):
            if len(items) > 1:
                yield node.with_changes(elements=without(items, i))


def _subscript(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.Subscript):
        items = [element.with_changes(comma=cst.MaybeSentinel.DEFAULT) for element in node.slice]
        for i in range(len(items) - 1):
            yield node.with_changes(slice=swapped(items, i))
        if len(items) > 1:
            for i in range(len(items)):
                yield node.with_changes(slice=without(items, i))
        yield node.value
    elif isinstance(node, cst.Slice):
        if node.lower is not None:
            yield node.with_changes(lower=None)
        if node.upper is not None:
            yield node.with_changes(upper=None)


def _choice(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.IfExp):
        yield from (node.body, node.orelse)
        yield node.with_changes(body=node.orelse, orelse=node.body)


def _comprehension(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    if isinstance(node, cst.CompFor):
        for i in range(len(node.ifs)):
            yield node.with_changes(ifs=without(node.ifs, i))


def _statement(node: cst.CSTNode) -> Iterator[Replacement]:
    """A statement left out, a branch always or never taken, a loop that ends early, another error."""
    nothing = cst.SimpleStatementLine([cst.Pass()], leading_lines=getattr(node, "leading_lines", ()))
    if isinstance(node, cst.SimpleStatementLine) and not isinstance(node.body[0], (cst.Raise, cst.Pass)):
        yield nothing  # without its `raise` a branch does nothing: that is the branch left out
        if isinstance(node.body[0], cst.Return) and node.body[0].value is not None:
            yield node.with_changes(body=[cst.Expr(node.body[0].value)])
    elif isinstance(node, cst.If):
        yield nothing
        yield node.with_changes(test=cst.Name("True"))
    elif isinstance(node, cst.For):
        yield nothing
        yield node.with_changes(body=node.body.with_changes(body=[*node.body.body, cst.SimpleStatementLine([cst.Break()])]))
        yield node.with_changes(body=node.body.with_changes(body=[*node.body.body, cst.SimpleStatementLine([cst.Continue()])][-1:]))
    elif isinstance(node, cst.With) and isinstance(node.body, cst.IndentedBlock):
        first, *rest = node.body.body
        yield cst.FlattenSentinel([first.with_changes(leading_lines=node.leading_lines), *rest])
    elif isinstance(node, cst.Name) and node.value == "ValueError":
        yield node.with_changes(value="RuntimeError")
