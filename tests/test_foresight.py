"""What is asked ahead changes how long grading takes, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from autograder.course import COURSE
from autograder.grading import run
from autograder.grading.conversation import Conversation
from autograder.grading.fixtures import plan_of
from autograder.grading.foresight import Foresight
from autograder.grading.grader import Grader
from autograder.limits import DEFAULT, FORESIGHT
from tests.conftest import ROOT, jail_or_skip, solutions, submission

SEED = 11
SHARE = ("attention", "kv_cache", "masking", "multi_head", "seq2seq", "torch_parity")
VARIANTS = sorted((ROOT / "tests" / "variants").glob("*/*/*.py"))


@pytest.fixture(scope="module")
def quick() -> Iterator[Grader]:
    with Grader(jail_or_skip("auto"), replace(DEFAULT, call_seconds=2.0, repeated_timeout_seconds=0.5)) as grader:
        yield grader


@pytest.fixture(autouse=True)
def ignorant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins with a grader that foresees nothing."""
    monkeypatch.setattr(run, "foresight", Foresight(1 << 24))


def verdict(grader: Grader, exercise: str, source: bytes | str) -> list[tuple[Any, ...]]:
    (report,) = grader.grade(submission({f"{exercise}.py": source}), SEED, exercises=[exercise]).exercises
    return [(test.id, test.status, test.earned, test.message, test.misconception) for test in report.tests]


def right(exercise: str) -> bytes:
    return solutions()[f"exercises/{exercise}.py"]


@pytest.mark.parametrize("exercise", SHARE)
def test_the_verdicts_are_those_of_a_grader_that_foresees_nothing(grader: Grader, exercise: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [path.read_bytes() for path in VARIANTS if path.parent.name == exercise][::6]
    assert len(sources) >= 4
    alone = []
    for source in sources:
        monkeypatch.setattr(run, "foresight", Foresight(1 << 24))
        alone.append(verdict(grader, exercise, source))
    monkeypatch.setattr(run, "foresight", Foresight(1 << 24))
    verdict(grader, exercise, right(exercise))
    assert [verdict(grader, exercise, source) for source in sources] == alone


def test_a_second_submission_takes_one_message_an_exercise(grader: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask = Conversation.ask

    def counted(self: Conversation, requests: Any, **how: Any) -> None:
        asked.append(len(requests))
        ask(self, requests, **how)

    monkeypatch.setattr(Conversation, "ask", counted)
    verdict(grader, "masking", right("masking"))
    first, asked[:] = list(asked), []
    verdict(grader, "masking", right("masking"))
    assert sum(asked) == sum(first)
    assert len(first) > 8
    assert len(asked) == 1


ANOTHER_STATE = b"""
encode_exactly = Seq2SeqAttention.encode

def encode(self, src):
    outputs, (h, c) = encode_exactly(self, src)
    return outputs, (h * (1 + 1e-12), c)

Seq2SeqAttention.encode = encode
"""


LISTS = b"""
encode_exactly = Seq2SeqAttention.encode

def encode(self, src):
    outputs, state = encode_exactly(self, src)
    return outputs.tolist(), tuple(part.tolist() for part in state)

Seq2SeqAttention.encode = encode
"""


@pytest.mark.parametrize("source", [right("seq2seq"), right("seq2seq") + LISTS], ids=["arrays", "lists"])
def test_an_answer_is_not_told_to_the_next_submission(grader: Grader, source: bytes) -> None:
    """`several_steps` hands the student's own state back: kept, it would be the right answer in the next one's process."""
    everything = verdict(grader, "seq2seq", source)
    assert {status for _, status, *_ in everything} == {"passed"}
    assert ("seq2seq", "test_several_steps", SEED) not in run.foresight.known
    assert len(run.foresight.known) == len(everything) - 1
    assert verdict(grader, "seq2seq", right("seq2seq") + ANOTHER_STATE) == everything


NUDGED = b"""
def _nudge():
    import functools
    import numpy

    def nudged(value):
        if isinstance(value, (tuple, list)):
            return type(value)(map(nudged, value))
        if isinstance(value, dict):
            return {key: nudged(item) for key, item in value.items()}
        is_real = isinstance(value, (float, numpy.floating, numpy.ndarray)) and numpy.asarray(value).dtype.kind == "f"
        return value * (1 + 1e-9) if is_real else value

    def around(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            return nudged(function(*args, **kwargs))
        return call

    for name, thing in list(globals().items()):
        if getattr(thing, "__module__", "") != __name__ or name.startswith("_"):
            continue
        if isinstance(thing, type):
            for method in ("forward", "step", "encode", "decode_step"):
                if hasattr(thing, method):
                    setattr(thing, method, around(getattr(thing, method)))
        else:
            globals()[name] = around(thing)

_nudge()
"""


def test_what_is_asked_ahead_depends_on_no_answer(grader: Grader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would be made of one submission's right answers, in the next one's process."""
    foreseen = []
    for more in (b"", NUDGED):
        monkeypatch.setattr(run, "foresight", Foresight(FORESIGHT))
        report = grader.grade(submission({path: text + more for path, text in solutions().items()}), SEED)
        assert report.score + report.bonus == sum(exercise.points for exercise in COURSE)
        foreseen.append({key: known.requests for key, known in run.foresight.known.items() if known is not None})
    exact, nudged = foreseen
    both = exact.keys() & nudged.keys()
    assert len(both) > 150
    assert [key for key in both if exact[key] != nudged[key]] == []


def test_a_test_that_asks_for_something_else_is_asked_one_by_one(grader: Grader) -> None:
    everything = verdict(grader, "masking", right("masking"))
    key = next(key for key, known in run.foresight.known.items() if known is not None and len(known.requests) > 3)
    known = run.foresight.known[key]
    assert known is not None
    known.requests[2] = known.requests[1]
    assert verdict(grader, "masking", right("masking")) == everything
    assert run.foresight.known[key] is None
    assert verdict(grader, "masking", right("masking")) == everything


CRASHES = """
import os
import numpy as np
calls = 0

def softmax(x, axis=-1):
    global calls
    calls += 1
    if calls == 12:
        {end}
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""


@pytest.mark.parametrize("end", ["os._exit(3)", "while True: pass"])
def test_whoever_ends_or_hangs_in_a_call_is_asked_one_by_one(quick: Grader, end: str) -> None:
    alone = verdict(quick, "softmax", CRASHES.format(end=end))
    assert {status for _, status, *_ in alone} == {"passed", "crashed" if "exit" in end else "timeout"}
    run.foresight.known.clear()
    verdict(quick, "softmax", right("softmax"))
    ahead = verdict(quick, "softmax", CRASHES.format(end=end))
    # The worker that ended is another one's for the test that begins again: its calls are counted from there.
    assert {status for _, status, *_ in ahead} <= {status for _, status, *_ in alone}
    assert [test[0] for test in ahead] == [test[0] for test in alone]


def test_a_test_that_fails_half_way_leaves_nothing_to_the_next(grader: Grader) -> None:
    wrong_once = CRASHES.format(end="return np.zeros_like(x)")
    alone = verdict(grader, "softmax", wrong_once)
    assert [status for _, status, *_ in alone].count("failed") == 1
    run.foresight.known.clear()
    verdict(grader, "softmax", right("softmax"))
    assert [test[:3] for test in verdict(grader, "softmax", wrong_once)].count(("any_axis[0]", "failed", 0.0)) <= 1


def test_what_is_foreseen_is_bounded() -> None:
    foresight = Foresight(1000)
    foresight.learn(("softmax", "a", 1), [b"x" * 600], {})
    foresight.learn(("softmax", "b", 1), [b"x" * 600], {})
    assert foresight.of(("softmax", "a", 1)) is not None
    assert foresight.of(("softmax", "b", 1)) is None
    foresight.give_up(("softmax", "a", 1))
    foresight.learn(("softmax", "a", 1), [b"y"], {})
    assert foresight.of(("softmax", "a", 1)) is None
    foresight.learn(("softmax", "b", 1), [b"x" * 600], {b"question": b"answer"})
    assert foresight.of(("softmax", "b", 1)) is not None
    assert foresight.used == sum(known.size() for known in foresight.known.values() if known is not None)


def test_every_fixture_of_a_hidden_test_is_a_plain_function(grader: Grader) -> None:
    """Any other kind works too, and takes pytest longer to make than most tests take."""
    assert [item.nodeid for items in grader.tests.items.values() for item in items if plan_of(item) is None] == []
