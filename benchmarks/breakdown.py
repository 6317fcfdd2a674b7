"""Where the time of one submission goes: `python -m benchmarks.breakdown [--jail auto] [--runs 5]`, from the root of the repository.

For each exercise the wall time of its parts in milliseconds, the least of several runs of a complete right submission after a first
one: starting a process in the jail, importing the module there, waiting for its answers, the grader's own work, and waiting until
all is dead; with how many messages went out and how many requests were in them. `processor` is what the grader process used.
"""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from autograder.content.layout import Layout
from autograder.content.proof import solution_files
from autograder.course import COURSE
from autograder.grading.conversation import Conversation
from autograder.grading.grader import Grader
from autograder.grading.run import Run
from autograder.jail import Session, choose
from autograder.limits import DEFAULT
from autograder.submissions import Submission

PARTS = ("spawn", "import", "answers", "grader", "closing", "all", "processor", "messages", "requests")
NAME_WIDTH = 16  # of the first column
spent: Counter[str] = Counter()
running: list[list[Any]] = []  # the timed methods that run, outermost first: the part, and what those within it took so far


def timed(owner: Any, name: str, part: str) -> None:
    """Add the time that a method takes to a part; what timed methods within it take belongs to theirs, but for an import's."""
    method: Callable[..., Any] = getattr(owner, name)

    @wraps(method)
    def measured(*args: Any, **kwargs: Any) -> Any:
        running.append([part if not running or running[-1][0] != "import" else "import", 0.0])
        start = time.perf_counter()
        try:
            return method(*args, **kwargs)
        finally:
            whole = time.perf_counter() - start
            belongs, within = running.pop()
            spent[belongs] += whole - within  # type: ignore[assignment]
            if running:
                running[-1][1] += whole

    setattr(owner, name, measured)


def counted() -> None:
    """Count messages and the requests in them."""
    ask = Conversation.ask

    def measured(self: Conversation, requests: Any, **how: Any) -> None:
        spent.update(messages=1, requests=sum(map(bool, requests)))  # without FORGET, which is empty
        ask(self, requests, **how)

    Conversation.ask = measured  # type: ignore[method-assign]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Where the time of one submission goes.")
    parser.add_argument("--jail", default="auto")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    for owner, name, part in ((Session, "spawn", "spawn"), (Run, "_first_reply", "import"), (Run, "stop", "closing")):
        timed(owner, name, part)
    timed(Conversation, "replies", "answers")
    counted()
    submission = Submission("ada", solution_files(Layout(Path(__file__).resolve().parent.parent)))
    with Grader(choose(options.jail), DEFAULT) as grader:
        grader.grade(submission, 1)
        gc.collect()
        gc.freeze()
        print(f"{'':{NAME_WIDTH}}" + "".join(f"{part:>10}" for part in PARTS))
        rows = []
        for exercise in COURSE:
            rows.append(min((row(grader, submission, [exercise.id]) for _ in range(options.runs)), key=lambda facts: facts["all"]))
            show(exercise.id, rows[-1])
        show("sum", {part: sum(facts[part] for facts in rows) for part in PARTS})
        show("all in one", min((row(grader, submission, []) for _ in range(options.runs)), key=lambda facts: facts["all"]))


def row(grader: Grader, submission: Submission, exercises: list[str]) -> dict[str, float]:
    """Milliseconds of each part, and the counts, for one grading."""
    spent.clear()
    start, used = time.perf_counter(), time.process_time()
    grader.grade(submission, 1, exercises=exercises)
    whole, used = time.perf_counter() - start, time.process_time() - used
    times = {
        **spent,
        "all": whole,
        "processor": used,
        "grader": whole - sum(spent[part] for part in ("spawn", "import", "answers", "closing")),
    }
    return {part: float(spent[part]) if part in ("messages", "requests") else 1000 * times.get(part, 0.0) for part in PARTS}


def show(name: str, facts: dict[str, float]) -> None:
    """One line of the table."""
    digits = {part: 0 if part in ("messages", "requests") else 1 for part in PARTS}
    print(f"{name:{NAME_WIDTH}}" + "".join(f"{facts[part]:10.{digits[part]}f}" for part in PARTS))


if __name__ == "__main__":
    main()
