"""Ids of students: read off file names, shown to people, turned into folders; and what the names of files say."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.submissions import folder_name
from autograder.submissions.kinds import is_archive, is_notebook, is_work_name, module_of
from autograder.submissions.lms import canvas, moodle, timestamp
from autograder.submissions.names import id_of


@pytest.mark.parametrize(
    "student", ["ada", "Ada.L-2_x", "0", "a" * 64, "550e8400-e29b-41d4-a716-446655440000", "console", "a.b", "ada.", "CON", "x.0123456789"]
)
def test_a_plain_id_is_its_own_folder(student):
    assert folder_name(student) == student


@pytest.mark.parametrize(
    "student",
    [
        "",
        ".",
        "..",
        ".autograder",
        "-rf",
        "a/b",
        "a\\b",
        "a" * 65,
        "=1+1",
        "ada\n",
        "\x00",
        "grades.csv",
        "Summary.html",
        "Ada Lovelace_1",
        "<img onerror=x>",
        "../../etc",
        "�",
        "张三",
        "\u202egpj.exe",
        "a" * 5000,
    ],
)
def test_any_other_id_gets_a_harmless_folder(student):
    name = folder_name(student)
    assert name != student
    assert re.fullmatch(r"[^\W_][\w.-]{0,63}", name)
    assert name.casefold() not in ("grades.csv", "summary.html")
    assert folder_name(student) == name


@given(st.text(max_size=80))
def test_folder_names_are_safe_and_stable_whatever_the_id(student):
    name = folder_name(student)
    assert name == folder_name(student)
    assert 1 <= len(name) <= 64
    assert len(name.encode()) <= 255
    assert not name.startswith((".", "-"))
    assert not set(name) & set('/\\:*?"<>|\0\n\r\t ')


@given(st.lists(st.text(alphabet="aA.-= \n张é", max_size=4), unique=True, max_size=40))
def test_two_ids_never_share_a_folder(ids):
    assert len({folder_name(student) for student in ids}) == len(ids)


def test_the_slug_stays_readable():
    assert folder_name("José Núñez_12").startswith("Jose-Nunez_12.")
    assert folder_name("张三_1234567").startswith("张三_1234567.")


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("ada.zip", "ada"),
        ("ada.tar.gz", "ada"),
        ("ada.TGZ", "ada"),
        ("ada.tar", "ada"),
        ("ada.ipynb", "ada"),
        ("softmax.py", "softmax"),
        ("attention (1).ipynb", "attention (1)"),
        ("a.b.zip", "a.b"),
        ("ada.tar-1.gz", "ada"),
        ("ada.ipynb.txt", "ada"),
        (".zip", ".zip"),
    ],
)
def test_an_id_is_the_file_name_without_its_suffix(name, student):
    assert id_of(name) == student


@pytest.mark.parametrize(
    ("name", "module", "rank"),
    [("softmax.py", "softmax", 0), ("Softmax.py", "softmax", 1), ("softmax.PY", "softmax", 1), ("self_attention.py", "self_attention", 0)]
    + [
        (f"softmax{copy}.py", "softmax", 2)
        for copy in (" (1)", "(2)", "-1", " 2", " copy", " - Copy", "-copy", " - Copy (3)", " - 副本", " (1) (2)")
    ]
    + [("Copy of softmax.py", "softmax", 2), ("softmax.py.txt", "softmax", 2)],
)
def test_a_module_is_known_by_its_name_and_by_that_of_its_copies(name, module, rank):
    found = module_of(name)
    assert found is not None
    assert (found.module, found.rank) == (module, rank)


@pytest.mark.parametrize(
    "name",
    ["helpers.py", "softmax_copy.py", "softmax2.py", "softmax", "softmax.pyc", "my softmax.py", "test_softmax.py", "a" * 300 + ".py"],
)
def test_other_files_are_no_modules(name):
    assert module_of(name) is None


def test_notebooks_and_archives_are_known_by_their_names():
    assert all(map(is_notebook, ("a.ipynb", "A.IPYNB", "attention (1).ipynb", "a.ipynb.txt", "a.ipynb.json")))
    assert not any(map(is_notebook, (".ipynb", "._a.ipynb", "a.ipynb.bak", "a.json")))
    assert all(map(is_archive, ("a.zip", "a.tar.gz", "a.tgz", "a.tar", "a.ZIP", "a.tar-1.gz")))
    assert not any(map(is_archive, (".zip", "a.gz", "a.rar", "zip")))


def test_names_of_work_are_told_from_names_of_people():
    assert all(
        map(is_work_name, ("attention", "attention-zh", "Attention (1)", "exercises", "hw3", "homework 2", "softmax", "ada-main", "src"))
    )
    assert not any(map(is_work_name, ("ada", "attention_ada", "12345", "张三", "class")))
    assert is_work_name("ada", top="ada")


@pytest.mark.parametrize(
    ("name", "student", "own", "late"),
    [
        ("lovelaceada_12345_67890_attention.ipynb", "lovelaceada_12345", "attention.ipynb", False),
        ("lovelaceada_LATE_12345_67890_attention (1).ipynb", "lovelaceada_12345", "attention (1).ipynb", True),
        ("张三_12345_67890_a_b_1_2.zip", "张三_12345", "a_b_1_2.zip", False),
        ("anon_aB3dE_67890_softmax-1.py", "anon_aB3dE", "softmax-1.py", False),
        ("LATE_anon_aB3dE_67890_softmax.py", "anon_aB3dE", "softmax.py", True),
        ("lovelaceada_12345_text.html", "lovelaceada_12345", "", False),
        ("lovelaceada_LATE_12345_link.html", "lovelaceada_12345", "", True),
    ],
)
def test_canvas_names_are_taken_apart(name, student, own, late):
    found = canvas(name)
    assert found is not None
    assert (found.student, found.own, found.late) == (student, own, late)


@pytest.mark.parametrize("name", ["attention.ipynb", "ada_1.zip", "data 2023_01_02.csv", "softmax.py", "a.b_1_2_x.py", "ada_12_x_y.zip"])
def test_other_names_are_not_canvas(name):
    assert canvas(name) is None


@pytest.mark.parametrize(
    ("name", "student", "own"),
    [
        ("Ada Lovelace_1234567_assignsubmission_file_", "Ada Lovelace_1234567", ""),
        ("Ada Lovelace_1234567_assignsubmission_file", "Ada Lovelace_1234567", ""),
        ("张三_7_assignsubmission_onlinetext", "张三_7", ""),
        ("Participant_42_assignsubmission_file_attention_1.ipynb", "Participant_42", "attention_1.ipynb"),
        ("Default team_assignsubmission_file_", "Default team", ""),
    ],
)
def test_moodle_names_are_taken_apart(name, student, own):
    found = moodle(name)
    assert found is not None
    assert (found.student, found.own) == (student, own)


def test_nbgraders_time_stamps_are_read_in_their_zones():
    utc = timestamp("2025-03-01 12:00:00.123456 UTC")
    assert utc == 1740830400.0
    assert timestamp("2025-03-01 13:00:00 Europe/Berlin\n") == utc
    assert timestamp("2025-03-01T17:30:00 +05:30") == utc
    assert timestamp("2025-03-01 12:00:00 ../../etc/passwd") == utc
    assert timestamp("yesterday") is None
    assert timestamp("2025-13-41 12:00:00 UTC") is None
