"""`pytest --watch`: tests again whenever a file is saved, in a process of its own. conftest.py calls `watch`.

It compares times of change, a few times a second: nothing needs to be installed, and it works on network drives and in containers too.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from .course import TITLES
from .language import say

PAUSE = 0.2  # seconds between two looks

Stamps = dict[Path, tuple[int, int]]  # file -> when it was changed, its size


def watch(arguments: Iterable[str], exercises: Path) -> int:
    """Test, and test again whenever a file is saved, until Ctrl-C.

    arguments: pytest's, which choose what is tested. exercises: the folder with the student's modules; the folder that it lies in may hold
    helpers. Where one exercise was saved the messages are those of its tests, and the board shows all that was tested.
    Returns: pytest's exit code, 0.
    """
    arguments = [argument for argument in arguments if argument != "--watch"]
    seen = _stamps(exercises)
    run, told = _start(arguments, ""), False
    try:
        while True:
            time.sleep(PAUSE)
            now = _stamps(exercises)
            saved = [path for path, stamp in now.items() if seen.get(path) != stamp]
            if saved:
                seen = seen | now  # what is missing for the moment an editor is about to replace
                _stop(run)  # it may be in an endless loop
                names = ", ".join(sorted(path.name for path in saved))
                print("\n" + say(f"Saved {names}.", f"已保存 {names}。"), flush=True)
                run, told = _start(arguments, _exercise(saved)), False
            elif run.poll() is not None and not told:
                print(
                    "\n" + say("Watching. Save a file to test again; Ctrl-C ends.", "监视中：保存文件就会重新测试，按 Ctrl-C 结束。"),
                    flush=True,
                )
                told = True
    except KeyboardInterrupt:
        print()
        return 0
    finally:
        _stop(run)


def _stamps(exercises: Path) -> Stamps:
    stamps: Stamps = {}
    for path in (*exercises.rglob("*.py"), *exercises.parent.glob("*.py")):
        with contextlib.suppress(OSError):  # an editor is replacing it
            stat = path.stat()
            stamps[path] = (stat.st_mtime_ns, stat.st_size)
    return stamps


def _exercise(saved: list[Path]) -> str:
    """The exercise that the saved files are of; empty where they are of several, or of none."""
    found = {path.stem.removeprefix("test_") for path in saved} & set(TITLES)
    return found.pop() if len(found) == 1 else ""


def _start(arguments: list[str], exercise: str) -> subprocess.Popen[bytes]:
    """A run in a process that Ctrl-C does not reach: `watch` ends it, and pytest has no word to say about it."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", "-q", *arguments, f"--saved={exercise}"],
            stdin=subprocess.DEVNULL,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),  # Windows knows no inherited SIG_IGN
        )
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(run: subprocess.Popen[bytes]) -> None:
    run.kill()
    run.wait()
