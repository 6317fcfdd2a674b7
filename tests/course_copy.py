"""A copy of the course that a test may change: what lies in the repository but for the kit's own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from autograder.content.layout import Layout

PARTS = ("solutions", "exercises", "source", "autograder", "nbgrader_config.py", "README.md", "README.zh-CN.md")


def copy_course(target: Path) -> Layout:
    """The repository's course under `target`."""
    root = Layout().root
    target.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        source, copy = root / part, target / part
        if source.is_dir():
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache", ".ipynb_checkpoints"))
        else:
            shutil.copy(source, copy)
    return Layout(target)


def edit(path: Path, old: str, new: str) -> None:
    """Replace a text that must be there."""
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} has no {old!r}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(layout: Layout, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`autograder` or `nbgrader` as an instructor runs it in this copy, by the copy's own course list."""
    environment = {**os.environ, "PYTHONPATH": str(layout.root), "HOME": str(layout.root), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", module, *arguments]
    return subprocess.run(command, cwd=layout.root, env=environment, capture_output=True, text=True, timeout=300, check=False)
