"""A worker that tries to get out: run in a fresh jail by `autograder.jail.machine`, before any submission is.

Answers with one line for each promise that does not hold, and an empty answer where all hold.
"""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable
from functools import partial
from typing import Any


def main(connection: socket.socket, setup: dict[str, Any]) -> None:
    """setup: "outside", paths of files that must not be readable, and "grader", a process that must not be signalled."""
    broken = [f"student code could read {path}" for path in setup["outside"] if works(partial(os.open, path, os.O_RDONLY))]
    if works(lambda: os.kill(setup["grader"], signal.SIGCONT)):
        broken.append("student code could send signals to the grader")
    if works(network):
        broken.append("student code could use the network")
    if works(lambda: write(f"{setup['root']}/extra")) or works(lambda: write("/tmp/extra")):
        broken.append("student code could write outside of its scratch folder")
    if not works(lambda: write("scratch")):
        broken.append("student code could not write to its scratch folder")
    if not works(lambda: os.listdir(setup["root"])):
        broken.append("student code could not read its own submission")
    connection.sendall("\n".join(broken).encode())


def works(attempt: Callable[[], object]) -> bool:
    """Whether it raises no OSError."""
    try:
        attempt()
    except OSError:
        return False
    return True


def network() -> None:
    """Reach a port of this machine's own; a refusal by the other end is an answer, and means that there is a network."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        probe.listen()
        with socket.create_connection(probe.getsockname(), timeout=1):
            pass


def write(path: str) -> None:
    """Make a small file."""
    with open(path, "w") as file:
        file.write("x")
