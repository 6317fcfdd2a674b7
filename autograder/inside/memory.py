"""How much memory a call holds, in Python's and NumPy's allocations; the worker measures it in the jail."""

from __future__ import annotations

import os
import signal
import time
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

Calls = Sequence[tuple[tuple[Any, ...], dict[str, Any]]]  # their arguments, without names and by name


def peak_of(function: Callable[..., object], args: tuple[Any, ...], kwargs: dict[str, Any]) -> int:
    """The bytes at the peak of a call, beyond what was there before it."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function(*args, **kwargs)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def outgrow(most: int, seconds: float, function: Callable[..., object], calls: Calls) -> bool:
    """Whether one of some calls holds more than `most` bytes at a time before `seconds` are over, when it is broken off.

    They run in a child, so that nothing of half a call is left here. True also where there is no telling.
    """
    try:
        child = os.fork()
    except OSError:
        return True
    if child == 0:
        try:
            _begin_each(most, seconds, function, calls)
        finally:
            os._exit(1)
    return os.waitpid(child, 0)[1] != 0


class Enough(BaseException):
    """Breaks off a call."""


def _begin_each(most: int, seconds: float, function: Callable[..., object], calls: Calls) -> NoReturn:
    """Run each call for some seconds, then end this process: with 0 where none held more than `most` bytes beyond what was there."""

    def look(*_: Any) -> None:
        if tracemalloc.get_traced_memory()[1] - before > most:
            os._exit(1)

    def stop(*_: Any) -> None:
        look()
        if time.process_time() - began < seconds / 2:  # this machine is busy with something else
            signal.setitimer(signal.ITIMER_REAL, seconds)
        else:
            raise Enough

    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, 100 * seconds)  # for calls in which no handler of Python's gets to run, or that catch all
    tracemalloc.start()
    before, began = tracemalloc.get_traced_memory()[0], 0.0
    for args, kwargs in calls:
        began = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            function(*args, **kwargs)
            signal.setitimer(signal.ITIMER_REAL, 0)
        except Enough:
            pass
        look()
    os._exit(0)
