"""`pytest --watch` as a student runs it: a process in a folder of its own, files saved while it runs, Ctrl-C."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.content.include import student_files
from autograder.content.layout import Layout
from autograder.course import COURSE

SOON = 60.0  # seconds; a run takes one

WRONG_SOFTMAX = "import numpy as np\n\ndef softmax(x, axis=-1):\n    return np.exp(x)\n"
ENDLESS = "def softmax(x, axis=-1):\n    while True:\n        pass\n"
UNSCALED = """
import numpy as np
from exercises.softmax import softmax

def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ np.swapaxes(K, -1, -2))
    return weights @ V, weights
"""


class Watched:
    """A running watch. `said(n)` waits for the end of run n and returns what it printed."""

    def __init__(self, folder: Path, *args: str):
        layout = Layout()
        files = {**student_files(layout), "pytest.ini": (layout.source / "attention" / "pytest.ini").read_bytes()}
        for name, content in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        self.folder, self.output = folder, folder / "output"
        env = {
            name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHONPATH", "AUTOGRADER", "FORCE_COLOR"))
        }
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pytest", "--watch", *args],
                cwd=folder,
                env=env,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def save(self, module: str, code: str) -> None:
        (self.folder / "exercises" / f"{module}.py").write_text(code, encoding="utf-8")

    def text(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def until(self, words: str, times: int = 1) -> str:
        end = time.monotonic() + SOON
        while self.text().count(words) < times:
            assert self.process.poll() is None, f"the watch is over:\n{self.text()}"
            assert time.monotonic() < end, f"no {words!r} number {times} in\n{self.text()}"
            time.sleep(0.05)
        return self.text()

    def said(self, run: int) -> str:
        return self.until("Watching. ", run).split("Watching. ")[run - 1]

    def interrupt(self) -> int:
        """Ctrl-C, which a terminal sends to all processes of its foreground."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.wait(SOON)

    def alone(self) -> bool:
        """Whether no process that the watch started is left."""
        try:
            os.killpg(self.process.pid, 0)
        except ProcessLookupError:
            return True
        return False


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    watch = Watched(tmp_path)
    yield watch
    with contextlib.suppress(ProcessLookupError):
        os.killpg(watch.process.pid, signal.SIGKILL)
    watch.process.wait()


def statuses(said: str) -> dict[str, str]:
    """The board: exercise -> what its line ends with."""
    ids = "|".join(exercise.id for exercise in COURSE)
    return {match[1]: match[2] for match in re.finditer(rf"^({ids})  .* right   (.*)$", said, re.MULTILINE)}


def test_a_save_shows_the_messages_of_that_exercise_and_the_board_of_all(watched: Watched):
    first = statuses(watched.said(1))
    assert list(first) == [exercise.id for exercise in COURSE]
    assert set(first.values()) == {"to do"}

    watched.save("softmax", WRONG_SOFTMAX)
    said = watched.said(2)
    assert "Saved softmax.py.\n" in said
    assert "Called softmax(x (2, 3)).\n" in said
    assert statuses(said) == {**first, "softmax": "wrong"}
    assert "Next: softmax. Edit exercises/softmax.py and save it.\n" in said

    watched.save("attention", UNSCALED)
    said = watched.said(3)
    assert "Saved attention.py.\n" in said
    assert "Called scaled_dot_product_attention(Q (1, 3), K (3, 3), V (3, 2)).\n" in said
    assert "Called softmax(" not in said, "that exercise was not saved"
    assert statuses(said) == {**first, "softmax": "wrong", "attention": "wrong"}
    assert "Next: attention. Edit exercises/attention.py and save it.\n" in said
    assert "\x1b[" not in watched.text(), "colours are for terminals"


def test_a_save_ends_an_endless_loop(watched: Watched):
    watched.said(1)
    watched.save("softmax", ENDLESS)
    watched.until("Saved softmax.py.")
    watched.save("softmax", WRONG_SOFTMAX)
    assert statuses(watched.said(2))["softmax"] == "wrong"
    assert watched.interrupt() == 0
    assert watched.alone()


def test_ctrl_c_does_not_reach_a_run(watched: Watched):
    """pytest would have a page to say about it."""
    watched.said(1)
    watched.save("softmax", "import signal\n\ndef softmax(x, axis=-1):\n    raise ValueError(signal.getsignal(signal.SIGINT).name)\n")
    assert "It raised ValueError: SIG_IGN (softmax.py, line 4: " in watched.said(2)


def test_ctrl_c_ends_it_quietly_and_all_that_it_started(watched: Watched):
    watched.said(1)
    watched.save("softmax", ENDLESS)
    before = watched.until("Saved softmax.py.\n")
    time.sleep(2.0)  # the run is in the loop by then
    assert watched.interrupt() == 0
    assert watched.text() == before + "\n"
    assert watched.alone()


def test_options_go_on_to_the_runs(tmp_path: Path):
    watch = Watched(tmp_path, "--lang", "zh", "--hint", "-k", "test_softmax")
    try:
        said = watch.until("监视中：保存文件就会重新测试，按 Ctrl-C 结束。\n")
        assert list(re.findall(r"^(\w+) .*待完成$", said, re.MULTILINE)) == ["softmax"]
        assert "提示：手算一行" in said
    finally:
        assert watch.interrupt() == 0
