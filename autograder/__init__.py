"""The grader of the attention exercises: `autograder --help`."""

__version__ = "0.1.0"
