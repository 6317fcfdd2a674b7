"""Every number that bounds a submission, in one place. The command line sets the first four."""

from __future__ import annotations

from dataclasses import dataclass

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30

# What a grader process keeps of results that come again with every submission.
KEPT_ANSWERS = 16 * MIB  # for questions from the jail
KEPT_RESULTS = 16 * MIB  # of the reference, for the hidden tests
FORESIGHT = 32 * MIB  # what hidden tests ask


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

    # What of a notebook nbgrader's pages show.
    shown_source: int = 1 * MIB  # characters of all cells
    rendered_cell: int = 16 * KIB  # characters of Markdown in one cell; longer text is shown as it is
    rendered_text: int = 256 * KIB  # in all cells
    shown_text: int = 256 * KIB  # characters of all outputs
    shown_pictures: int = 16 * MIB
    table_bytes: int = 16 * MIB  # a class list, or the gradebook of an LMS

    # What is compared where the submissions of a class are compared with one another.
    compared_students: int = 3_000  # beyond that nobody is compared: it takes a square of numbers
    compared_code: int = 256 * KIB  # characters of one student's
    compared_fingerprints: int = 8_000  # of one student's; a whole solution has some 800
    compared_pairs: int = 1_000  # listed

    # What is said of what came in.
    longest_source: int = 1 * MIB  # of Python text that is looked at line by line outside of the jail; nobody types more
    notes: int = 20  # about one submission; what is odd is odd in a few ways, however often

    # What a Dask cluster holds for us at a time, so that its scheduler stays small.
    cluster_jobs_each: int = 2  # for a worker: the one it grades, and the next
    cluster_bytes: int = 256 * MIB  # of submissions on their way


DEFAULT = Limits()
