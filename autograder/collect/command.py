"""`autograder collect`: checks the arguments, collects, and says what became of everything. The command line calls `run_collect`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.arguments import Unusable
from autograder.collect.collecting import Wanted, collect
from autograder.collect.lists import told, write_lists
from autograder.collect.released import NotReleased
from autograder.language import say
from autograder.limits import DEFAULT
from autograder.roster import Roster, read_students
from autograder.submissions import discover
from autograder.tables import BadTable
from autograder.text import visible


def run_collect(
    paths: Sequence[Path], out: Path, *, assignment: str | None, students: Path | None, release: Path | None, force: bool
) -> int:
    """Collect into the submitted tree `out`. Returns 0 where everything is in it, 1 where something is not. Raises Unusable.

    students: nbgrader's student list or gradebook. release: nbgrader's release folder; None is the one beside `out`.
    """
    _check(paths, out)
    try:
        roster = None if students is None else Roster(read_students(students))
    except BadTable as error:
        raise Unusable(str(error)) from None
    found = discover(paths, DEFAULT)
    for note in found.notes:
        print(visible(note), file=sys.stderr)
    if not found.candidates:
        raise Unusable(say("no submission found in ", "没有找到提交：") + ", ".join(map(str, paths)))
    try:
        outcomes = list(collect(found.candidates, Wanted(out, assignment, release, roster, force), DEFAULT))
        write_lists(out, outcomes)
    except NotReleased as error:
        raise Unusable(str(error)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Unusable(say(f"--out {out} cannot be written ({reason})", f"无法写入 --out {out}（{reason}）")) from None
    for line in told(outcomes, roster.students if roster is not None else ()):
        print(line)
    print(say(f"What became of each is in {out / 'collected.csv'}", f"每一份的去向见 {out / 'collected.csv'}"))
    return 0 if all(outcome.done for outcome in outcomes) else 1


def _check(paths: Sequence[Path], out: Path) -> None:
    for path in paths:
        if not os.path.lexists(path):
            raise Unusable(say(f"{path}: there is no such file or folder", f"{path}：没有这个文件或文件夹"))
    if out.exists() and not out.is_dir():
        raise Unusable(say(f"--out {out}: that is a file; name a folder", f"--out {out}：那是文件，请指定文件夹"))
    target = out.resolve()
    for path in paths:
        source = path.resolve()
        if source == target or target in source.parents or source in target.parents:
            raise Unusable(
                say(
                    f"{path} and --out {out} lie in each other, and what came in must stay as it came: name another --out.",
                    f"{path} 与 --out {out} 互相包含；收到的文件必须保持原样：请换一个 --out。",
                )
            )
