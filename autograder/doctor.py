"""`autograder doctor`: what this machine offers for grading, and what to do about what it lacks."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console
from rich.table import Table
from rich.text import Text as Line

from autograder import __version__
from autograder.jail import JailUnavailable, choose, probe

PACKAGES = ("numpy", "matplotlib", "pytest", "nbgrader", "jupyterlab", "distributed")
OPTIONAL = {"matplotlib": "pictures in notebooks; student code may import it", "distributed": "grading on a Dask cluster"}


def print_report() -> int:
    """Print what is here; 0 where submissions can be graded in a jail, else 1."""
    console = Console(soft_wrap=True, highlight=False)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_row("autograder", __version__)
    table.add_row("Python", f"{platform.python_version()} ({sys.platform}, {platform.machine()})")
    table.add_row("kernel", platform.release())
    for package in PACKAGES:
        table.add_row(package, installed(package))
    console.print(table)
    for report in probe():
        console.print(Line(f"\njail {report.name}: {'works' if report.works else 'does not work here'}", style="bold"))
        for remark in report.remarks:
            console.print(Line(f"  {remark}"))
    try:
        console.print(Line(f"\n`autograder grade` will use: {choose('auto')}", style="bold"))
    except JailUnavailable as error:
        console.print(Line(f"\n{error}", style="bold red"))
        return 1
    return 0


def installed(package: str) -> str:
    """The version of an installed package, or what one goes without."""
    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed ({OPTIONAL[package]})" if package in OPTIONAL else "not installed: pip install attention-autograder"
