"""`autograder export`: checks the arguments, writes the file, and says what has to be looked at. The command line calls `run_export`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.arguments import Unusable
from autograder.export import canvas, gradescope, moodle, plain
from autograder.export.graded import Class, Exported, read_class
from autograder.language import language, say
from autograder.reports.atomic import write_atomically
from autograder.tables import BadTable
from autograder.text import visible

CANVAS, MOODLE, GRADESCOPE, GRADESCOPE_AUTOGRADER = "canvas", "moodle", "gradescope", "gradescope-autograder"
DEFAULT_COLUMN = "attention"


def run_export(folder: Path | None, to: str, out: Path, *, roster: Path | None, column: str | None, bonus: bool) -> int:
    """Export what `autograder grade` wrote to `folder`. Returns 0, or 1 where something has to be looked at. Raises Unusable.

    roster: the gradebook or worksheet that was downloaded from the LMS, which is filled in. column: the one to fill.
    """
    _check(folder, to, roster, column)
    if to == GRADESCOPE_AUTOGRADER:
        return _autograder(out, bonus)
    graded = _class(folder)
    try:
        warnings = [*graded.warnings, *_write(graded, to, out, roster, column, bonus)]
    except BadTable as error:
        raise Unusable(str(error)) from None
    except OSError as error:
        raise Unusable(_unwritable(out, error)) from None
    for warning in warnings:
        print(visible(warning), file=sys.stderr)
    scores = sum(not student.is_error for student in graded.students)
    print(say(f"{scores} scores of {len(graded.students)} reports: {out}", f"{len(graded.students)} 份报告，导出 {scores} 个分数：{out}"))
    return 1 if warnings else 0


def _check(folder: Path | None, to: str, roster: Path | None, column: str | None) -> None:
    if roster is not None and to not in (CANVAS, MOODLE):
        raise Unusable(say(f"--roster has no meaning with --to {to}", f"--to {to} 时 --roster 没有意义"))
    if column is not None and not (to == CANVAS or (to == MOODLE and roster is not None)):
        raise Unusable(
            say("--column is the assignment's in Canvas, or the grade's in --roster", "--column 指 Canvas 的作业列，或 --roster 中的成绩列")
        )
    if folder is None and to != GRADESCOPE_AUTOGRADER:
        raise Unusable(say("name the folder that `autograder grade` wrote", "请指定 autograder grade 写出的文件夹"))


def _class(folder: Path | None) -> Class:
    if folder is None or not folder.is_dir():
        raise Unusable(say(f"{folder}: there is no such folder", f"{folder}：没有这个文件夹"))
    graded = read_class(folder)
    if not graded.students and not graded.warnings:
        raise Unusable(
            say(
                f"{folder} holds no report: name the folder that was --out of `autograder grade`.",
                f"{folder} 中没有报告：请指定 autograder grade 的 --out 文件夹。",
            )
        )
    return graded


def _write(graded: Class, to: str, out: Path, roster: Path | None, column: str | None, bonus: bool) -> Sequence[str]:
    """Write the file or folder, and return what has to be looked at."""
    if to == GRADESCOPE:
        _write_results(graded, out, bonus)
        return ()
    exported = _table(graded, to, roster, column, bonus)
    out.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(out, exported.text)
    return exported.warnings


def _table(graded: Class, to: str, roster: Path | None, column: str | None, bonus: bool) -> Exported:
    if to == CANVAS:
        column = column or DEFAULT_COLUMN
        return canvas.export(graded, column, bonus) if roster is None else canvas.fill_roster(graded, roster, column, bonus)
    if to == MOODLE:
        return moodle.export(graded, bonus) if roster is None else moodle.fill_roster(graded, roster, column, bonus)
    return plain.export(graded)


def _write_results(graded: Class, out: Path, bonus: bool) -> None:
    """results.json of one student, a zip of several, or a folder of them, by the name of `out`."""
    files = gradescope.every_result(graded, bonus)
    if out.suffix.lower() == ".json":
        if len(graded.students) != 1:
            raise Unusable(
                say(
                    f"{out} can hold the results of one student, and there are {len(graded.students)}: name a .zip or a folder.",
                    f"{out} 只能存放一名学生的结果，而这里有 {len(graded.students)} 名：请指定 .zip 或文件夹。",
                )
            )
        out.parent.mkdir(parents=True, exist_ok=True)
        out.unlink(missing_ok=True)  # no score of an earlier run stays where there is none now
        for text in files.values():
            write_atomically(out, text)
    elif out.suffix.lower() == ".zip":
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(gradescope.zipped(files))
    else:
        for student in graded.students:
            (out / student.folder.name / "results.json").unlink(missing_ok=True)
        _write_folder(out, files)


def _write_folder(out: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)


def _autograder(out: Path, bonus: bool) -> int:
    from autograder.content.layout import Layout, Misplaced
    from autograder.export.gradescope_autograder import autograder_zip

    try:
        data = autograder_zip(Layout(), lang=language(), bonus=bonus)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(data)
    except Misplaced as error:
        raise Unusable(str(error)) from None
    except OSError as error:
        raise Unusable(_unwritable(out, error)) from None
    print(
        say(
            f"{out} is ready to be uploaded to Gradescope. It holds the hidden tests and their seed: keep it to yourself.",
            f"{out} 可以上传到 Gradescope。其中有隐藏测试及其种子，请勿外传。",
        )
    )
    return 0


def _unwritable(out: Path, error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    return say(f"--out {out} cannot be written ({reason})", f"无法写入 --out {out}（{reason}）")
