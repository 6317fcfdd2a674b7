"""Runs student code where it can do no harm: `choose` a jail, make a `Template` of it, `spawn` a `Worker` for each exercise.

    with Template(choose("auto"), limits) as template:
        worker = template.spawn(files, setup)
        ...                                     # frames over worker.connection
        ending = worker.close()                 # everything that it started is gone now

Used by autograder.grading; `probe` by `autograder doctor`. What runs inside is in autograder/inside.
"""

from __future__ import annotations

from autograder.jail.errors import JailUnavailable
from autograder.jail.machine import JailReport, choose, probe
from autograder.jail.template import Ending, Template, Worker

__all__ = ["Ending", "JailReport", "JailUnavailable", "Template", "Worker", "choose", "probe"]
