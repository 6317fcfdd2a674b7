"""Grades one submission: pytest over autograder/hidden, out here, against code that runs in the jail."""

from autograder.expect import Wrong, expect
from autograder.grading.conversation import Unanswered
from autograder.grading.rubric import graded
from autograder.language import Text

__all__ = ["Text", "Unanswered", "Wrong", "expect", "graded"]
