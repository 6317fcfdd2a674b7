"""Grades one submission: pytest over autograder/hidden, out here, against code that runs in the jail."""

from autograder.expect import expect
from autograder.grading.rubric import graded
from autograder.language import Text

__all__ = ["Text", "expect", "graded"]
