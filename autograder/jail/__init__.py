"""Runs student code where it can do no harm: `choose` a jail, make a `Template` of it, `open` a `Session` for each submission
and `spawn` a `Worker` in it for each exercise.

    with Template(choose("auto"), limits) as template, template.open(files) as session:
        worker = session.spawn(setup)
        ...                                     # frames over worker.connection
        ending = worker.close()                 # everything that it started is gone now

Used by autograder.grading; `probe` by `autograder doctor`. What runs inside is in autograder/inside.
"""

from __future__ import annotations

from autograder.jail.errors import JailUnavailable
from autograder.jail.launch import DRAWING, PRELOAD
from autograder.jail.machine import JailReport, choose, probe
from autograder.jail.packages import visible_packages
from autograder.jail.template import Ending, Session, Template, Worker

__all__ = [
    "DRAWING",
    "PRELOAD",
    "Ending",
    "JailReport",
    "JailUnavailable",
    "Session",
    "Template",
    "Worker",
    "choose",
    "probe",
    "visible_packages",
]
