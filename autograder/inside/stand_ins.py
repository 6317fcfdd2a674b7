"""Stands in for earlier exercises in the jail: their entry points ask the grader, the rest stays the student's.

The reference code never enters the jail. A stand-in behaves as the reference does: keywords, errors, writable results.
"""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

Ask = Callable[[Any, Any, dict[str, Any]], Any]


class StandIns(importlib.abc.MetaPathFinder):
    """The entry points of the earlier exercises, as plain Python objects that call back.

    declared: module -> entry point -> None for a function, or {"methods": [...], "attributes": [...]} for a class.
    hollow: leave the student's own earlier modules out, where one of them does not even import.
    """

    def __init__(self, declared: dict[str, dict[str, Any]], ask: Ask, *, hollow: bool):
        self.hollow = hollow
        self.modules = {
            module: {name: stand_in(module, name, kind, ask) for name, kind in entries.items()} for module, entries in declared.items()
        }

    def install(self) -> None:
        """From now on an import of an earlier exercise finds the student's file with the stand-ins put in."""
        sys.meta_path.insert(0, self)

    def put_into(self, space: dict[str, Any]) -> None:
        """Replace the earlier entry points in one namespace, a notebook's."""
        for entries in self.modules.values():
            space.update(entries)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The import system asks for `exercises.softmax` or, beside it, `softmax`."""
        package, _, module = fullname.rpartition(".")
        if module not in self.modules or package not in ("", "exercises"):
            return None
        spec = None if self.hollow else importlib.machinery.PathFinder.find_spec(fullname, path)
        loader = _Loader(self.modules[module], spec.loader if spec is not None else None)
        new = importlib.machinery.ModuleSpec(fullname, loader, origin=spec.origin if spec else None)
        if spec is not None:
            new.has_location = spec.has_location
            new.submodule_search_locations = spec.submodule_search_locations
        return new


class _Loader(importlib.abc.Loader):
    """Runs the student's own module, if there is one and it runs, then puts the stand-ins in."""

    def __init__(self, entries: dict[str, Any], own: Any):
        self.entries, self.own = entries, own

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        if self.own is not None:
            try:
                self.own.exec_module(module)
            except BaseException:  # a broken earlier exercise costs its own points, not this one's
                pass
        module.__dict__.update(self.entries)


def stand_in(module: str, name: str, kind: dict[str, Any] | None, ask: Ask) -> Any:
    """A function, or a class, that asks for `module.name`."""
    if kind is None:
        return _function(module, name, ask)
    return _class(module, name, kind["methods"], ask)


def _function(module: str, name: str, ask: Ask) -> Any:
    def function(*args: Any, **kwargs: Any) -> Any:
        return ask(f"{module}.{name}", args, kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = f"exercises.{module}"
    return function


def _class(module: str, name: str, methods: Sequence[str], ask: Ask) -> type:
    """Instances keep their state here, as plain attributes; each call sends it along and takes the new one."""

    def construct(self: Any, *args: Any, **kwargs: Any) -> None:
        self.__dict__.update(ask(f"{module}.{name}", args, kwargs))

    def method(called: str) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            result, state = ask(f"{module}.{name}.{called}", (dict(self.__dict__), args), kwargs)
            self.__dict__.update(state)
            return result

        call.__name__ = called
        return call

    body: dict[str, Any] = {"__init__": construct, "__module__": f"exercises.{module}"}
    body.update({called: method(called) for called in methods})
    return type(name, (), body)
