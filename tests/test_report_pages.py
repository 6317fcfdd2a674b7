"""feedback.html, summary.html and the table in the terminal: they say what they should, and no more."""

from __future__ import annotations

import io
import json
import os
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import pytest
from rich.console import Console

from autograder.language import speaking
from autograder.reports import atomic
from autograder.reports.feedback import feedback_html
from autograder.reports.pages import path_in_url
from autograder.reports.rows import Row
from autograder.reports.schema import as_json, dumps
from autograder.reports.summary import columns, summary_html, write_summary
from autograder.reports.table import print_table
from autograder.reports.tally import tally
from tests.report_checks import Page, check_safe, terminal
from tests.sample_reports import ada, broken, sample_class, sample_exercise, sample_report

# --- feedback.html -------------------------------------------------------------------------------------------


def test_feedback_shows_the_feedback_and_nothing_that_is_the_instructors() -> None:
    secret = "SECRET-"
    exercises = []
    for exercise in ada().exercises:
        tests = tuple(replace(t, message=f"{secret}message", misconception=f"{secret}m", id=f"{secret}id") for t in exercise.tests)
        exercises.append(replace(exercise, tests=tests))
    report = replace(
        ada(),
        exercises=tuple(exercises),
        notes=(f"{secret}note",),
        jail=f"{secret}jail",
        jail_remarks=(f"{secret}remark",),
        output={"softmax": f"{secret}out"},
        seed=918273645,
    )
    page = check_safe(feedback_html(report))
    assert secret not in page.text
    assert "918273645" not in page.text
    told = {line for e in report.exercises for t in e.tests for line in t.feedback.split("\n")}
    assert len(told) > 12
    for line in told:
        assert re.sub(r"\W+", "", line) in re.sub(r"\W+", "", page.text)


@pytest.mark.parametrize(
    ("language", "lang", "words"),
    [
        ("en", "en", ["12 / 50 points, bonus 0 / 5", "not yet right", "timed out", "crashed", "to do", "missing", "Hint:", "Next:"]),
        ("zh", "zh-CN", ["12 / 50 分，附加分 0 / 5", "尚未正确", "超时", "崩溃", "待完成", "缺失", "提示：", "下一步："]),
    ],
)
def test_feedback_speaks_the_language_of_the_report(language: str, lang: str, words: list[str]) -> None:
    page = check_safe(feedback_html(ada(language)))
    assert ("html", {"lang": lang}) in page.tags
    for word in words:
        assert word in page.text


def test_chinese_pages_hold_no_english_sentence() -> None:
    rows = [Row.from_report(replace(r, jail="none", notes=()), "x") for r in sample_class(25, "zh")]
    for html in (feedback_html(ada("zh")), summary_html(rows, language="zh"), summary_html([], language="zh")):
        assert [piece for piece in Page(html).words if re.search(r"[A-Za-z]+(?: [a-z]+){2,}", piece)] == []


def test_every_text_in_a_template_is_there_in_both_languages() -> None:
    folder = Path(atomic.__file__).parent / "templates"
    pairs = [pair for file in folder.glob("*.html") for pair in re.findall(r'say\("([^"]*)", "([^"]*)"\)', file.read_text("utf-8"))]
    assert len(pairs) == sum(file.read_text("utf-8").count("say(") for file in folder.glob("*.html")) > 30
    for en, zh in pairs:
        assert en
        assert zh
        assert en.isascii()
        assert not re.search("[a-z]{3}", en) or re.search("[\u4e00-\u9fff]", zh)
        assert sorted(re.findall(r"{\d?}", en)) == sorted(re.findall(r"{\d?}", zh)) or "{1}" in zh


def test_what_every_test_of_an_exercise_says_is_said_once() -> None:
    report = sample_report("ada", [sample_exercise(3, ("todo", "todo"))])
    assert feedback_html(report).count("still raises NotImplementedError") == 1


@pytest.mark.parametrize(
    ("statuses", "advice"),
    [
        (("todo",) * 4, "Work through the numbered TODOs in exercises/softmax.py"),
        (("missing",) * 4, "hand in exercises/softmax.py"),
        (("error",) * 4, "python -m exercises.softmax"),
        (("passed", "failed", "passed", "passed"), "Start with “Scores of a thousand do not overflow”"),
        (("passed",) * 4, "Everything is right."),
    ],
)
def test_feedback_says_what_to_do_next(statuses: tuple[str, ...], advice: str) -> None:
    page = Page(feedback_html(sample_report("ada", [sample_exercise(0, statuses)])))
    assert re.sub(r"\s+", " ", advice) in re.sub(r"\s+", " ", page.text)


def test_the_next_step_leaves_bonus_exercises_for_last() -> None:
    report = sample_report("ada", [sample_exercise(4, ("todo",)), sample_exercise(1, ("todo",) * 3)])
    assert "Next: Scaled dot-product attention." in Page(feedback_html(report)).text


def test_a_right_property_that_does_not_count_yet_is_explained() -> None:
    exercise = sample_exercise(0, ("failed", "failed", "passed", "failed"))
    tests = tuple(replace(t, earned=0.0) for t in exercise.tests)
    html = feedback_html(sample_report("ada", [replace(exercise, score=0.0, tests=tests)]))
    assert html.count("counts as soon as the values") == 1


def test_a_submission_that_could_not_be_graded_shows_no_score() -> None:
    page = check_safe(feedback_html(broken()))
    assert "could not be graded" in page.text
    assert "64 MiB" not in page.text
    assert not re.search(r"\d", page.text)


# --- rows and the summary --------------------------------------------------------------------------------------


def test_a_row_of_a_report_is_the_row_of_its_json() -> None:
    for report in [*sample_class(40), replace(broken(), notes=("a\nb\x1b\tc" + "d" * 9000,), student="a\u202eb")]:
        # An exercise that the course does not list has lost its "bonus" in report.json.
        known = replace(report, exercises=tuple(e for e in report.exercises if not e.bonus), seconds=0.0)
        assert Row.from_json(json.loads(dumps(as_json(known))), "x") == Row.from_report(known, "x")


def test_rows_of_one_class_share_what_they_have_in_common() -> None:
    one, other = (Row.from_report(replace(ada(), student=name)) for name in "ab")
    assert all(a is b for a, b in zip(one.exercises, other.exercises, strict=True))


def test_the_class_is_added_up_rightly() -> None:
    reports = [
        sample_report("a", [sample_exercise(0, ("passed",) * 4)]),
        sample_report("b", [sample_exercise(0, ("failed", "failed", "passed", "timeout"))]),
        sample_report("c", [sample_exercise(0, ("failed", "passed", "passed", "crashed"))]),
        sample_report("d", [sample_exercise(0, ("todo",) * 4)]),
        broken("e"),
    ]
    total = tally(Row.from_report(r) for r in reports)
    assert (total.graded, len(total.errors), total.full_marks, total.mean, total.median) == (4, 1, 1, 2.5, 2.0)
    assert total.bins == (1, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    (exercise,) = total.exercises
    assert exercise.counts == {"passed": 1, "partly": 2, "todo": 1}
    assert [(t.passed, t.tried, t.students) for t in exercise.tests] == [(1, 3, 4), (2, 3, 4), (3, 3, 4), (1, 3, 4)]
    assert [(m.id, [r.student for r in m.rows]) for m in total.misconceptions] == [
        ("softmax-wrong-axis", ["b", "c"]),
        ("softmax-no-max", ["b"]),
    ]
    assert [(t.row.student, t.tests[0][2]) for t in total.troubles] == [("b", "timeout"), ("c", "crashed")]
    assert [t.id for _, t in total.everybody_passes()] == ["softmax::test_alone"]
    assert not total.nobody_passes()


def test_a_misconception_counts_a_student_once() -> None:
    exercise = sample_exercise(0, ("failed",) * 4)
    twice = replace(exercise, tests=tuple(replace(t, misconception="same") for t in exercise.tests))
    (found,) = tally([Row.from_report(sample_report("a", [twice]))]).misconceptions
    assert len(found.rows) == 1
    assert len(found.tests) == 4


def test_a_score_on_the_border_of_two_columns_belongs_to_the_upper_one() -> None:
    for most in (1, 3, 7, 58, 100):
        for tenth in range(11):
            row = replace(Row.from_report(ada()), score=round(most * tenth / 10, 6), max_score=float(most))
            assert tally([row]).bins[min(tenth, 9)] == 1
    drawn = columns(tally([Row.from_report(ada())]))
    assert [c.label for c in drawn][-1] == "90–100"
    assert sum(c.count for c in drawn) == 1


def test_the_summary_links_to_each_students_folder(tmp_path: Path) -> None:
    folders = ["ada", "grace-1f2e", "a b#c?d%", "javascript:alert(1)", "é"]
    write_summary(tmp_path / "summary.html", [Row.from_report(replace(ada(), student=f), f) for f in folders])
    assert os.listdir(tmp_path) == ["summary.html"]
    page = check_safe((tmp_path / "summary.html").read_text("utf-8"))
    links = {link for link in page.links if not re.fullmatch(r"#[a-z]+(-\d+)?", link)}  # but for those within the page
    assert {unquote(link) for link in links} == {f"{f}/{name}" for f in folders for name in ("feedback.html", "report.json")}
    assert all(":" not in link and "#" not in link for link in links)
    assert path_in_url("../x") == "..%2Fx"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_summary_warns_where_a_submission_ran_without_a_jail(language: str) -> None:
    rows = [Row.from_report(r, "x") for r in sample_class(5)]
    safe = summary_html(rows, language=language)
    assert 'role="alert"' not in safe
    assert "bubblewrap" in Page(safe).text
    warned = summary_html([replace(rows[0], jail="none"), *rows[1:]], language=language)
    assert 'role="alert"' in warned
    assert {"en": "1 of 5 submissions", "zh": "共 5 份提交，其中 1 份"}[language] in Page(warned).text


def test_the_summary_says_once_what_the_jail_could_not_promise() -> None:
    remarks = ("No namespaces here.", "<b>System calls</b> are not filtered.")
    rows = [Row.from_report(replace(r, jail_remarks=remarks), "x") for r in sample_class(5)]
    text = check_safe(summary_html(rows)).text
    for remark in remarks:
        assert text.count(remark) == 1
    assert remarks[0] not in summary_html([replace(row, jail_remarks=()) for row in rows])


def test_the_summary_gives_reasons_for_errors_and_notes_for_the_odd() -> None:
    text = check_safe(summary_html([Row.from_report(r, "x") for r in [ada(), broken()]])).text
    assert "unpacks to more than 64 MiB" in text
    assert "lies beside softmax.py" in text


# --- the terminal --------------------------------------------------------------------------------------------


def test_the_table_fits_80_columns_and_has_no_colours_in_a_file() -> None:
    row = Row.from_report(ada())
    fifteen = tuple(replace(e, id=f"exercise_{3 * i + j}") for i, e in enumerate(row.exercises) for j in range(3))
    printed = terminal([replace(row, student="陈" * 40, exercises=fifteen, score=87.25, max_score=100.0, bonus=12.5)])
    assert "\x1b" not in printed
    assert all(sum(2 if "\u2e80" < c < "\uffff" else 1 for c in line) <= 80 for line in printed.splitlines())
    line = printed.splitlines()[1]
    assert line.split()[-18:] == ["87.25/100", "12.5", "graded", *"✓✓✓~~~~~~···–––"]
    assert "15:exercise_14" in printed


def test_the_table_obeys_no_markup_and_shows_no_score_for_an_error() -> None:
    printed = terminal([Row.from_report(replace(broken(), student="[red]x[/red]"))], force_terminal=True)
    assert "[red]x[/red]" in printed
    plain = terminal([Row.from_report(broken())])
    assert re.search(r"grace +error", plain)
    assert "0" not in plain


def test_a_long_class_is_cut_in_the_terminal_and_says_so() -> None:
    printed = terminal([Row.from_report(r) for r in sample_class(70)])
    assert "10 more in grades.csv" in printed


def test_a_terminal_without_unicode_still_shows_the_table() -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    rows = [Row.from_report(ada()), Row.from_report(broken("陈省身" * 20))]
    for language in ("en", "zh"):
        with speaking(language):
            print_table(rows, Console(file=out, width=80))
    out.flush()
    assert isinstance(out.buffer, io.BytesIO)
    printed = out.buffer.getvalue().decode("ascii")
    assert "+ ~ ~ . -" in printed
    assert "\\u9648" in printed
