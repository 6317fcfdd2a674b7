"""What comes in: finds every student's submission, opens it, and brings it into one form. Nothing here runs student code or writes to disk.

The batch calls `discover`, then `open_submission` on each candidate; reports use `folder_name`.
"""

from __future__ import annotations

from autograder.submissions.discover import discover
from autograder.submissions.model import Candidate, Cell, Discovery, Part, Submission, Unreadable
from autograder.submissions.names import folder_name
from autograder.submissions.opening import open_submission

__all__ = [
    "Candidate",
    "Cell",
    "Discovery",
    "Part",
    "Submission",
    "Unreadable",
    "discover",
    "folder_name",
    "open_submission",
]
