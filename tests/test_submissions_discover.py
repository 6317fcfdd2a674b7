"""Every student is found once, under the id that the system wrote, in whatever an instructor points the command at."""

from __future__ import annotations

import os

import pytest

from autograder.limits import DEFAULT
from autograder.submissions import Unreadable, discover, open_submission

from .handed_in import ATTENTION, SOFTMAX, cell, filled_notebook, notebook, opened, set_time, students, tarred, write, zipped

FLAT = {"softmax.py": SOFTMAX}
FULL = {"exercises/softmax.py": SOFTMAX}


def by_student(*paths):
    return {c.student: open_submission(c, DEFAULT) for c in discover(paths, DEFAULT).candidates}


def under(name, files):
    return {f"{name}/{path}": content for path, content in files.items()}


# one submission


@pytest.mark.parametrize(
    "files",
    [
        FULL,
        FLAT,
        under("attention", FULL),
        under("ada-main", FULL),
        under("a/b", FULL),
        under("attention", under("exercises", FLAT)),
        {"attention.ipynb": filled_notebook(), "scratch.ipynb": notebook(), "data/x.csv": b""},
        {"attention (1).ipynb": filled_notebook()},
        {"homework 3.ipynb": filled_notebook(), "backup/softmax.py": b""},
        {**under("src", FLAT), **under("backup", FLAT), "figures/a.png": b""},
        {"mywork.ipynb": filled_notebook(), "data/x.csv": b"1"},
        {"attention.ipynb": filled_notebook(), "try.ipynb": notebook(), "that.ipynb": notebook(), "mine/softmax.py": b""},
        {**under("week1", FLAT), **under("week 2", {"attention.py": ATTENTION})},
        {"attention.zip": zipped(FULL)},
        {"submission.tar.gz": tarred(FULL)},
        {"readme.txt": b"sorry"},
        {"exercises/": b""},
        {"exercises/tests/test_softmax.py": b"", "attention.ipynb": filled_notebook()},
        {"week1/exercises/softmax.py": SOFTMAX, "exercises/attention.py": ATTENTION},
        {"attention/attention.ipynb": filled_notebook(), "attention/timestamp.txt": b"2025-03-01 12:00:00 UTC"},
        {"ps1/ps1.ipynb": filled_notebook(), "ps1/timestamp.txt": b"2025-03-01 12:00:00 UTC"} | {"ps1/exercises/softmax.py": SOFTMAX},
        {},
    ],
)
def test_one_students_folder_is_one_submission_named_after_the_folder(tmp_path, files):
    if "ps1/ps1.ipynb" in files:
        tmp_path = tmp_path / "submitted"
    assert students(write(tmp_path / "ada", files)) == ["ada"]


@pytest.mark.parametrize(
    "files", [FULL, FLAT, under("ada-main", FULL), under("bob", FULL), under("a/b", FULL), {}, {"a.ipynb": b"", "b.ipynb": b""}]
)
def test_an_archive_is_one_submission_named_after_the_archive(tmp_path, files):
    write(tmp_path, {"ada.zip": zipped(files), "bob.tar.gz": tarred(files), "eve.tgz": tarred(files), "joe.tar": tarred(files, mode="w:")})
    for name in ("ada.zip", "bob.tar.gz", "eve.tgz", "joe.tar"):
        assert students(tmp_path / name) == [name.split(".")[0]]


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("ada.ipynb", "ada"),
        ("attention (1).ipynb", "attention (1)"),
        ("softmax.py", "softmax"),
        ("张三.ipynb", "张三"),
        ("=1+1.py", "=1+1"),
    ],
)
def test_a_bare_file_is_one_submission_named_after_the_file(tmp_path, name, student):
    write(tmp_path, {name: filled_notebook() if name.endswith("b") else SOFTMAX})
    assert students(tmp_path / name) == [student]
    assert opened(tmp_path / name).student == student


def test_a_bare_module_is_that_exercise(tmp_path):
    write(tmp_path, {"softmax (1).py": SOFTMAX})
    assert opened(tmp_path / "softmax (1).py").files == {"exercises/softmax.py": SOFTMAX}


def test_a_folder_given_as_dot_or_through_a_link_has_its_name(tmp_path, monkeypatch):
    folder = write(tmp_path / "ada", FULL)
    monkeypatch.chdir(folder)
    assert students(folder / ".") == ["ada"]
    (tmp_path / "link").symlink_to(folder)
    assert students(tmp_path / "link") == ["link"]
    assert opened(tmp_path / "link").files == FULL


def test_many_paths_are_many_submissions(tmp_path):
    write(tmp_path, {"ada.zip": zipped(FULL), "bob.ipynb": filled_notebook(), "eve/softmax.py": SOFTMAX})
    assert students(tmp_path / "ada.zip", tmp_path / "bob.ipynb", tmp_path / "eve") == ["ada", "bob", "eve"]


@pytest.mark.parametrize("name", ["ada.zip", "ada.ipynb", "ada.pdf", "ada.rar", "nothing-there"])
def test_what_cannot_be_read_is_a_candidate_and_says_so_when_opened(tmp_path, name):
    if name != "nothing-there":
        write(tmp_path, {name: b"%PDF-1.7"})
    (only,) = discover([tmp_path / name], DEFAULT).candidates
    with pytest.raises(Unreadable):
        open_submission(only, DEFAULT)


def test_a_pipe_is_refused_and_does_not_hang(tmp_path):
    os.mkfifo(tmp_path / "ada.zip")
    (only,) = discover([tmp_path / "ada.zip"], DEFAULT).candidates
    with pytest.raises(Unreadable, match="pipe"):
        open_submission(only, DEFAULT)


# a folder with one per student


def test_a_folder_with_one_per_student_in_every_form(tmp_path):
    folder = write(
        tmp_path / "class",
        {
            **under("ada", FULL),
            **under("bob/attention", FULL),
            **under("cem/cem-main", FULL),
            "dora.zip": zipped(FULL),
            "eve.tar.gz": tarred(under("work", FULL)),
            "finn.ipynb": filled_notebook(),
            "gus/attention (1).ipynb": filled_notebook(),
            "hal/": b"",
            "ida.zip": zipped({}),
            "jo/solution.zip": zipped(FULL),
            "kim.py": SOFTMAX,
            "leo.ipynb": b"<html>",
            "mia/readme.txt": b"sorry",
            ".hidden/softmax.py": SOFTMAX,
            ".DS_Store": b"",
            "__MACOSX/ada/._x": b"",
            "roster.csv": b"",
            "grade.py": b"print(1)",
        },
    )
    found = discover([folder], DEFAULT)
    ids = [c.student for c in found.candidates]
    assert sorted(ids) == ["ada", "bob", "cem", "dora", "eve", "finn", "gus", "hal", "ida", "jo", "kim", "leo", "mia"]
    assert any("roster.csv" in note and "grade.py" in note for note in found.notes)
    for candidate in found.candidates:
        if candidate.student == "leo":
            with pytest.raises(Unreadable):
                open_submission(candidate, DEFAULT)
            continue
        got = open_submission(candidate, DEFAULT)
        assert bool(got.cells or "exercises/softmax.py" in got.files) == (candidate.student not in ("hal", "ida", "mia"))


@pytest.mark.parametrize(
    "files",
    [
        under("ada", FULL),
        under("ada", FLAT),
        under("ada/attention", FULL),
        {"ada.ipynb": filled_notebook()},
        {"ada.zip": zipped(FULL)},
        {"ada/": b""},
    ],
)
def test_a_class_of_one(tmp_path, files):
    assert students(write(tmp_path / "class", files)) == ["ada"]


def test_a_class_whose_notebooks_start_with_the_assignments_name(tmp_path):
    assert students(write(tmp_path / "class", {"attention_ada.ipynb": filled_notebook(), "attention_bob.ipynb": filled_notebook()})) == [
        "attention_ada",
        "attention_bob",
    ]


def test_a_class_of_bare_modules_named_after_the_students(tmp_path):
    folder = write(tmp_path / "class", {"ada.py": SOFTMAX, "bob.py": ATTENTION, "tools.py": b"import os"})
    got = by_student(folder)
    assert set(got) == {"ada", "bob"}
    assert got["ada"].cells[0].source.strip() == SOFTMAX.decode().strip()


def test_a_class_with_the_assignment_beside_it(tmp_path):
    files = {"attention.ipynb": notebook(), **under("ada", FULL), "bob.zip": zipped(FULL)}
    assert sorted(students(write(tmp_path / "class", files))) == ["ada", "attention", "bob"]


def test_a_class_that_was_packed_with_its_folder(tmp_path):
    assert students(write(tmp_path / "download", {**under("class/ada", FULL), **under("class/bob", FULL)})) == ["ada", "bob"]


def test_an_entry_that_is_a_link_is_refused_when_opened(tmp_path):
    folder = write(tmp_path / "class", {**under("ada", FULL), "bob.zip": zipped(FULL)})
    (folder / "eve").symlink_to(folder / "ada")
    (folder / "joe.zip").symlink_to(folder / "bob.zip")
    found = {c.student: c for c in discover([folder], DEFAULT).candidates}
    assert set(found) == {"ada", "bob", "eve", "joe"}
    for student in ("eve", "joe"):
        with pytest.raises(Unreadable, match="is a link"):
            open_submission(found[student], DEFAULT)


def test_a_file_name_that_is_not_utf8_is_a_student_too(tmp_path):
    folder = write(tmp_path / "class", under("ada", FULL))
    os.mkdir(os.fsencode(folder) + b"/caf\xe9")
    assert set(students(folder)) == {"ada", "caf\udce9"}


def test_ids_that_differ_only_in_case_are_two_students(tmp_path):
    assert students(write(tmp_path / "class", {**under("ada", FULL), **under("Ada", FULL)})) == ["Ada", "ada"]


def test_a_students_archive_cannot_pose_as_a_class(tmp_path):
    """Only a path of the command line can be a class; and what is inside one never replaces what another path names."""
    forged = {"bob_1_2_softmax.py": b"forged", **under("Bob_7_assignsubmission_file_", FLAT), **under("bob", FULL), **under("carol", FULL)}
    folder = write(tmp_path / "class", {"mallory.zip": zipped(forged), **under("mal", forged), **under("bob", FULL)})
    assert sorted(students(folder)) == ["bob", "mal", "mallory"]
    write(tmp_path, {"mallory.zip": zipped({**under("bob", FLAT), **under("carol", FLAT)}, when=(2040, 1, 1, 0, 0, 0))})
    assert sorted(students(tmp_path / "mallory.zip", folder / "bob")) == ["bob", "mallory"]
    late = write(tmp_path / "eve", {**under("bob", {"softmax.py": b"forged"}), **under("carol", {"softmax.py": b"forged"})})
    set_time(late, 4e9)
    got = by_student(late, folder / "bob")
    assert got["bob"].files == FULL
    assert "ignored" in got["bob"].notes[0]


# two with one id


def test_of_two_with_one_id_the_newer_file_is_kept(tmp_path):
    folder = write(tmp_path / "class", {"ada.zip": zipped(FULL), "ada/attention.py": ATTENTION, "bob.ipynb": filled_notebook()})
    set_time(folder / "ada.zip", 2000)
    set_time(folder / "ada", 1000)
    got = by_student(folder)["ada"]
    assert got.files == FULL
    assert "ada.zip, was graded" in got.notes[0]
    set_time(folder / "ada", 3000)
    assert by_student(folder)["ada"].files == {"exercises/attention.py": ATTENTION}


def test_the_same_path_twice_is_one_submission_without_a_note(tmp_path):
    write(tmp_path, {"ada.zip": zipped(FULL)})
    (only,) = discover([tmp_path / "ada.zip", tmp_path / "ada.zip"], DEFAULT).candidates
    assert only.notes == ()


# nbgrader


def test_nbgraders_submitted_tree(tmp_path):
    folder = write(
        tmp_path / "submitted",
        {
            "ada/attention/attention.ipynb": filled_notebook(),
            "ada/attention/timestamp.txt": b"2025-03-01 12:00:00 UTC",
            "bob/attention-zh/attention-zh.ipynb": filled_notebook(),
            "cem/attention/exercises/softmax.py": SOFTMAX,
            "cem/ps2/ps2.ipynb": notebook(cell("x = 1")),
            "dora/": b"",
            "eve/ps1/whatever.ipynb": filled_notebook(),
            "finn/attention.zip": zipped(FULL),
        },
    )
    set_time(folder / "cem/ps2", 4e9)
    found = {c.student: c for c in discover([folder], DEFAULT).candidates}
    assert sorted(found) == ["ada", "bob", "cem", "dora", "eve", "finn"]
    assert found["cem"].path.name == "attention"
    assert found["ada"].time == 1740830400.0
    got = by_student(folder)
    assert all(bool(got[s].cells or got[s].files) == (s != "dora") for s in got)
    assert "timestamp.txt" not in got["ada"].files


def test_of_two_assignments_the_newer_by_nbgraders_stamp_is_graded(tmp_path):
    folder = write(
        tmp_path / "submitted",
        {
            "ada/attention/attention.ipynb": filled_notebook(),
            "ada/attention/timestamp.txt": b"2025-03-02 12:00:00 UTC",
            "ada/attention-zh/attention-zh.ipynb": notebook(cell("x = 1")),
            "ada/attention-zh/timestamp.txt": b"2025-03-01 12:00:00 UTC",
        },
    )
    set_time(folder / "ada/attention", 1000)
    set_time(folder / "ada/attention-zh", 2000)
    (only,) = discover([folder], DEFAULT).candidates
    assert only.path.name == "attention"
    assert "attention-zh" in only.notes[0]


def test_a_tree_of_another_name_is_known_by_its_time_stamps(tmp_path):
    files = {f"{s}/ps1/ps1.ipynb": filled_notebook() for s in ("ada", "bob")} | {"ada/ps1/timestamp.txt": b"2025-03-01 12:00:00 UTC"}
    assert students(write(tmp_path / "collected", files)) == ["ada", "bob"]


def test_paths_within_the_tree_and_the_course_folder_around_it(tmp_path):
    course = write(
        tmp_path / "course",
        {
            "submitted/ada/attention/attention.ipynb": filled_notebook(),
            "source/attention/attention.ipynb": b"{}",
            "nbgrader_config.py": b"",
        },
    )
    assert students(course) == ["ada"]
    assert students(course / "submitted") == ["ada"]
    assert students(course / "submitted/ada") == ["ada"]
    assert students(course / "submitted/ada/attention") == ["ada"]
    assert students(course / "submitted/ada/attention/attention.ipynb") == ["ada"]


# Canvas

CANVAS = {
    "lovelaceada_12345_9001_attention.ipynb": filled_notebook(),
    "noetheremmy_LATE_12346_9002_attention (1)-1.ipynb": filled_notebook(),
    "gausscarl_12347_9003_softmax-1.py": SOFTMAX,
    "gausscarl_12347_9004_attention.py": ATTENTION,
    "eulerleonhard_12348_9005_my work.zip": zipped(under("attention", FULL)),
    "riemannbernhard_12349_text.html": b"<p>see my website</p>",
    "abelniels_12350_9006_broken.zip": b"<html>",
    "anon_aB3dE_9007_exercises.tar-1.gz": tarred(FULL),
}
CANVAS_IDS = [
    "abelniels_12350",
    "anon_aB3dE",
    "eulerleonhard_12348",
    "gausscarl_12347",
    "lovelaceada_12345",
    "noetheremmy_12346",
    "riemannbernhard_12349",
]


def in_form(tmp_path, form, files):
    if form == "zip":
        write(tmp_path, {"submissions.zip": zipped(files)})
        return tmp_path / "submissions.zip"
    if form == "wrapped":
        write(tmp_path, {"submissions.zip": zipped({**under("submissions", files), "__MACOSX/submissions/._x": b""})})
        return tmp_path / "submissions.zip"
    return (
        write(tmp_path / "submissions" if form == "folder" else tmp_path / "download" / "inner", files)
        if form == "folder"
        else write(tmp_path / "download/inner", files).parent
    )


FORMS = ["zip", "wrapped", "folder", "nested"]


@pytest.mark.parametrize("form", FORMS)
def test_canvas_class_zip_packed_and_unpacked(tmp_path, form):
    path = in_form(tmp_path, form, CANVAS)
    candidates = {c.student: c for c in discover([path], DEFAULT).candidates}
    assert sorted(candidates) == CANVAS_IDS
    assert "abelniels_12350_9006_broken.zip" in (candidates["abelniels_12350"].member or "")
    with pytest.raises(Unreadable, match="web page"):
        open_submission(candidates.pop("abelniels_12350"), DEFAULT)
    got = {student: open_submission(candidate, DEFAULT) for student, candidate in candidates.items()}
    assert len(got["lovelaceada_12345"].cells) == len(got["noetheremmy_12346"].cells) == 2
    assert "late" in got["noetheremmy_12346"].notes[0]
    assert got["gausscarl_12347"].files == {"exercises/softmax.py": SOFTMAX, "exercises/attention.py": ATTENTION}
    assert got["eulerleonhard_12348"].files == got["anon_aB3dE"].files == FULL
    assert "typed" in got["riemannbernhard_12349"].notes[0]


def test_files_with_numbers_in_their_names_do_not_make_a_class(tmp_path):
    for files in ({**FULL, "data_2023_01_x.csv": b""}, {"a.png": b"", "b.png": b"", "run_1_2_log.txt": b""}):
        write(tmp_path, {"ada.zip": zipped(files)})
        assert students(tmp_path / "ada.zip") == ["ada"]
        assert students(write(tmp_path / f"ada{len(files)}{'exercises/softmax.py' in files}", files))[0].startswith("ada")


# Moodle

MOODLE = {
    "Ada Lovelace_1234567_assignsubmission_file_/attention.ipynb": filled_notebook(),
    "Emmy Noether_1234568_assignsubmission_file_/work/exercises/softmax.py": SOFTMAX,
    "Emmy Noether_1234568_assignsubmission_onlinetext_/onlinetext.html": b"<p>hi",
    "张三_1234569_assignsubmission_file/attention.zip": zipped(FULL),
    "Carl Gauss_1234570_assignsubmission_onlinetext_/onlinetext.html": b"<p>sorry",
}
MOODLE_IDS = ["Ada Lovelace_1234567", "Carl Gauss_1234570", "Emmy Noether_1234568", "张三_1234569"]


@pytest.mark.parametrize("form", FORMS)
def test_moodle_class_zip_packed_and_unpacked(tmp_path, form):
    got = by_student(in_form(tmp_path, form, MOODLE))
    assert sorted(got) == MOODLE_IDS
    assert len(got["Ada Lovelace_1234567"].cells) == 2
    assert got["Emmy Noether_1234568"].files == got["张三_1234569"].files == FULL
    assert "typed" in got["Carl Gauss_1234570"].notes[0]


@pytest.mark.parametrize("form", ["zip", "folder"])
def test_moodle_without_folders(tmp_path, form):
    files = {
        "Ada Lovelace_1_assignsubmission_file_softmax.py": SOFTMAX,
        "Ada Lovelace_1_assignsubmission_file_attention.py": ATTENTION,
        "Emmy Noether_2_assignsubmission_file_attention.ipynb": filled_notebook(),
    }
    got = by_student(in_form(tmp_path, form, files))
    assert got["Ada Lovelace_1"].files == {"exercises/softmax.py": SOFTMAX, "exercises/attention.py": ATTENTION}
    assert len(got["Emmy Noether_2"].cells) == 2


def test_the_time_in_a_class_zip_is_the_members(tmp_path):
    write(tmp_path, {"one.zip": zipped(CANVAS, when=(2025, 3, 1, 12, 0, 0)), "two.zip": zipped(CANVAS, when=(2025, 3, 2, 12, 0, 0))})
    found = discover([tmp_path / "two.zip", tmp_path / "one.zip"], DEFAULT).candidates
    assert sorted(c.student for c in found) == CANVAS_IDS
    assert {c.path.name for c in found} == {"two.zip"}


def test_each_student_of_a_class_zip_has_the_limits_to_themselves(tmp_path):
    small = DEFAULT.__class__(archive_members=2, archive_bytes=100_000)
    write(tmp_path, {"all.zip": zipped({f"s{i}_{i}_{i}_softmax.py": SOFTMAX for i in range(30)} | {"big_77_1_x.py": b"x" * 200_000})})
    for candidate in discover([tmp_path / "all.zip"], small).candidates:
        if candidate.student == "big_77":
            with pytest.raises(Unreadable, match="MiB"):
                open_submission(candidate, small)
        else:
            open_submission(candidate, small)


def test_hostile_members_of_one_student_cost_the_others_nothing(tmp_path):
    write(
        tmp_path,
        {
            "all.zip": zipped(
                {**MOODLE, "Eve_9_assignsubmission_file_/../../x.py": b"x", "Eve_9_assignsubmission_file_/softmax.py": SOFTMAX}
            )
        },
    )
    found = {c.student: c for c in discover([tmp_path / "all.zip"], DEFAULT).candidates}
    with pytest.raises(Unreadable, match="look at it"):
        open_submission(found.pop("Eve_9"), DEFAULT)
    assert sorted(found) == MOODLE_IDS
    for candidate in found.values():
        open_submission(candidate, DEFAULT)


def test_members_of_a_class_that_are_nobodys_are_named(tmp_path):
    write(tmp_path, {"all.zip": zipped({**MOODLE, "../x.py": b"x", "/etc/x.py": b"x"})})
    found = discover([tmp_path / "all.zip"], DEFAULT)
    assert sorted(c.student for c in found.candidates) == MOODLE_IDS
    assert "left aside" in found.notes[0]
    assert "../x.py" in found.notes[0]
    assert "/etc/x.py" in found.notes[0]


def test_a_student_with_the_longest_of_names_is_not_lost(tmp_path):
    name = "名" * 300 + "_9"
    write(tmp_path, {"all.zip": zipped({**MOODLE, f"{name}_assignsubmission_file_/softmax.py": SOFTMAX})})
    assert by_student(tmp_path / "all.zip")[name].files == FULL


def test_a_class_packed_by_hand_is_a_class_where_it_is_all_that_was_given(tmp_path):
    write(
        tmp_path,
        {
            "class.zip": zipped({**under("class/ada", FULL), **under("class/bob", FULL)}),
            "parts.zip": zipped({**under("part1", FLAT), **under("part2", {"attention.py": ATTENTION})}),
        },
    )
    assert students(tmp_path / "class.zip") == ["ada", "bob"]
    assert by_student(tmp_path / "class.zip")["ada"].files == FULL
    assert students(tmp_path / "class.zip", tmp_path / "parts.zip") == ["class", "parts"]
    assert students(tmp_path / "parts.zip") == ["parts"]


def test_a_large_class_is_found_whole(tmp_path):
    files = {f"s{i:03}/attention/f{j}.txt": b"" for i in range(60) for j in range(3)} | {
        "s000/attention/softmax.py": SOFTMAX,
        "s059/attention/softmax.py": SOFTMAX,
    }
    files |= {f"s030/attention/many/{j}": b"" for j in range(5100)}
    folder = write(tmp_path / "submitted", files)
    found = discover([folder], DEFAULT).candidates
    assert len(found) == 60
    assert all(c.path.name == "attention" for c in found)


def test_what_an_earlier_run_wrote_is_no_student(tmp_path):
    folder = write(
        tmp_path / "class",
        {**under("ada", FULL), **under("bob", FULL), "out/.autograder/seed": b"1", "out/grades.csv": b"", "out/ada/report.json": b"{}"},
    )
    assert students(folder) == ["ada", "bob"]
