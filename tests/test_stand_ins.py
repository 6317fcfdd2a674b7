"""Stand-ins for earlier exercises: the student's own module runs only where something of it is needed."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.inside.stand_ins import StandIns

OWN = """
import sys
sys.earlier_ran += 1
CONSTANT = 7

def scale(x, by=1):
    return ("own", x, by)

def helper(x):
    return scale(x)
"""


@pytest.fixture
def earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
    """An earlier exercise as a later one imports it; its documented entry point is `scale(x)`."""
    (tmp_path / "earlier.py").write_text(OWN)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(sys, "earlier_ran", 0, raising=False)
    declared = {"earlier": {"scale": {"parameters": ["x"], "methods": None}}}
    stand_ins = StandIns(declared, lambda what, args, kwargs: (what, args, kwargs), hollow=False)
    monkeypatch.setattr(sys, "meta_path", [stand_ins, *sys.meta_path])
    yield importlib.import_module("earlier")
    sys.modules.pop("earlier", None)


def runs() -> int:
    return getattr(sys, "earlier_ran")  # noqa: B009


def test_an_entry_point_is_had_without_the_students_module(earlier: types.ModuleType) -> None:
    space: dict[str, object] = {}
    exec("from earlier import scale\nimport earlier\nfound = scale(3), earlier.scale(x=4)", space)
    assert space["found"] == (("earlier.scale", (3,), {}), ("earlier.scale", (), {"x": 4}))
    assert runs() == 0


@pytest.mark.parametrize("line", ["from earlier import CONSTANT", "from earlier import *", "import earlier; CONSTANT = earlier.CONSTANT"])
def test_any_other_name_is_the_students(earlier: types.ModuleType, line: str) -> None:
    space: dict[str, object] = {}
    exec(line, space)
    assert space["CONSTANT"] == 7
    assert runs() == 1
    assert earlier.helper(3) == ("earlier.scale", (3,), {})
    with pytest.raises(AttributeError):
        earlier.nothing  # noqa: B018
    assert runs() == 1


def test_a_call_with_a_parameter_of_the_students_own_goes_to_their_version(earlier: types.ModuleType) -> None:
    assert earlier.scale(3, by=2) == ("own", 3, 2)
    assert earlier.scale(3, 2) == ("own", 3, 2)
    assert earlier.scale(3) == ("earlier.scale", (3,), {})
    assert runs() == 1
