"""The one assertion vocabulary: what came back from a call of a student's code, and what it must be.

Visible and hidden tests read alike, `expect(student.softmax(x)).to_match(want)`. A check goes in the
order type, shape, finiteness, values, and the first that fails writes the sentence the student reads.
This file needs NumPy only; `autograder build` copies it to exercises/tests/, beside the visible tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .language import Text, say

RELATIVE_TOLERANCE = 1e-5
LONGEST_NAMED_AXIS = 9999


class Wrong(AssertionError):
    """A wrong answer, told in at most three lines. `reply` is what it was found in, for whoever looks for the reason."""

    def __init__(self, called: object, came_back: str, should: str, reply: Reply | None = None):
        self.called, self.came_back, self.should, self.reply = called, came_back, should, reply
        lines = [say(f"Called {called}.", f"调用了 {called}。"), came_back, should]
        self.message = "\n".join(line for line in lines if line)
        super().__init__(self.message)


def hint_line(hint: object) -> str:
    """A hint as the last line of a message."""
    return say(f"Hint: {hint}", f"提示：{hint}")


@dataclass(frozen=True)
class Raised:
    """An exception of the student's code. `detail` is its own text, which no student's page shows for a hidden test.

    `kinds` are the names of the exception's class and its bases, so that a subclass counts.
    """

    kinds: tuple[str, ...]
    detail: str = ""
    line: str = ""  # the student's own line, as "softmax.py, line 12: x / 0"


@dataclass(frozen=True)
class Reply:
    """What came back from one call: a value, or the exception that ended it. `str(called)` is the call in words."""

    called: object
    value: Any = None
    raised: Raised | None = None
    changed_arguments: bool = False
    part: str = ""  # the name of this part of a tuple, "weights"
    secret: bool = False  # a hidden test: shapes may be told, values may not
    origin: Any = field(default=None, compare=False, repr=False)  # the whole call that it came from, for a diagnosis


def describe_call(name: str, parameters: Sequence[str], args: Sequence[Any], kwargs: Mapping[str, Any], *, secret: bool) -> str:
    """A call in words, arrays by their shape: `softmax(x (3, 4), axis=0)`; a secret one leaves the numbers out."""
    named = list(zip([*parameters, *[""] * len(args)], args, strict=False)) + list(kwargs.items())
    return f"{name}({', '.join(_describe_argument(label, value, secret) for label, value in named)})"


def _describe_argument(label: str, value: Any, secret: bool) -> str:
    if isinstance(value, np.ndarray):
        return f"{label} {shape_in_words(value.shape)}".strip()
    if callable(value):
        return label or getattr(value, "__name__", "f")
    if isinstance(value, (list, tuple)) and len(value) > 0 and isinstance(value[0], np.ndarray):
        return say(f"{label} of {len(value)} arrays", f"{label}（{len(value)} 个数组）")
    if isinstance(value, Mapping):
        return say(f"{label} with {len(value)} entries", f"{label}（{len(value)} 项）")
    if secret:
        return label or type(value).__name__
    return f"{label}={value!r}" if label else repr(value)


def shape_in_words(shape: Sequence[int]) -> str:
    """(3, 4), with lengths over 9999 left out: a shape must not become a channel for numbers."""
    lengths = [str(n) if n <= LONGEST_NAMED_AXIS else ">9999" for n in shape[:16]]
    return f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"


def tolerance(want: np.ndarray) -> float:
    """How far a right answer may be from `want`: float32 and reordered sums pass, other formulas do not."""
    return RELATIVE_TOLERANCE * max(1.0, float(np.abs(want).max(initial=0.0)))


def _is_near(got: np.ndarray, want: np.ndarray) -> bool:
    """Whether an array of the same shape holds the same booleans, or numbers within the tolerance; NaN is near to nothing."""
    if want.dtype.kind == "b":
        return bool((got == want).all())
    return bool(np.abs(got.astype(np.float64, copy=False) - want).max(initial=0.0) <= tolerance(want))


def _matches(got: Any, want: Any) -> bool:
    """Whether a value is just what is wanted, as nearly always. Where not, `Expectation` finds out what is wrong, or still accepts it."""
    if type(want) is tuple:
        return type(got) is tuple and len(got) == len(want) and all(map(_matches, got, want))
    alike = type(got) is np.ndarray and type(want) is np.ndarray and got.shape == want.shape and got.dtype.kind == want.dtype.kind
    return alike and _is_near(got, want)


def as_numbers(value: Any) -> np.ndarray | None:
    """`value` as an array of real numbers; None where it is something else: masked, ragged, boolean, text, objects."""
    array = _as_plain_array(value)
    return array if array is not None and array.dtype.kind in "iuf" else None


def as_booleans(value: Any) -> np.ndarray | None:
    """`value` as an array of booleans; None where it is something else, integers 0 and 1 included."""
    array = _as_plain_array(value)
    return array if array is not None and array.dtype.kind == "b" else None


def _as_plain_array(value: Any) -> np.ndarray | None:
    if type(value) is np.ndarray:
        return value
    if isinstance(value, np.ndarray):
        return None
    if not isinstance(value, (bool, int, float, np.generic, list, tuple)):
        return None
    try:
        return np.asarray(value)
    except (ValueError, OverflowError, TypeError):
        return None


@dataclass(frozen=True)
class Expectation:
    """What is expected of a reply. Each method raises `Wrong` at the first thing that does not hold."""

    reply: Reply

    def to_match(self, want: Any, *parts: str, because: Text | None = None) -> None:
        """The value equals `want`: an array, a number, a boolean, text, or a tuple or dict of such.

        parts: the names of a tuple's parts, "output", "weights". because: what should hold, in the words of the lesson.
        """
        self._returned()
        if _matches(self.reply.value, want):
            return
        if isinstance(want, tuple):
            names = parts or tuple(say(f"part {i + 1}", f"第 {i + 1} 部分") for i in range(len(want)))
            for reply, part in zip(self.parts(*names), want, strict=True):
                Expectation(reply).to_match(part, because=because)
        elif isinstance(want, dict):
            for key, reply in self.entries(*want).items():
                Expectation(reply).to_match(want[key], because=because)
        elif want is None or isinstance(want, str):
            if not (type(self.reply.value) is type(want) and self.reply.value == want):
                raise self._wrong(self._came_back(), because)
        else:
            self._to_match_array(np.asarray(want), because)

    def _to_match_array(self, want: np.ndarray, because: Text | None) -> None:
        got = self.to_be_booleans(want.shape) if want.dtype.kind == "b" else self.to_be_numbers(want.shape)
        if not _is_near(got, want):
            raise self._wrong(self._came_back_with_values(got), because or WRONG_VALUES)

    def to_be_numbers(self, shape: Sequence[int] | None = None) -> np.ndarray:
        """A finite array of real numbers, of this shape where one is given; returns it."""
        self._returned()
        got = as_numbers(self.reply.value)
        if got is None:
            raise self._wrong(self._came_back(), NUMBERS_DUE)
        self._check_shape(got, shape)
        if not np.isfinite(got).all():
            raise self._wrong(say(f"{self._subject_en} holds NaN or infinity.", f"{self._subject_zh}含有 NaN 或无穷大。"), FINITE_DUE)
        return got

    def to_be_booleans(self, shape: Sequence[int] | None = None) -> np.ndarray:
        """An array of booleans, of this shape where one is given; returns it."""
        self._returned()
        got = as_booleans(self.reply.value)
        if got is None:
            raise self._wrong(self._came_back(), BOOLEANS_DUE)
        self._check_shape(got, shape)
        return got

    def to_be_text(self) -> str:
        """A string; returns it."""
        self._returned()
        if not isinstance(self.reply.value, str):
            raise self._wrong(self._came_back(), Text("It must be a string.", "它必须是字符串。"))
        return self.reply.value

    def parts(self, *names: str) -> tuple[Reply, ...]:
        """The parts of a tuple or list of exactly these many, each as a reply of its own."""
        self._returned()
        value = self.reply.value
        if type(value) is np.ndarray and value.ndim > 0 and len(value) == len(names):
            value = tuple(value)
        if not isinstance(value, (list, tuple)) or len(value) != len(names):
            raise self._wrong(
                self._came_back(),
                Text(f"It must return {len(names)} values: {', '.join(names)}.", f"它必须返回 {len(names)} 个值：{', '.join(names)}。"),
            )
        return tuple(self._part(name, part) for name, part in zip(names, value, strict=True))

    def entries(self, *keys: str) -> dict[str, Reply]:
        """The values of a dictionary that must have these keys, each as a reply of its own."""
        self._returned()
        value = self.reply.value
        if not isinstance(value, dict) or any(key not in value for key in keys):
            raise self._wrong(
                self._came_back(),
                Text(f"It must return a dictionary with the keys {', '.join(keys)}.", f"它必须返回包含这些键的字典：{', '.join(keys)}。"),
            )
        return {key: self._part(key, value[key]) for key in keys}

    def _part(self, name: str, value: Any) -> Reply:
        whole = self.reply
        return Reply(whole.called, value, None, whole.changed_arguments, name, whole.secret, whole.origin)

    def to_raise(self, kind: type[Exception], when: Text) -> None:
        """The call ended with an exception of this class or a subclass."""
        if self.reply.raised is None:
            raise self._wrong(
                say("It returned as if nothing were wrong.", "它正常返回，好像什么都没有发生。"),
                Text(f"It must raise {kind.__name__}: {when.en}.", f"它必须抛出 {kind.__name__}：{when.zh}。"),
            )
        if kind.__name__ not in self.reply.raised.kinds:
            raise self._wrong(
                self._what_was_raised(),
                Text(f"It must raise {kind.__name__}: {when.en}.", f"它必须抛出 {kind.__name__}：{when.zh}。"),
            )

    def to_leave_arguments_alone(self) -> None:
        """The arguments hold after the call what they held before."""
        self._returned()
        if self.reply.changed_arguments:
            raise self._wrong(
                say("The call changed one of its arguments.", "调用修改了自己的参数。"),
                Text("Work on a copy: the caller's arrays stay as they are.", "请在副本上计算：调用者的数组保持不变。"),
            )

    def to_hold(self, condition: bool, should: Text) -> None:
        """Whatever else a test finds: `should` is what must hold."""
        if not condition:
            raise self._wrong(self._came_back(), should)

    def _returned(self) -> None:
        if self.reply.raised is not None:
            raise self._wrong(self._what_was_raised(), Text("It must return a value here.", "这里它必须返回一个值。"))

    def _check_shape(self, got: np.ndarray, shape: Sequence[int] | None) -> None:
        if shape is not None and got.shape != tuple(shape):
            wanted = shape_in_words(tuple(shape))
            raise self._wrong(self._came_back(), Text(f"The shape must be {wanted}.", f"形状必须是 {wanted}。"))

    def _what_was_raised(self) -> str:
        raised = self.reply.raised
        assert raised is not None
        kind = next((name for name in raised.kinds if name in BUILTIN_EXCEPTIONS), "Exception")
        where = say(f" ({raised.line})", f"（{raised.line}）") if raised.line else ""
        detail = f": {raised.detail}" if raised.detail and not self.reply.secret else ""
        return say(f"It raised {kind}{detail}{where}.", f"它抛出了 {kind}{detail}{where}。")

    @property
    def _subject_en(self) -> str:
        return f"`{self.reply.part}`" if self.reply.part else "The result"

    @property
    def _subject_zh(self) -> str:
        return f"`{self.reply.part}`" if self.reply.part else "结果"

    def _came_back(self) -> str:
        en, zh = _kind_in_words(self.reply.value, secret=self.reply.secret)
        return say(f"{self._subject_en} is {en}.", f"{self._subject_zh}是{zh}。")

    def _came_back_with_values(self, got: np.ndarray) -> str:
        if self.reply.secret:
            return self._came_back()
        shown = np.array2string(np.asarray(got), precision=4, suppress_small=True, threshold=12, edgeitems=2, separator=", ")
        shown = " ".join(shown.split())
        return say(f"{self._subject_en} is {shown}.", f"{self._subject_zh}是 {shown}。")

    def _wrong(self, came_back: str, should: Text | None) -> Wrong:
        return Wrong(self.reply.called, came_back, str(should or WRONG_VALUES), self.reply)


def expect(reply: Reply) -> Expectation:
    """Start a sentence: `expect(student.softmax(x)).to_match(want)`."""
    if not isinstance(reply, Reply):  # an attribute that holds an object of some class
        raise Wrong(str(reply), say("It is an object, and no plain data.", "它是一个对象，不是普通数据。"), str(NUMBERS_DUE))
    return Expectation(reply)


NUMBERS_DUE = Text("It must be an array of real numbers.", "它必须是实数数组。")
BOOLEANS_DUE = Text("It must be an array of booleans (dtype bool).", "它必须是布尔数组（dtype 为 bool）。")
FINITE_DUE = Text("Every number must be finite.", "每个数都必须是有限的。")
WRONG_VALUES = Text("The shape is right, the values are not those of the definition.", "形状正确，但数值不符合定义。")

BUILTIN_EXCEPTIONS = frozenset(
    name for name, thing in vars(__import__("builtins")).items() if isinstance(thing, type) and issubclass(thing, BaseException)
)


def _kind_in_words(value: Any, *, secret: bool) -> tuple[str, str]:
    """What kind of thing came back, in both languages; no value, and for a secret test no dtype."""
    array = _as_plain_array(value)
    if isinstance(value, (list, tuple)) and (array is None or array.dtype.kind not in "biuf"):
        return f"{len(value) if len(value) <= LONGEST_NAMED_AXIS else 'many'} separate values", "若干个单独的值"
    if array is not None and array.dtype.kind in "biuf":
        of_en, of_zh = ("", "") if secret else (" of booleans", "布尔") if array.dtype.kind == "b" else (" of numbers", "数值")
        if array.ndim == 0:
            return "a single value", "单个值"
        shape = shape_in_words(array.shape)
        return f"an array{of_en} with shape {shape}", f"形状为 {shape} 的{of_zh}数组"
    if value is None:
        return "None (is there a `return`?)", " None（是否忘了 `return`？）"
    if isinstance(value, dict):
        return "a dictionary", "一个字典"
    if isinstance(value, str):
        return "a string", "一个字符串"
    return "neither numbers nor an array of them", "既不是数，也不是数的数组"
