"""What runs on a worker of a Dask cluster for cluster.py: a look at what the worker is, and the grading of one job.

The functions that are sent are nested ones, which cloudpickle sends as code rather than by name: the scheduler then needs nothing
of the kit, and a worker without it can say so.
"""

from __future__ import annotations

import pickle
import socket
import zlib
from collections.abc import Callable
from dataclasses import astuple
from typing import Any

from autograder.crew import grade
from autograder.jail import JailUnavailable, choose
from autograder.language import say
from autograder.ledger import this_kit
from autograder.pool import Job
from autograder.reports.model import Report


def look() -> Callable[..., Any]:
    """The function that tells what a worker is."""

    async def look(jail: str) -> dict[str, Any]:
        import asyncio

        from autograder.dask_worker import look_here

        return await asyncio.to_thread(look_here, jail)

    return look


def look_here(jail: str) -> dict[str, Any]:
    """What this worker is: plain data, which any version of the kit can read."""
    told: dict[str, Any] = {"host": socket.gethostname(), "kit": astuple(this_kit()), "jail": None, "why": ""}
    try:
        told["jail"] = choose(jail)
    except JailUnavailable as error:
        told["why"] = str(error)
    return told


def pack(job: Job) -> bytes:
    """A job as the scheduler holds it: bytes that mean nothing to it, and few, since it keeps the last messages to each worker."""
    return zlib.compress(pickle.dumps(job), level=1)


def kept_messages() -> Callable[..., Any]:
    """The function that tells how many messages to each worker a scheduler keeps."""

    def kept_messages() -> Any:
        import dask

        return dask.config.get("distributed.admin.low-level-log-length", 0)

    return kept_messages


def grade_there() -> Callable[..., Any]:
    """The function that grades on a worker; see `grade_here`."""

    def grade_there(packed: bytes, kit: tuple[str, ...]) -> Any:
        from distributed import get_worker

        worker = get_worker().address
        try:
            from autograder.dask_worker import grade_here
        except ImportError as error:
            return "refused", worker, f"{type(error).__name__}: {error}"
        return grade_here(packed, kit, worker)

    return grade_there


def grade_here(packed: bytes, kit: tuple[str, ...], worker: str) -> Report | tuple[str, str, str]:
    """Grade one job here: its report, or "refused" or "failed", this worker's address and why.

    packed: by `pack`; unpacked only where the classes are the same. Nothing is raised: Dask pickles an exception with its traceback,
    and a client that cannot unpickle those loses its connection, and all its jobs with it.
    """
    host = socket.gethostname()
    if astuple(this_kit()) != kit:
        return "refused", worker, f"{host}: {difference(astuple(this_kit()), kit)}"
    job: Job = pickle.loads(zlib.decompress(packed))
    try:
        choose(job.jail)  # tried once in a process: a worker that joined late has not been looked at
        return grade(job)
    except JailUnavailable as error:
        return "refused", worker, f"{host}: {error}"
    except Exception as error:
        return "failed", worker, f"{type(error).__name__} on {host}: {error}"


def difference(theirs: tuple[str, ...], ours: tuple[str, ...]) -> str:
    """What a worker has that differs from what is here; a report would differ with it."""
    names = (say("the kit", "工具"), say("the course", "课程"), "Python", "NumPy")
    parts = [
        say(f"{name} {there[:12]} there, {here[:12]} here", f"{name} 那里是 {there[:12]}，这里是 {here[:12]}")
        for name, there, here in zip(names, theirs, ours, strict=True)
        if there != here
    ]
    return say("another version: ", "版本不同：") + ", ".join(parts)
