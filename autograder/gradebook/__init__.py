"""nbgrader, with this kit's grader: `nbgrader autograde` judges student code outside of the notebook, in the jail.

A course's nbgrader_config.py calls `configure(c)`. What it puts in place: `exporter` reads what a student handed in,
`preprocessors` grade it, `repair` and the modules below it bring the student's cells back into the shape of the release.
"""

from __future__ import annotations

from autograder.gradebook.configuration import configure

__all__ = ["configure"]
