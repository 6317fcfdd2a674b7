"""Similar submissions: copies stand out whatever they are disguised with, independent answers do not, and hostile text costs little."""

from __future__ import annotations

import ast
import random
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder import cli
from autograder.batch import Options
from autograder.content.layout import Layout
from autograder.course import COURSE
from autograder.limits import DEFAULT
from autograder.reports.rows import Row
from autograder.reports.similar import COLUMNS, similarity_csv
from autograder.similarity import Pair, SharedExercise, Similar, similar_submissions
from autograder.similarity import texts as texts_module
from autograder.similarity.classwide import EVERYBODYS, FEW, Work, compare, work_of
from autograder.similarity.fingerprints import NONE, RUN, WINDOW, fingerprints, runs, winnowed
from autograder.similarity.texts import OWN, code_by_exercise, handed_out
from autograder.similarity.tokens import NAME, NUMBER, STRING, normalised
from autograder.submissions import Candidate, Cell, Submission
from tests.conftest import solutions, stubs, submission
from tests.handed_in import write

RIGHT = Path(__file__).parent / "variants" / "right"
VARIANTS = {exercise.id: sorted((RIGHT / exercise.id).glob("*.py")) for exercise in COURSE}
AUTHORS = max(len(paths) for paths in VARIANTS.values())


def author(number: int) -> dict[str, str]:
    """The modules of one of AUTHORS independent authors; only the first few have done every exercise."""
    return {f"{e}.py": paths[number].read_text("utf-8") for e, paths in VARIANTS.items() if number < len(paths)}


def work(files: Mapping[str, str], student: str, base: Mapping[str, bytes] | None = None) -> Work:
    return work_of(submission(files, student, base), DEFAULT)


@pytest.fixture(scope="module")
def authors() -> list[Work]:
    return [work(author(i), f"author-{i:02d}") for i in range(AUTHORS)]


class Renamed(ast.NodeTransformer):
    """Gives every name that the module itself binds another one, and throws docstrings away."""

    def __init__(self, tree: ast.Module):
        bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        self.names = {name: f"my_{i}_{name[::-1]}" for i, name in enumerate(sorted(bound - {"self", "ANSWERS"}))}

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)


def disguised(source: str) -> str:
    """A copy with other names, comments and layout, and its functions in another order."""
    tree = ast.parse(source)
    tree = Renamed(tree).visit(tree)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    others = [node for node in tree.body if not isinstance(node, ast.FunctionDef)]
    tree.body = [*others, *reversed(functions)]
    lines = ast.unparse(ast.fix_missing_locations(tree)).split("\n")
    return "\n\n".join(line.replace("    ", "\t") + "  # all my own work" for line in lines)


# --- who stands out ------------------------------------------------------------------------------------------


def test_independent_right_answers_do_not_stand_out(authors: list[Work]) -> None:
    assert compare(authors, (), DEFAULT).pairs == ()
    assert compare(authors[:5], (), DEFAULT).pairs == ()
    assert all(len(work.all) > 500 for work in authors[:5])


@pytest.mark.parametrize("number", [0, 2, 4])
def test_a_disguised_copy_stands_out(authors: list[Work], number: int) -> None:
    copy = work({name: disguised(source) for name, source in author(number).items()}, "copy")
    (pair,) = compare([*authors, copy], (), DEFAULT).pairs
    assert {pair.first, pair.second} == {f"author-{number:02d}", "copy"}
    assert pair.share > 0.9
    assert {"blockwise", "torch_parity"} <= {shared.id for shared in pair.exercises}


def test_a_copy_in_a_notebook_or_in_one_script_stands_out(authors: list[Work]) -> None:
    cells = tuple(Cell(disguised(source), name.removesuffix(".py")) for name, source in author(1).items())
    notebook = work_of(Submission("notebook", {}, cells), DEFAULT)
    script = work_of(Submission("script", {"helpers.py": "\n".join(author(1).values()).encode()}), DEFAULT)
    for copy in (notebook, script):
        (pair,) = compare([*authors, copy], (), DEFAULT).pairs
        assert {pair.first, pair.second} == {"author-01", copy.student}
    assert set(script.exercises) == {OWN}


def test_a_copy_that_no_parser_reads_stands_out(authors: list[Work]) -> None:
    broken = {name: "def (:\n" + source.replace("return", "return (", 1) + "\n'''" for name, source in author(3).items()}
    for source in broken.values():
        with pytest.raises(SyntaxError):
            ast.parse(source)
    (pair,) = compare([*authors, work(broken, "copy")], (), DEFAULT).pairs
    assert {pair.first, pair.second} == {"author-03", "copy"}
    assert pair.share > 0.9


def test_two_copied_exercises_among_others_stand_out_and_are_named(authors: list[Work]) -> None:
    mixed = author(0) | {name: disguised(author(2)[name]) for name in ("seq2seq.py", "kv_cache.py")}
    both = [replace(authors[2], student="a"), work(mixed, "b")]
    (pair,) = compare([*authors[3:], *both], (), DEFAULT).pairs
    assert (pair.first, pair.second) == ("a", "b")
    assert {shared.id for shared in pair.exercises} == {"seq2seq", "kv_cache"}
    assert pair.share < 0.5


def test_the_same_short_answer_does_not_stand_out(authors: list[Work]) -> None:
    same = (RIGHT / "softmax" / "textbook.py").read_text("utf-8")
    works = [work(author(i) | {"softmax.py": same}, str(i)) for i in range(5)]
    alone = [work({"softmax.py": same}, str(i)) for i in range(2)]
    assert all(len(work.exercises["softmax"]) > 5 for work in (*works, *alone))
    assert compare(works, (), DEFAULT).pairs == ()
    assert compare(alone, (), DEFAULT).pairs == ()


def test_a_group_of_copies_stands_out_pair_by_pair(authors: list[Work]) -> None:
    group = [replace(authors[0], student=f"group-{i}") for i in range(5)]
    found = compare([*authors[1:], *group], (), DEFAULT)
    assert len(found.pairs) == 10
    assert all(pair.first.startswith("group") and pair.second.startswith("group") and pair.share == 1.0 for pair in found.pairs)


@pytest.mark.parametrize(("sharing", "pairs"), [(2, 1), (FEW + 1, 55), (FEW + 2, 0)])
def test_what_more_than_a_quarter_of_the_class_shares_counts_for_nothing(sharing: int, pairs: int) -> None:
    rng = np.random.default_rng(1)
    lecture = np.sort(rng.integers(0, 2**63, 400, dtype=np.uint64))
    works = []
    for i in range(EVERYBODYS * (FEW + 1)):
        own = np.sort(rng.integers(0, 2**63, 20, dtype=np.uint64))
        works.append(
            Work(str(i), {"masking": lecture if i < sharing else NONE, OWN: own}, np.union1d(own, lecture) if i < sharing else own)
        )
    assert len(compare(works, (), DEFAULT).pairs) == pairs


# --- what counts for nothing -----------------------------------------------------------------------------------


def test_stubs_references_and_provided_files_have_no_fingerprints() -> None:
    for files in (stubs(), solutions(), {f"exercises/{n}.py": (Layout().exercises / f"{n}.py").read_bytes() for n in ("lstm", "plotting")}):
        assert len(work_of(Submission("a", dict(files)), DEFAULT).all) == 0


def test_references_count_for_nothing_where_no_notebook_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts_module, "lesson", lambda: None)
    known = handed_out.__wrapped__()
    assert [path for path, content in solutions().items() if len(fingerprints(content.decode(), known))] == []


def test_the_lessons_own_cells_have_no_fingerprints() -> None:
    cells = tuple(Cell(source) for source in texts_module.lesson() or ())
    assert len(cells) > 60
    assert len(work_of(Submission("a", {}, cells), DEFAULT).all) == 0


def test_cells_of_the_students_count_only_where_the_lessons_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = (Cell("def softmax(x): ..."), Cell("x = 1"), Cell("check()", "check-softmax", locked=True), Cell("y = 2", "masking"))
    texts = code_by_exercise(Submission("a", {}, cells), 1000)
    assert texts == {"softmax": ["def softmax(x): ..."], OWN: ["x = 1"], "masking": ["y = 2"]}
    monkeypatch.setattr(texts_module, "lesson", lambda: None)
    assert OWN not in code_by_exercise(Submission("a", {}, cells), 1000)


def test_known_code_around_new_code_hides_nothing_of_it() -> None:
    stub = (Layout().exercises / "masking.py").read_text("utf-8")
    own = author(0)["masking.py"]
    assert set(fingerprints(own, handed_out())) & set(fingerprints(stub + "\n" + own, handed_out()))


# --- tokens and fingerprints -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("weights = exp / exp.sum(axis=-1)", "w=e/e.sum( axis = -1 ) # rows"),
        ("def f(x):\n    '''Says.'''\n    return x", "def g(y): return y"),
        ("a = 1; b = 2\n", "first = 10\nsecond = 2.5e-3"),
        ("f(\"a\", 'b')", "f(\n    r'''x\n y''',\n    b'',\n)"),
        ("x = [1, 2]", "x = [\n    1,\n    2,  # two\n]\n"),
        ("a = b + \\\n    c", "a = b + c"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("return (a, (b @ c) / d)", "return a, b @ c / d"),
        ("print('one ' 'two')", "print('three')"),
    ],
)
def test_disguises_give_the_same_tokens(one: str, other: str) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a @ b", "a * b"),
        ("np.exp(x)", "np.log(x)"),
        ("x.max()", "x.min()"),
        ("for i in x: pass", "while i in x: pass"),
        ("a == b", "a = b"),
        ("a ** b", "a * b"),
        ("len(x)", "sum(x)"),
    ],
)
def test_other_code_gives_other_tokens(one: str, other: str) -> None:
    assert normalised(one) != normalised(other)


def test_tokens_are_what_they_should_be() -> None:
    assert normalised("x.mine[0x1F] -= np.einsum('ij', .5e-3) if y else None") == [
        *(NAME, ".", NAME, "[", NUMBER, "]", "-=", NAME, ".", "einsum", STRING, ",", NUMBER),
        *("if", NAME, "else", "None"),
    ]
    assert normalised("'''unclosed\nto the end") == []
    assert normalised("x = 'unclosed\ny") == [NAME, "=", STRING, NAME]


@given(st.text(alphabet=st.sampled_from("ab0\n\t '\"\\#()[]{},;.=rf%\u00e9\u0000\ud800"), max_size=200))
@settings(max_examples=300, deadline=None)
def test_any_text_has_tokens_and_numbers(text: str) -> None:
    tokens = normalised(text)
    assert all(tokens)
    assert len(runs(text)) == max(0, len(tokens) - RUN + 1)


@pytest.mark.parametrize(
    "piece", ["'''\"\"\"", '"""\\', "\\", "'", "r'''", "(" * 9, "0.", "a" * 50 + " ", ";", "\n", '"\\\n', "# x\n", "f'{"]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    text = piece * (DEFAULT.compared_code // len(piece))
    start = time.process_time()
    runs(text)
    runs("x" + text)
    assert time.process_time() - start < 5.0


TOKENS = st.lists(st.sampled_from(["+", "-", "x", "if", "(", ")", "==", "np.exp", "1", "len"]), max_size=80)


@given(TOKENS, TOKENS, st.lists(st.sampled_from(["*", "y", "for", "[", "@", "2"]), min_size=RUN + WINDOW - 1, max_size=60), TOKENS, TOKENS)
@settings(max_examples=100, deadline=None)
def test_a_common_run_that_is_long_enough_always_shares_a_fingerprint(
    a: list[str], b: list[str], run: list[str], c: list[str], d: list[str]
) -> None:
    one, other = " ".join([*a, *run, *b]), " ".join([*c, *run, *d])
    if len(normalised(" ".join(run))) >= RUN + WINDOW - 1:
        assert set(fingerprints(one, NONE)) & set(fingerprints(other, NONE))


def test_a_common_run_that_is_too_short_never_does() -> None:
    common = "for x in y: z = x @"
    assert len(normalised(common)) == RUN - 3
    one = f"a = [1, 2]\n{common} - {{3: 4}}\nif a: pass"
    other = f"import os\n{common} (5 + 6)\nwhile b: continue"
    assert len(runs(one)) and len(runs(other))
    assert not set(runs(one)) & set(runs(other))


def test_winnowing_takes_the_smallest_of_each_window() -> None:
    numbers = np.array([77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98], np.uint64)
    windows = [set(numbers[i : i + WINDOW].tolist()) for i in range(len(numbers) - WINDOW + 1)]
    assert winnowed(numbers).tolist() == sorted({min(window) for window in windows})
    assert winnowed(numbers[:3]).tolist() == [42]
    assert winnowed(NONE).tolist() == []


def test_numbers_are_the_same_in_every_process() -> None:
    text = "def f(x):\n    return x - x.max(axis=-1, keepdims=True)"
    assert runs(text)[:2].tolist() == [5529375293390451243, 16648375323781306582]


# --- bounds ------------------------------------------------------------------------------------------------------


def test_500_students_take_seconds() -> None:
    rng = np.random.default_rng(1)
    common = rng.integers(0, 2**63, 3000, dtype=np.uint64)

    def student(name: str) -> Work:
        parts = {e.id: np.unique(np.r_[rng.choice(common, 15), rng.integers(0, 2**63, 40, dtype=np.uint64)]) for e in COURSE}
        return Work(name, parts, np.unique(np.concatenate(list(parts.values()))))

    works = [student(f"s{i}") for i in range(499)]
    works.append(replace(works[17], student="copy"))
    start = time.process_time()
    (pair,) = compare(works, (), DEFAULT).pairs
    assert time.process_time() - start < 20.0
    assert (pair.first, pair.second, pair.share) == ("s17", "copy", 1.0)


def test_a_huge_submission_is_cut_and_its_copy_still_found() -> None:
    rng = random.Random(1)
    words = ["x", "1", "+", "(", ")", "if", "np.exp", "@", "[", "]", "len", "for", "in", "==", "-"]
    text = " ".join(rng.choices(words, k=400_000)).encode()
    limits = replace(DEFAULT, compared_fingerprints=2000)
    huge = Submission("huge", {"exercises/masking.py": text, "exercises/zz.py": text})
    made = work_of(huge, limits)
    assert len(made.all) == 2000
    assert sum(len(t) for texts in code_by_exercise(huge, 1000).values() for t in texts) == 1000
    (pair,) = compare([made, work_of(replace(huge, student="copy"), limits)], (), limits).pairs
    assert pair.share == 1.0


def test_too_many_students_are_not_compared_at_all() -> None:
    candidates = [Candidate(str(i), Path("/nowhere"), 0.0) for i in range(4)]
    assert similar_submissions(candidates, replace(DEFAULT, compared_students=3)) == Similar((), 4, too_many=True)


def test_submissions_that_cannot_be_opened_are_left_out(tmp_path: Path) -> None:
    write(tmp_path / "a", {"exercises/masking.py": author(0)["masking.py"]})
    (tmp_path / "b.zip").write_bytes(b"PK no zip")
    candidates = [Candidate(name[0], tmp_path / name, 0.0) for name in ("a", "b.zip", "c")]
    assert similar_submissions(candidates, DEFAULT) == Similar((), 1, left_out=("b", "c"))


def test_the_list_of_pairs_is_bounded_and_says_how_many_more_there_are(authors: list[Work]) -> None:
    group = [replace(authors[0], student=f"group-{i}") for i in range(5)]
    found = compare(group, (), replace(DEFAULT, compared_pairs=3))
    assert (len(found.pairs), found.more) == (3, 7)


# --- the command and its table -----------------------------------------------------------------------------------


def test_the_table_is_safe_in_a_spreadsheet() -> None:
    pairs = (
        Pair("=1+1", "b\u202e,c", 0.914, 0.5, 66, (SharedExercise("masking", 0.9, 50), SharedExercise("", 1.0, 9))),
        Pair("d", "e", 0.7, 0.7, 41, (SharedExercise("softmax", 1.0, 9),)),
    )
    assert similarity_csv(Similar(pairs, 4)).splitlines() == [
        ",".join((*COLUMNS, "softmax", "masking")),
        '\'=1+1,"b\\u202e,c",0.91,0.91,0.50,66,,0.90',
        "d,e,0.70,0.70,0.70,41,1.00,",
    ]
    assert similarity_csv(Similar((), 0)) == ",".join(COLUMNS) + "\n"


def test_the_command_compares_only_when_asked(tmp_path: Path) -> None:
    arguments = cli.parser().parse_args(["grade", "x", "--out", "y"])
    assert arguments.similarity is False
    for name, number in (("ada", 0), ("bo", 0), ("chen", 1)):
        write(tmp_path / "in" / name, {f"exercises/{file}": text for file, text in author(number).items()})
    candidates = [Candidate(name, tmp_path / "in" / name, 0.0) for name in ("ada", "bo", "chen")]
    rows = [Row(name, name, "graded", 0.0, 100.0, 0.0, (), (), "bubblewrap") for name in ("ada", "bo", "chen")]
    cli.compare_submissions(candidates, rows, tmp_path, Options("bubblewrap", DEFAULT, lang="zh"))
    assert (tmp_path / "similarity.csv").read_text("utf-8").splitlines()[1].startswith("ada,bo,1.00,1.00,1.00,")
    page = (tmp_path / "summary.html").read_text("utf-8")
    assert "绝不是结论" in page
    assert 'href="ada/feedback.html"' in page[page.index('id="similar"') :]
