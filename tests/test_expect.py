"""The assertion vocabulary: right answers pass however they were computed, and every message says what is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.expect import Raised, Reply, Text, Wrong, describe_call, expect
from autograder.language import speaking

WANT = np.array([[0.25, 0.75], [0.5, 0.5]])


def reply(value: Any = None, **facts: Any) -> Reply:
    return Reply("softmax(x (2, 2))", value=value, **facts)


def wrong(check: Any) -> Wrong:
    with pytest.raises(Wrong) as caught:
        check()
    return caught.value


@pytest.mark.parametrize(
    "value",
    [
        WANT,
        WANT.astype(np.float32),
        WANT.tolist(),
        tuple(map(tuple, WANT.tolist())),
        list(WANT),
        np.asfortranarray(WANT),
        np.stack([WANT, WANT], axis=-1)[..., 0],
        WANT + 9e-6,
    ],
)
def test_right_values_pass_whatever_holds_them(value: Any) -> None:
    expect(reply(value)).to_match(WANT)


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (None, "None"),
        ("text", "string"),
        ({"a": 1}, "dictionary"),
        ([[1.0, 2.0], [3.0]], "separate values"),
        (np.array([[True, False], [True, True]]), "booleans"),
        (np.ma.masked_array(WANT, mask=False), "neither"),
        (np.matrix(WANT), "neither"),
        (WANT.astype(complex), "neither"),
        (WANT.astype(object), "neither"),
        (0.5, "single value"),
        (WANT[0], "shape (2,)"),
        (WANT[:, :1], "shape (2, 1)"),
        (WANT[np.newaxis], "shape (1, 2, 2)"),
        (np.full((2, 2), np.nan), "NaN or infinity"),
        (np.where(WANT > 0.6, np.inf, WANT), "NaN or infinity"),
        (WANT + 2e-5, "is [["),
        (WANT.T + 0.01, "is [["),
    ],
)
def test_what_is_not_the_answer_is_refused_with_a_sentence(value: Any, says: str) -> None:
    error = wrong(lambda: expect(reply(value)).to_match(WANT))
    assert says in error.came_back
    assert error.should
    assert len(error.message.splitlines()) == 3


def test_nan_never_equals_nan() -> None:
    wrong(lambda: expect(reply(np.full(2, np.nan))).to_match(np.full(2, np.nan)))


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=5), elements=st.floats(-1e4, 1e4)))
def test_float32_and_reordered_sums_pass_at_every_size(want: np.ndarray) -> None:
    expect(reply(want.astype(np.float32))).to_match(want)
    expect(reply((want[..., np.newaxis] * np.full(7, 1 / 7)).sum(axis=-1))).to_match(want)


@given(hnp.arrays(np.float64, hnp.array_shapes(max_dims=3, max_side=5), elements=st.floats(-1e4, 1e4)), st.data())
def test_one_value_off_by_more_than_the_tolerance_fails_at_every_size(want: np.ndarray, data: st.DataObject) -> None:
    got = want.copy()
    where = data.draw(st.integers(0, want.size - 1))
    got.flat[where] += 3e-5 * max(1.0, np.abs(want).max())
    wrong(lambda: expect(reply(got)).to_match(want))


def test_parts_of_a_tuple_are_named() -> None:
    for value in ((WANT, WANT), [WANT, WANT.tolist()]):
        expect(reply(value)).to_match((WANT, WANT), "output", "weights")
    error = wrong(lambda: expect(reply((WANT, WANT + 1))).to_match((WANT, WANT), "output", "weights"))
    assert "`weights`" in error.came_back
    for value in (WANT[0, 0], (WANT,), (WANT, WANT, WANT), None, {"output": WANT, "weights": WANT}):
        assert "output, weights" in wrong(lambda value=value: expect(reply(value)).to_match((WANT, WANT), "output", "weights")).should


def test_entries_of_a_dictionary() -> None:
    expect(reply({"a": WANT, "b": 1.0, "more": 0})).to_match({"a": WANT, "b": 1.0})
    assert "keys a, b" in wrong(lambda: expect(reply({"a": WANT})).to_match({"a": WANT, "b": 1.0})).should
    assert "`b`" in wrong(lambda: expect(reply({"a": WANT, "b": 2.0})).to_match({"a": WANT, "b": 1.0})).came_back


def test_booleans_are_booleans() -> None:
    mask = np.array([[True, False]])
    expect(reply(mask.tolist())).to_match(mask)
    for value in (mask.astype(int), mask.astype(float), ~mask, mask[0], None):
        wrong(lambda value=value: expect(reply(value)).to_match(mask))


def test_text_and_none() -> None:
    expect(reply("a")).to_match("a")
    expect(reply(None)).to_match(None)
    wrong(lambda: expect(reply("b")).to_match("a"))
    wrong(lambda: expect(reply(np.zeros(2))).to_match(None))


def test_errors_are_expected_by_type_subclasses_too() -> None:
    when = Text("the widths differ", "维数不同")
    expect(reply(raised=Raised(("LinAlgError", "ValueError", "Exception")))).to_raise(ValueError, when)
    assert "returned" in wrong(lambda: expect(reply(WANT)).to_raise(ValueError, when)).came_back
    assert "TypeError" in wrong(lambda: expect(reply(raised=Raised(("TypeError", "Exception")))).to_raise(ValueError, when)).came_back


def test_an_exception_in_place_of_a_value_is_told_with_the_students_line() -> None:
    raised = Raised(("ZeroDivisionError", "Exception"), detail="division by zero", line="softmax.py, line 3: x / 0")
    error = wrong(lambda: expect(reply(raised=raised)).to_match(WANT))
    assert error.came_back == "It raised ZeroDivisionError: division by zero (softmax.py, line 3: x / 0)."


def test_changed_arguments_are_noticed() -> None:
    expect(reply(WANT)).to_leave_arguments_alone()
    assert "changed" in wrong(lambda: expect(reply(WANT, changed_arguments=True)).to_leave_arguments_alone()).came_back


SECRETS = [
    reply(WANT * 4242.25, secret=True),
    reply(np.array([[True, False], [True, True]]), secret=True),
    reply({"4242": 4242}, secret=True),
    reply("4242", secret=True),
    reply(raised=Raised(("E4242", "ValueError", "Exception"), detail="4242.25", line="softmax.py, line 3: x / 0"), secret=True),
    reply(np.zeros((42420, 4242)), secret=True),
]


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_a_secret_reply_tells_shapes_and_kinds_and_nothing_else(secret: Reply) -> None:
    error = wrong(lambda: expect(secret).to_match(WANT))
    told = error.message.replace("(>9999, 4242)", "")
    assert "4242" not in told
    assert "bool" not in told.lower()
    assert "float" not in told


def test_a_wrong_answer_keeps_the_reply_it_was_found_in() -> None:
    error = wrong(lambda: expect(reply((WANT, WANT + 1), origin="the call")).to_match((WANT, WANT), "output", "weights"))
    assert error.reply is not None
    assert (error.reply.part, error.reply.origin) == ("weights", "the call")


def test_messages_speak_chinese() -> None:
    with speaking("zh"):
        error = wrong(lambda: expect(reply(WANT[0])).to_match(WANT))
    assert error.message == "调用了 softmax(x (2, 2))。\n结果是形状为 (2,) 的数值数组。\n形状必须是 (2, 2)。"


def test_a_call_is_described_by_the_shapes_of_its_arguments() -> None:
    x = np.zeros((3, 4))
    assert describe_call("softmax", ["x", "axis"], (x,), {"axis": 0}, secret=False) == "softmax(x (3, 4), axis=0)"
    assert describe_call("softmax", ["x", "axis"], (x, 7), {}, secret=True) == "softmax(x (3, 4), axis)"
    assert describe_call("f", [], (x, 7), {}, secret=False) == "f((3, 4), 7)"
    assert describe_call("fuse_heads", ["per_head"], ([x, x],), {}, secret=True) == "fuse_heads(per_head of 2 arrays)"
