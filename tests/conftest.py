"""Fixtures of the kit's own tests: a grader behind the real jail, and code to hand in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from autograder.content.layout import Layout
from autograder.content.proof import solution_files, stub_files
from autograder.grading.grader import Grader
from autograder.jail import JailUnavailable, choose
from autograder.limits import DEFAULT
from autograder.submissions import Submission

ROOT = Path(__file__).resolve().parent.parent
JAILS = ("bubblewrap", "landlock")


def solutions() -> dict[str, bytes]:
    """A complete submission: the reference, as a student would have written it into the stubs."""
    return solution_files(Layout(ROOT))


def stubs() -> dict[str, bytes]:
    """What a student hands in who has written nothing."""
    return stub_files(Layout(ROOT))


def submission(files: Mapping[str, str | bytes], student: str = "ada", base: Mapping[str, bytes] | None = None) -> Submission:
    """Files as a submission; bare names lie in exercises/. base: what they replace parts of."""
    placed = {
        (name if "/" in name else f"exercises/{name}"): content.encode() if isinstance(content, str) else content
        for name, content in files.items()
    }
    return Submission(student, {**(base or {}), **placed})


def jail_or_skip(kind: str) -> str:
    """The jail to test with; where it does not work the test is skipped with the reason, and fails in CI."""
    try:
        return choose(kind)
    except JailUnavailable as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI needs the jail {kind}: {error}")
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def grader() -> Iterator[Grader]:
    """A grader with the jail that `auto` chooses."""
    with Grader(jail_or_skip("auto"), DEFAULT) as grader:
        yield grader


@pytest.fixture(scope="session", params=JAILS)
def each_jail(request: pytest.FixtureRequest) -> str:
    """Both jails, one after the other."""
    return jail_or_skip(request.param)
