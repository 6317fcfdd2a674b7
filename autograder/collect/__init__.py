"""Brings what came in, in whatever shape, into nbgrader's submitted tree: a filled-in notebook per student.

`command` is what the command line calls. `origin` tells whom a submission is from and when it came, `released` reads the
assignment, `fill` writes modules into its notebook, `tree` puts the folder in place, `lists` says what became of everything.
"""

from __future__ import annotations

from autograder.collect.collecting import Wanted, collect

__all__ = ["Wanted", "collect"]
