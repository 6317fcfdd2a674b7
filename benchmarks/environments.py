"""A virtual environment of its own for each peer, made by the benchmark under build/bench/envs with pip, once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from benchmarks.timing import Failed

SAME_NUMPY = f"numpy=={version('numpy')}"  # as the kit's, so that the same arithmetic is measured


@dataclass(frozen=True)
class Environment:
    """A folder with a Python of its own and what was installed there."""

    folder: Path

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def variables(self) -> dict[str, str]:
        """Those of a shell in which it is activated, since nbgrader starts alembic by its name; nothing of ours is importable there."""
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        return {**kept, "PATH": os.pathsep.join((str(self.folder / "bin"), os.environ.get("PATH", os.defpath)))}


def environment(folder: Path, *requirements: str) -> Environment:
    """The environment in this folder with these requirements and NumPy; made anew where they have changed. Failed where pip fails."""
    wanted = "\n".join((str(folder), sys.version, *requirements, SAME_NUMPY))  # a copy from elsewhere starts the scripts of that place
    stamp = folder / "requirements.txt"
    if not (stamp.is_file() and stamp.read_text() == wanted):
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run([*pip, *requirements, SAME_NUMPY], capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"pip install {' '.join(requirements)}:\n{done.stderr[-2000:]}")
        stamp.write_text(wanted)
    return Environment(folder)
