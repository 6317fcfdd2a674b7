"""Makes `pytest --lang zh` and the like known to pytest before it has found the tests; the rest of the self-check is in exercises/tests."""

from exercises.tests.conftest import pytest_addoption, pytest_cmdline_main  # noqa: F401
