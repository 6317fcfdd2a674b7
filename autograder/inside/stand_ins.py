"""Stands in for earlier exercises in the jail: their entry points ask the grader, the rest stays the student's.

The reference code never enters the jail. A stand-in behaves as the reference does: keywords, errors, writable results. A call
with parameters that only the student's own version has, an optional `mask` say, goes to that version. The student's module of an
earlier exercise runs when something is needed of it that is no entry point: compiling it takes longer than most tests.
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

    declared: module -> entry point -> {"parameters": [...]}, and for a class "methods", name -> parameters.
    hollow: leave the student's own earlier modules out, where one of them does not even import.
    """

    def __init__(self, declared: dict[str, dict[str, Any]], ask: Ask, *, hollow: bool):
        self.hollow = hollow
        self.modules = {
            module: {name: StandIn(module, name, kind, ask) for name, kind in entries.items()} for module, entries in declared.items()
        }

    def install(self) -> None:
        """From now on an import of an earlier exercise finds the student's file with the stand-ins put in."""
        sys.meta_path.insert(0, self)

    def put_into(self, space: dict[str, Any]) -> None:
        """Replace the earlier entry points in one namespace, a notebook's."""
        for entries in self.modules.values():
            put_into(space, entries)

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
    """Puts the stand-ins in. The student's own module, if there is one, runs with the first look for another name."""

    def __init__(self, entries: dict[str, StandIn], own: Any):
        self.entries, self.own = entries, own

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> types.ModuleType | None:
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        put_into(module.__dict__, self.entries)
        if self.own is None:
            return

        def run() -> None:
            module.__dict__.pop("__getattr__", None)
            for entry in self.entries.values():
                entry.run_own = None
            try:
                self.own.exec_module(module)
            except BaseException:  # a broken earlier exercise costs its own points, not this one's
                pass
            put_into(module.__dict__, self.entries)

        def find(name: str) -> Any:
            if name == "__path__":  # the import system asks whether it is a package
                raise AttributeError(name)
            run()
            return getattr(module, name)

        for entry in self.entries.values():
            entry.run_own = run
        module.__dict__["__getattr__"] = find


class StandIn:
    """One entry point: the object that takes its place, and the student's own where there is one.

    run_own: runs the student's module, so that there is; None where it has run, or there is none.
    """

    def __init__(self, module: str, name: str, kind: dict[str, Any], ask: Ask):
        self.module, self.name, self.parameters, self.ask = module, name, kind["parameters"], ask
        self.own: Any = None
        self.run_own: Callable[[], None] | None = None
        self.object = self._function() if kind["methods"] is None else self._class(kind["methods"])

    def own_for(self, parameters: Sequence[str], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
        """The student's own, for a call with arguments that the documented parameters have no place for; None for any other call."""
        if len(args) <= len(parameters) and all(name in parameters for name in kwargs):
            return None
        if self.run_own is not None:
            self.run_own()
        return self.own

    def _function(self) -> Any:
        def function(*args: Any, **kwargs: Any) -> Any:
            own = self.own_for(self.parameters, args, kwargs)
            return own(*args, **kwargs) if own is not None else self.ask(f"{self.module}.{self.name}", args, kwargs)

        function.__name__ = function.__qualname__ = self.name
        function.__module__ = f"exercises.{self.module}"
        return function

    def _class(self, methods: dict[str, Sequence[str]]) -> type:
        """Instances keep their state here, as plain attributes; each call sends it along and takes the new one."""

        def new(cls: type, *args: Any, **kwargs: Any) -> Any:
            own = self.own_for(self.parameters, args, kwargs)
            return own(*args, **kwargs) if own is not None else object.__new__(cls)

        def construct(instance: Any, *args: Any, **kwargs: Any) -> None:
            instance.__dict__.update(self.ask(f"{self.module}.{self.name}", args, kwargs))

        def method(called: str, parameters: Sequence[str]) -> Any:
            def call(instance: Any, *args: Any, **kwargs: Any) -> Any:
                own = getattr(self.own_for(parameters, args, kwargs), called, None)
                if own is not None:
                    return own(instance, *args, **kwargs)
                result, state = self.ask(f"{self.module}.{self.name}.{called}", (dict(instance.__dict__), args), kwargs)
                instance.__dict__.update(state)
                return result

            call.__name__ = called
            return call

        body: dict[str, Any] = {"__new__": new, "__init__": construct, "__module__": f"exercises.{self.module}"}
        body.update({called: method(called, parameters) for called, parameters in methods.items()})
        return type(self.name, (), body)


def put_into(space: dict[str, Any], entries: dict[str, StandIn]) -> None:
    """Replace entry points in a namespace, and remember the student's own."""
    for name, entry in entries.items():
        there = space.get(name)
        if there is not None and there is not entry.object:
            entry.own = there
        space[name] = entry.object
