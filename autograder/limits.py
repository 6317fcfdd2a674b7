"""Every number that bounds a submission, in one place. The command line sets the first four."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30


@dataclass(frozen=True)
class Limits:
    """What one submission may use. Times in seconds, sizes in bytes."""

    call_seconds: float = 10.0
    submission_seconds: float = 120.0
    memory: int = 1 * GIB
    jobs: int = 2

    # An entry point that has used up `call_seconds` once gets this much from then on.
    repeated_timeout_seconds: float = 2.0
    processes: int = 64
    open_files: int = 256
    scratch: int = 64 * MIB
    answer: int = 64 * MIB
    depth: int = 32
    containers: int = 200_000  # lists, tuples, dicts and their items in one answer
    output_kept: int = 256 * KIB  # of stdout, and as much of stderr
    handles: int = 256  # objects of the student's that the grader may hold at a time
    answers_back: int = 20_000  # calls that one call of the student's may send back to the grader
    answers_back_bytes: int = 256 * MIB

    # What may come in.
    archive_bytes: int = 64 * MIB
    archive_members: int = 2_000
    notebook_bytes: int = 32 * MIB


DEFAULT = Limits()
