"""One submission through the real architecture: what counts, what does not, and what each misfortune is called."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import pytest

from autograder.course import COURSE, MAX_SCORE
from autograder.grading.grader import Grader
from autograder.grading.session import FaultOfTheKit
from autograder.limits import DEFAULT
from autograder.reports.model import ExerciseReport, Report
from tests.conftest import solutions, stubs, submission

SEED = 7
QUICK = replace(DEFAULT, call_seconds=2.0, repeated_timeout_seconds=0.5)
OVERHEAD = 8.0  # seconds that a busy machine may need on top of the limits


@pytest.fixture(scope="module")
def quick(each_jail: str) -> Iterator[Grader]:
    """A grader that loses patience after two seconds, in each jail."""
    with Grader(each_jail, QUICK) as grader:
        yield grader


def part(report: Report, exercise: str) -> ExerciseReport:
    return next(e for e in report.exercises if e.id == exercise)


def lost(report: Report) -> dict[str, float]:
    """The points that are missing, by exercise."""
    return {e.id: e.max_score - e.score for e in report.exercises if e.score != e.max_score}


def statuses(report: Report, exercise: str) -> set[str]:
    return {test.status for test in part(report, exercise).tests}


def test_the_complete_submission_gets_every_point(quick: Grader) -> None:
    report = quick.grade(submission(solutions()), SEED)
    assert lost(report) == {}
    assert report.score == report.max_score == MAX_SCORE
    assert {e.status for e in report.exercises} == {"passed"}


def test_untouched_stubs_are_to_do(quick: Grader) -> None:
    report = quick.grade(submission(stubs()), SEED)
    assert report.score == 0
    assert {(e.id, e.status) for e in report.exercises} == {(e.id, "todo") for e in COURSE}


def test_nothing_handed_in_is_missing(quick: Grader) -> None:
    report = quick.grade(submission({}), SEED)
    assert report.score == 0
    assert {e.status for e in report.exercises} == {"missing"}
    assert "softmax.py" in part(report, "softmax").tests[0].feedback


WRONG_AXIS = """
import numpy as np

def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
"""


def test_a_wrong_softmax_costs_softmax_and_nothing_else(quick: Grader) -> None:
    report = quick.grade(submission({"softmax.py": WRONG_AXIS}, base=solutions()), SEED)
    assert list(lost(report)) == ["softmax"]


@pytest.mark.parametrize(
    "broken",
    ["raise RuntimeError('broken')", "def softmax(:", "import os; os._exit(3)", "while True: pass", "import nowhere", ""],
    ids=["raises", "syntax", "exits", "hangs", "imports", "empty"],
)
def test_an_earlier_module_that_does_not_import_costs_itself_alone(quick: Grader, broken: str) -> None:
    report = quick.grade(submission({"softmax.py": broken}, base=solutions()), SEED)
    assert list(lost(report)) == ["softmax"]
    assert part(report, "softmax").score == 0
    assert part(report, "softmax").status == ("missing" if broken == "" else "error")
    assert statuses(report, "softmax") == {part(report, "softmax").status}


@pytest.mark.parametrize(
    "how",
    [
        "from exercises.softmax import softmax",
        "from exercises.softmax import softmax as soft\n\ndef softmax(x, axis=-1):\n    return soft(x, axis)",
        "import exercises.softmax as module\nsoftmax = module.softmax",
        "from exercises import softmax as module\nsoftmax = module.softmax",
        "import exercises.softmax\n\ndef softmax(x): return exercises.softmax.softmax(x, axis=-1)",
        "from .softmax import softmax",
        "from softmax import softmax",
        "from exercises.softmax import *",
        "import importlib\nsoftmax = importlib.import_module('exercises.softmax').softmax",
    ],
)
@pytest.mark.parametrize("own", ["wrong", "none"])
def test_any_form_of_import_finds_the_right_softmax(quick: Grader, how: str, own: str) -> None:
    files = {"attention.py": f"import numpy as np\n{how}\n{ATTENTION}"} | ({"softmax.py": WRONG_AXIS} if own == "wrong" else {})
    report = quick.grade(submission(files), SEED, exercises=["attention"])
    assert lost(report) == {}


ATTENTION = """
def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError
    weights = softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5)
    return weights @ V, weights
"""


def test_what_an_earlier_module_has_besides_its_entry_points_stays_the_students(quick: Grader) -> None:
    files = {
        "softmax.py": WRONG_AXIS + "\ndef scale(d):\n    return d ** 0.5\n",
        "attention.py": "from exercises.softmax import softmax, scale\n" + ATTENTION.replace("Q.shape[-1] ** 0.5", "scale(Q.shape[-1])"),
    }
    assert lost(quick.grade(submission(files), SEED, exercises=["attention"])) == {}


def test_an_earlier_function_with_a_parameter_of_the_students_own_can_be_used(quick: Grader) -> None:
    masking = solutions()["exercises/masking.py"].decode()
    own_weights = "    output, weights = scaled_dot_product_attention(Q, K, V, mask=mask)\n    return output, weights\n"
    start, end = masking.rindex("    scores = Q @"), masking.rindex("    ### END SOLUTION")
    files = {
        "attention.py": """
import numpy as np
from exercises.softmax import softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("the shapes do not fit")
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5
    if mask is None:
        weights = softmax(scores)
    else:
        mask = np.broadcast_to(mask, scores.shape).astype(bool)
        weights = softmax(np.where(mask, scores, -1e9)) * mask
    return weights @ V, weights
""",
        "masking.py": masking[:start] + own_weights + masking[end:],
    }
    assert lost(quick.grade(submission(files), SEED, exercises=["attention", "masking"])) == {}


def test_a_copy_of_an_earlier_function_is_the_students_own(quick: Grader) -> None:
    report = quick.grade(submission({"attention.py": WRONG_AXIS + ATTENTION}), SEED, exercises=["attention"])
    assert "attention" in lost(report)


SOFTMAX = """
import numpy as np

def softmax(x, axis=-1):
    {0}
    x = np.asarray(x, dtype=float)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
"""

MISFORTUNES = [
    ("while True: pass", "timeout"),
    ("import time; time.sleep(60)", "timeout"),
    ("import os; os._exit(0)", "crashed"),
    ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "crashed"),
    ("import ctypes; ctypes.string_at(0)", "crashed"),
    ("raise SystemExit(0)", "failed"),
    ("raise KeyboardInterrupt", "failed"),
    ("raise RuntimeError('no')", "failed"),
    ("return softmax(x, axis)", "failed"),
    ("x = np.zeros((1 << 40,))", "failed"),
    ("return (i for i in x)", "failed"),
    ("return np.ma.masked_array(x)", "failed"),
    ("return x.astype(object)", "failed"),
    ("return np.full(np.shape(x), np.nan)", "failed"),
    ("return 0.5", "failed"),
    ("class A(np.ndarray): pass\n    return x.view(A)", "failed"),
    ("raise NotImplementedError", "todo"),
]


@pytest.mark.parametrize(("line", "status"), MISFORTUNES, ids=[line for line, _ in MISFORTUNES])
def test_every_misfortune_has_its_name(quick: Grader, line: str, status: str) -> None:
    report = quick.grade(submission({"softmax.py": SOFTMAX.format(line)}), SEED, exercises=["softmax"])
    assert report.status == "graded"
    assert report.score == 0
    assert statuses(report, "softmax") - {"passed"} == {status}  # a property may hold, and earns nothing


def test_an_endless_loop_costs_its_own_test_and_no_more_than_its_time(quick: Grader) -> None:
    start = time.monotonic()
    files = submission({"softmax.py": SOFTMAX.format("while np.ndim(x) == 4: pass")}, base=solutions())
    report = quick.grade(files, SEED, exercises=["softmax", "attention"])
    looped = [test for test in part(report, "softmax").tests if test.status == "timeout"]
    assert list(lost(report)) == ["softmax"]
    assert sum(test.points for test in looped) == lost(report)["softmax"]
    assert time.monotonic() - start < QUICK.call_seconds + QUICK.repeated_timeout_seconds * len(looped) + OVERHEAD


def test_a_submission_has_so_much_time_and_no_more(each_jail: str) -> None:
    limits = replace(QUICK, submission_seconds=1.5)
    with Grader(each_jail, limits) as grader:
        start = time.monotonic()
        slow = {f"{e.module}.py": "import time; time.sleep(60)" for e in COURSE}
        report = grader.grade(submission(slow), SEED)
        assert time.monotonic() - start < limits.submission_seconds + OVERHEAD
        assert report.status == "graded"
        assert report.score == 0


@pytest.mark.parametrize(
    "line",
    [
        "import warnings; warnings.warn('careful')",
        "import sys; print('noise' * 100000, file=sys.stderr)",
        "print('1.0')",
        "print('x' * 10_000_000)",
        "np.log(np.zeros(3))",
    ],
)
def test_printing_and_warnings_cost_nothing(quick: Grader, line: str) -> None:
    assert lost(quick.grade(submission({"softmax.py": SOFTMAX.format(line)}), SEED, exercises=["softmax"])) == {}


def test_demo_code_and_a_name_main_block_do_not_matter(quick: Grader) -> None:
    demo = "\nprint(softmax(np.ones(3)))\nif __name__ == '__main__':\n    raise SystemExit('not run')\n"
    assert lost(quick.grade(submission({"softmax.py": SOFTMAX.format("pass") + demo}), SEED, exercises=["softmax"])) == {}


def test_what_was_printed_is_kept_for_the_instructor_and_cut(quick: Grader) -> None:
    report = quick.grade(submission({"softmax.py": SOFTMAX.format("print('seen', 'x' * 100_000)")}), SEED, exercises=["softmax"])
    assert "seen" in report.output["softmax"]
    assert len(report.output["softmax"]) < 2 * DEFAULT.output_kept + 200


def test_nothing_of_an_exception_but_its_type_and_line_reaches_the_student(quick: Grader) -> None:
    line = "raise ValueError(f'secret {np.sum(x)}')"
    report = quick.grade(submission({"softmax.py": SOFTMAX.format(line)}), SEED, exercises=["softmax"])
    for test in part(report, "softmax").tests:
        assert "secret" not in test.feedback.replace(line, "")
        assert "ValueError (softmax.py, line 5" in test.feedback
        assert "secret" in test.message.replace(line, "")


def test_a_property_alone_earns_nothing(quick: Grader) -> None:
    report = quick.grade(submission({"softmax.py": "def softmax(x, axis=-1):\n    return x"}), SEED, exercises=["softmax"])
    assert report.score == 0
    assert "passed" in statuses(report, "softmax")


def test_only_the_chosen_exercises_appear(quick: Grader) -> None:
    report = quick.grade(submission(solutions()), SEED, exercises=["masking", "softmax"])
    assert [e.id for e in report.exercises] == ["softmax", "masking"]
    assert report.max_score == sum(e.points for e in COURSE if e.id in ("softmax", "masking"))


def test_a_missing_function_is_told_apart_from_a_wrong_one(quick: Grader) -> None:
    renamed = SOFTMAX.format("pass").replace("def softmax", "def soft_max")
    report = quick.grade(submission({"softmax.py": renamed}), SEED, exercises=["softmax"])
    assert statuses(report, "softmax") == {"missing"}


def test_the_same_submission_gets_the_same_report(quick: Grader) -> None:
    first, second = (quick.grade(submission({"softmax.py": WRONG_AXIS}, base=solutions()), SEED) for _ in range(2))
    assert replace(first, seconds=0) == replace(second, seconds=0)


def test_a_fault_in_a_hidden_test_is_the_kits_and_the_next_submission_is_graded_all_the_same(
    quick: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = quick.tests.items["softmax"][2]
    monkeypatch.setattr(item, "obj", lambda **fixtures: 1 / 0)
    monkeypatch.setattr(item, "runtest", lambda: item.obj())
    with pytest.raises(FaultOfTheKit, match="ZeroDivisionError"):
        quick.grade(submission(solutions()), SEED, exercises=["softmax"])
    monkeypatch.undo()
    assert lost(quick.grade(submission(solutions()), SEED, exercises=["softmax", "attention"])) == {}
