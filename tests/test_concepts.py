"""The questions of exercise `concepts`: the same ones everywhere, in both languages, and no answer where a student reads."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from autograder.content.stubs import stub
from autograder.course import find
from autograder.grading.grader import Grader
from exercises.tests.test_concepts import QUESTIONS as VISIBLE
from solutions.concepts import ANSWERS
from tests.conftest import submission

ROOT = Path(__file__).resolve().parents[1]
SOURCE = (ROOT / "solutions" / "concepts.py").read_text(encoding="utf-8")
QUESTION = re.compile(r'((?:^#.*\n)+)ANSWERS\["(\w+)"\] = ""$', re.MULTILINE)


def explanations() -> dict[str, str]:
    """Question -> its explanation in both languages, read from the hidden test without importing it."""
    tree = ast.parse((ROOT / "autograder" / "hidden" / "test_concepts.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Question"]
    return {ast.literal_eval(id): " ".join(ast.literal_eval(text) for text in why.args) for id, _, why in (call.args for call in calls)}


def handed_in(answers: dict[str, str]) -> dict[str, bytes]:
    return {"concepts.py": f"ANSWERS = {answers!r}".encode()}


def test_the_same_questions_everywhere(grader: Grader) -> None:
    ids = [id for _, id in QUESTION.findall(SOURCE)]
    graded = [test.removeprefix("question[").removesuffix("]") for test in grader.tests.rubric(find("concepts"))]
    assert ids == list(ANSWERS) == list(VISIBLE) == graded == list(explanations())


def test_every_question_counts_the_same_and_they_add_up_exactly(grader: Grader) -> None:
    points = {rubric.points for rubric in grader.tests.rubric(find("concepts")).values()}
    assert len(points) == 1
    assert sum(points) * len(ANSWERS) == find("concepts").points


def test_every_question_has_four_options_in_each_language() -> None:
    """Options that are numbers only stand once."""
    for number, (text, id) in enumerate(QUESTION.findall(SOURCE), start=1):
        heads = re.findall(rf"^# {number}\. (.+)$", text, re.MULTILINE)
        letters = re.findall(r"^#    ([a-d])\) ", text, re.MULTILINE)
        assert len(heads) == 2, id
        assert heads[0].isascii(), id
        assert not heads[1].isascii(), id
        assert letters in (list("abcd") * 2, list("abcd")), id


def test_no_letter_is_a_good_guess() -> None:
    assert set(Counter(ANSWERS.values()).values()) == {4}


def test_an_explanation_names_no_letter() -> None:
    """It says why the right option is right, and in words: a student may answer again."""
    for id, text in explanations().items():
        assert not re.search(r"\b(option|answer) [a-d]\b|选项 ?[a-d]|\b[a-d]\)", text), id


def test_the_stub_holds_every_question_and_no_answer() -> None:
    text = stub(SOURCE)
    assert [id for _, id in QUESTION.findall(text)] == list(ANSWERS)
    assert not re.search(r'= "[a-d]"', text)


@pytest.mark.parametrize("write", [str.upper, lambda letter: f"  {letter} ", lambda letter: chr(ord(letter) + 0xFEE0)])
def test_capitals_blanks_and_wide_letters_do_not_matter(grader: Grader, write) -> None:
    report = grader.grade(submission(handed_in({id: write(letter) for id, letter in ANSWERS.items()})), 1, exercises=["concepts"])
    assert report.score == 2.0


def test_a_question_without_an_answer_is_to_do_and_a_wrong_one_is_explained(grader: Grader) -> None:
    given = {**ANSWERS, "cost": "", "query": "a"}
    (report,) = grader.grade(submission(handed_in(given)), 1, exercises=["concepts"]).exercises
    told = {test.id: (test.status, test.feedback) for test in report.tests if test.status != "passed"}
    assert told["question[cost]"] == ("todo", "Not answered yet.")
    status, feedback = told["question[query]"]
    assert status == "failed"
    assert "The query asks." in feedback
    assert report.score == 2.0 - 2 * 0.125
