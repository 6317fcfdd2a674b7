"""A class of hostile and broken submissions, each built by program; tests/test_hostile_files.py hands them in as one class.

A case says what is handed in under which name, and what must come of it: a verdict on softmax, or an error row that says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.handed_in import Files, write

RIGHT, WRONG, MISSING, TODO, BROKEN = "passed", "failed", "missing", "todo", "error"

SOFTMAX = (
    b"import numpy as np\n\n\ndef softmax(x, axis=-1):\n    e = np.exp(x - np.max(x, axis=axis, keepdims=True))\n"
    b"    return e / e.sum(axis=axis, keepdims=True)\n"
)
NOT_SOFTMAX = b"def softmax(x, axis=-1):\n    return x\n"
STUB = b'def softmax(x, axis=-1):\n    """Softmax."""\n    raise NotImplementedError\n'
MODULE = {"exercises/softmax.py": SOFTMAX}


@dataclass(frozen=True)
class Case:
    """One submission of the class.

    name: of the folder or file in the class's folder; the student's id is this without an archive's, notebook's or module's suffix.
    put: a file's content, a folder's files, or what makes the thing at a path.
    verdict: of the exercise softmax; None where the submission must end as an error row.
    says: what the notes must hold, as regular expressions; of an error row this is what tells the instructor the way out.
    """

    name: str
    put: bytes | Files | Callable[[Path], object]
    verdict: str | None = RIGHT
    says: tuple[str, ...] = ()
    student: str = ""

    @property
    def id(self) -> str:
        """The student's id."""
        return self.student or self.name

    def hand_in(self, folder: Path) -> None:
        """Put it into the class's folder."""
        path = folder / self.name
        if isinstance(self.put, bytes):
            path.write_bytes(self.put)
        elif callable(self.put):
            self.put(path)
        else:
            write(path, self.put)


def graded(name: str, put: bytes | Files | Callable[[Path], object], *says: str, verdict: str = RIGHT) -> Case:
    """A case that must be graded, as right where nothing else is said."""
    return Case(name, put, verdict, says, _id(name, put))


def refused(name: str, put: bytes | Files | Callable[[Path], object], *says: str) -> Case:
    """A case that must end as an error row whose sentence holds `says`."""
    return Case(name, put, None, says, _id(name, put))


def _id(name: str, put: object) -> str:
    if isinstance(put, Mapping):
        return name
    for suffix in (".tar.gz", ".tgz", ".tar", ".zip", ".7z", ".rar", ".ipynb", ".py"):
        if name.endswith(suffix):
            return name.removesuffix(suffix)
    return name


def then(files: Files, *steps: Callable[[Path], object]) -> Callable[[Path], None]:
    """Makes a folder of files, then does more to it."""

    def make(path: Path) -> None:
        write(path, files)
        for step in steps:
            step(path)

    return make


def many(prefix: str, count: int, content: bytes = b"x") -> dict[str, bytes]:
    """That many small files."""
    return {f"{prefix}{i // 500}/{i}.py": content for i in range(count)}
