"""summary.html: an instructor sees what the class can do and where it went wrong, for one student and for five hundred."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import pairwise

import pytest

from autograder.course import COURSE
from autograder.language import speaking
from autograder.misconceptions.catalogue import Misconception, catalogue
from autograder.reports.rows import ExerciseRow, Outcome, Row
from autograder.reports.summary import (
    HEAT_STEPS,
    LINES_SHOWN,
    NAMES_LISTED,
    SMALL_CLASS,
    STUDENTS_LISTED,
    earned,
    heat,
    median_at,
    summary_html,
)
from autograder.reports.tally import STRIPS, tally
from autograder.similarity import Pair, SharedExercise, Similar
from tests.report_checks import Page, check_safe

TESTS = 12  # of each exercise, as many as the hidden tests have on average
NAMES = ("Ada Lovelace", "Chen Jingrun", "Emmy Noether", "Évariste Galois", "Sofya", "陈省身", "Srinivasa", "محمد", "O'Neil <b>")


def made_up_class(size: int, language: str = "en", seed: int = 1) -> list[Row]:
    """A class with strengths and mistakes drawn at random, every twentieth submission broken. No grading is run."""
    rng = random.Random(seed)
    known: dict[str, list[Misconception]] = {}
    for entry in catalogue():
        known.setdefault(entry.exercise, []).append(entry)
    rows = []
    for i in range(size):
        student, folder = f"{NAMES[i % len(NAMES)]} {i:03d}", f"student-{i:03d}"
        if i % 20 == 7:
            rows.append(Row(student, folder, "error", 0.0, 100.0, 0.0, ("The archive is damaged: ask for it again.",), (), "bubblewrap"))
            continue
        skill = rng.betavariate(3, 1.4)
        with speaking(language):
            exercises = tuple(_made_up_exercise(rng, skill, e.id, e.points, e.bonus, known[e.id]) for e in COURSE if e.id in known)
        score = sum(e.score for e in exercises if not e.bonus)
        bonus = sum(e.score for e in exercises if e.bonus)
        notes = ("softmax (1).py lies beside softmax.py and was left out.",) if i % 9 == 0 else ()
        rows.append(
            Row(student, folder, "graded", score, 100.0, bonus, notes, exercises, "bubblewrap", seconds=rng.lognormvariate(-2.5, 0.6))
        )
    return rows


def _made_up_exercise(rng: random.Random, skill: float, name: str, most: float, bonus: bool, known: list[Misconception]) -> ExerciseRow:
    titles = [f"{name}: test {i}" for i in range(TESTS)]
    if rng.random() > (skill * 0.6 if bonus else 0.6 + skill / 2):
        status = rng.choice(("todo", "missing", "error"))
        return ExerciseRow(name, status, 0.0, most, bonus, tuple(Outcome(f"t{i}", title, status) for i, title in enumerate(titles)))
    wrong = min(int(rng.expovariate(1 / 5)), len(known) - 1)  # some mistakes are frequent, most are rare
    tests = []
    for i, title in enumerate(titles):
        status = "passed" if rng.random() < skill + 0.2 else rng.choices(("failed", "timeout", "crashed"), (60, 1, 1))[0]
        tests.append(Outcome(f"t{i}", title, status, known[wrong].id if status == "failed" and rng.random() < 0.8 else None))
    right = sum(test.status == "passed" for test in tests)
    status = "passed" if right == TESTS else "failed"
    return ExerciseRow(name, status, round(most * right / TESTS, 6), most, bonus, tuple(tests))


def outcomes(student: str, *statuses: str, score: float = 0.0, misconception: str | None = None) -> Row:
    """A student with one exercise, `softmax`, of 6 points."""
    tests = tuple(Outcome(f"t{i}", f"test {i}", s, misconception if s == "failed" else None) for i, s in enumerate(statuses))
    status = statuses[0] if len(set(statuses)) == 1 else "failed"
    return Row(student, student, "graded", score, 6.0, 0.0, (), (ExerciseRow("softmax", status, score, 6.0, False, tests),), "bubblewrap")


# --- any size of class ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [0, 1, 6, 45])
def test_a_class_of_any_size_has_a_sound_page(size: int, language: str) -> None:
    rows = made_up_class(size, language)
    html = summary_html(rows, language=language)
    page = check_safe(html)
    assert_well_formed(page)
    for row in rows:
        assert row.student in page.text


def test_a_class_of_500_stays_below_two_megabytes_and_folds_long_lists() -> None:
    rows = made_up_class(500)
    html = summary_html(rows)
    assert len(html.encode()) < 2_000_000
    page = check_safe(html)
    assert_well_formed(page)
    assert html.count("/report.json") >= 500
    # Of the lists that grow with the class nothing is open but the table of all students.
    opened = without_folded(html)
    before = opened[: opened.index('id="students"')]
    assert before.count("<bdi>") < 250
    assert opened.count("The archive is damaged") == 0
    assert html.count("The archive is damaged") == 25 > LINES_SHOWN


def test_a_list_of_a_very_large_class_ends_and_says_where_the_rest_is() -> None:
    known = next(iter(catalogue())).id
    rows = [outcomes(f"student{number:05}", "failed", "timeout", misconception=known) for number in range(2 * STUDENTS_LISTED + 1)]
    page = summary_html([replace(row, notes=("Odd.",)) for row in rows])
    assert page.count("Odd.") == STUDENTS_LISTED
    text = check_safe(page).text
    assert f"{STUDENTS_LISTED + 1} more: grades.csv has everybody." in text
    assert f"and {len(rows) - NAMES_LISTED} more" in text
    assert len(page) < 2_000_000


def without_folded(html: str) -> str:
    """The page as it opens, with what is folded away cut out; one fold may hold another."""
    inmost = re.compile(r"<details>(?:(?!<details>).)*?</details>", re.DOTALL)
    while inmost.search(html):
        html = inmost.sub("", html)
    return html


def assert_well_formed(page: Page) -> None:
    """What assistive technology needs: a language, headings in order, heads of tables, names of pictures, links that lead somewhere."""
    tags = page.tags
    assert next(attrs for tag, attrs in tags if tag == "html")["lang"]
    levels = [int(tag[1]) for tag, _ in tags if tag in ("h1", "h2", "h3")]
    assert levels[0] == 1 and all(b - a <= 1 for a, b in pairwise(levels))
    assert sum(tag == "thead" for tag, _ in tags) == sum(tag == "table" for tag, _ in tags)
    assert all(attrs.get("scope") in ("col", "row") for tag, attrs in tags if tag == "th")
    for tag, attrs in tags:
        if tag == "svg":
            assert attrs.get("aria-hidden") == "true" or (attrs.get("role") == "img" and attrs.get("aria-label"))
    ids = [attrs["id"] for _, attrs in tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in page.links if link.startswith("#")} <= set(ids)


def test_a_small_class_is_shown_by_student_and_a_large_one_by_tenths() -> None:
    small = summary_html([replace(row, status="graded") for row in made_up_class(SMALL_CLASS)])
    assert "in ten groups" not in small
    assert 'id="students"' not in small
    large = summary_html(made_up_class(SMALL_CLASS + 1))
    assert "in ten groups" in large
    assert 'id="students"' in large


# --- misconceptions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Divides by the sum over the whole array.", "Which numbers must add up to 1", "A softmax that never overflows"]),
        ("zh", ["哪些数加起来应当等于 1", "不会溢出的 softmax"]),
    ],
)
def test_a_misconception_is_named_in_words_with_its_exercise_and_students(language: str, words: list[str]) -> None:
    rows = [
        outcomes("bo", "failed", "passed", misconception="softmax.one_sum_for_the_whole_array"),
        outcomes("chen", "failed", "failed", misconception="softmax.one_sum_for_the_whole_array"),
        outcomes("dana", "failed", "passed", misconception="softmax.no_shift"),
        outcomes("emil", "passed", "passed", score=6.0),
    ]
    html = summary_html(rows, language=language)
    section = Page(html[html.index('<section id="misconceptions">') : html.index('<section id="tests">')])
    first, second = section.text.index("one_sum_for_the_whole_array"), section.text.index("no_shift")
    assert first < second
    for word in words:
        assert section.text.index(word) < first
    assert {link.partition("/")[0] for link in section.links} == {"bo", "chen", "dana"}


def test_a_misconception_that_the_catalogue_has_lost_keeps_its_id() -> None:
    page = check_safe(summary_html([outcomes("bo", "failed", misconception="softmax.of_an_older_release")]))
    assert "Most frequent misconception: A softmax that never overflows: softmax.of_an_older_release (students: 1)" in page.text
    assert "A softmax that never overflows softmax.of_an_older_release Tests: 1" in page.text


# --- tests and exercises -------------------------------------------------------------------------------------


def test_tests_of_one_title_are_one_line_and_passed_where_all_inputs_are() -> None:
    def student(name: str, *statuses: str) -> Row:
        row = outcomes(name, *statuses)
        (part,) = row.exercises
        return replace(row, exercises=(replace(part, tests=tuple(replace(t, title="any axis") for t in part.tests)),))

    total = tally([student("a", "passed", "passed"), student("b", "failed", "passed"), student("c", "todo", "todo")])
    ((test,),) = [e.tests for e in total.exercises]
    assert (test.inputs, test.counts, test.passed, test.tried) == (2, {"passed": 1, "failed": 1, "todo": 1}, 1, 2)


def test_the_hardest_exercise_is_the_one_that_those_who_tried_it_earned_least_of() -> None:
    def part(name: str, status: str, score: float) -> ExerciseRow:
        return ExerciseRow(name, status, score, 10.0, name == "kv_cache", (Outcome("t", "t", status),))

    rows = [
        replace(
            outcomes("a"), exercises=(part("attention", "failed", 4.0), part("masking", "passed", 10.0), part("kv_cache", "failed", 0.0))
        ),
        replace(
            outcomes("b"), exercises=(part("attention", "failed", 2.0), part("masking", "missing", 0.0), part("kv_cache", "failed", 0.0))
        ),
        replace(outcomes("c"), exercises=(part("attention", "passed", 10.0), part("masking", "todo", 0.0), part("scaling", "failed", 0.0))),
        replace(outcomes("d"), exercises=(part("attention", "missing", 0.0), part("masking", "passed", 10.0))),
    ]
    hardest = tally(rows).hardest()
    assert hardest is not None
    assert (hardest.id, round(hardest.share, 6), hardest.mean) == ("attention", round(16 / 30, 6), 4.0)
    assert tally([outcomes("a", "passed", score=6.0), outcomes("b", "passed", score=6.0)]).hardest() is None
    assert tally([]).hardest() is None


def test_tests_that_nobody_or_everybody_passes_are_named() -> None:
    page = Page(summary_html([outcomes("a", "passed", "failed", "todo"), outcomes("b", "passed", "failed", "todo")]))
    tests = page.text[page.text.index("Passed, of all graded") :]
    assert "Tried, and passed by nobody A softmax that never overflows: test 1 (0 / 2)" in tests
    assert "Passed by everybody who tried: 1 tests A softmax that never overflows: test 0 (2 / 2)" in tests


# --- pictures ------------------------------------------------------------------------------------------------


def test_colours_tell_nothing_some_and_all_apart() -> None:
    assert [heat(share) for share in (0.0, 0.01, 0.24, 0.25, 0.5, 0.75, 0.999, 1.0)] == [
        f"heat-{step}" for step in (0, 1, 1, 2, 3, 4, HEAT_STEPS - 1, HEAT_STEPS)
    ]
    assert heat(0.1 + 0.2 + 0.7) == f"heat-{HEAT_STEPS}"


def test_what_was_not_tried_has_a_sign_and_no_colour() -> None:
    def part(status: str, score: float) -> ExerciseRow:
        return ExerciseRow("softmax", status, score, 6.0, False, ())

    assert [earned(part(status, 0.0)).text for status in ("todo", "missing", "error")] == ["·", "–", "!"]
    assert earned(part("failed", 0.0)).colour == "heat-0"
    assert earned(part("failed", 1.5)).text == "1.5"
    assert earned(None).text == ""


def test_tenths_of_a_class_hold_every_graded_student_once_the_best_first() -> None:
    rows = made_up_class(53)
    total = tally(rows)
    strips = total.strips()
    assert len(strips) == STRIPS
    assert [s.first for s in strips] == [1, *(s.last + 1 for s in strips[:-1])]
    assert strips[-1].last == total.graded == 50
    assert all(a.lowest >= b.highest for a, b in pairwise(strips))
    best = sorted((row for row in rows if row.status == "graded"), key=lambda row: -row.score)[:5]
    of_softmax = [e.score / e.max_score for row in best for e in row.exercises if e.id == "softmax"]
    assert strips[0].shares["softmax"] == pytest.approx(sum(of_softmax) / 5)
    assert len(tally(made_up_class(3)).strips()) == 3


def test_the_histogram_is_told_in_words_too() -> None:
    rows = [outcomes("a", "failed", score=0.5), outcomes("b", "failed", score=1.0), outcomes("c", "passed", score=6.0)]
    (label,) = [attrs["aria-label"] for tag, attrs in Page(summary_html(rows)).tags if attrs.get("role") == "img"]
    assert label == "Histogram of scores: 0–9 %: 1; 10–19 %: 1; 90–100 %: 1; median 1"
    assert median_at(tally(rows)) == round(640 / 6, 2)


# --- similar submissions -------------------------------------------------------------------------------------

ALIKE = Similar(
    pairs=(
        Pair("bo", "chen", 0.999, 0.9, 310, (SharedExercise("masking", 1.0, 60), SharedExercise("", 0.7, 12))),
        Pair("=cmd", "not graded", 0.7, 0.4, 80, ()),
    ),
    compared=9,
    left_out=("eve",),
    more=3,
)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ["never a verdict", "99 %", "masking 100 %, other code 70 %"]), ("zh", ["绝不是结论", "99 %", "masking 100 %、其他代码 70 %"])],
)
def test_similar_submissions_are_a_figure_and_no_verdict(language: str, words: list[str]) -> None:
    rows = [outcomes("bo", "passed"), outcomes("chen", "passed")]
    assert 'id="similar"' not in summary_html(rows, language=language)
    html = summary_html(rows, similar=ALIKE, language=language)
    section = check_safe(html).text
    for word in words:
        assert word in section
    assert not re.search("plagiar|cheat|copied from|作弊|剽窃", section)
    links = Page(html[html.index('<section id="similar">') :]).links
    assert links[:2] == ["bo/feedback.html", "chen/feedback.html"]


def test_a_class_without_similar_pairs_says_so_and_a_class_too_large_too() -> None:
    rows = [outcomes("bo", "passed")]
    assert "No pair stands out." in Page(summary_html(rows, similar=Similar((), 9))).text
    assert "Nothing was compared: 9000 submissions" in Page(summary_html(rows, similar=Similar((), 9000, too_many=True))).text
