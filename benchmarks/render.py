"""The figures as a page: tables in the marked region of benchmarks/README.md, and plots beside it. `python -m benchmarks --render`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import matplotlib
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter, NullFormatter

from benchmarks.parts import OTTER_RUN, OURS, STOCK
from benchmarks.results import Part, Row

BEGIN, END = "<!-- figures: begin, written by `make bench` -->", "<!-- figures: end -->"
CLASS, GRADERS = "class.svg", "graders.svg"
STYLE: dict[Any, Any] = {
    "svg.hashsalt": "attention-autograder",
    "svg.fonttype": "none",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
}
GOALS = {STOCK: 20.0, OTTER_RUN: 40.0}  # times our seconds a submission
GOAL_SECONDS, GOAL_MEMORY = 0.10, 600 * 2**20  # with two jobs

Parts = Mapping[str, Part]


def render(parts: Parts, folder: Path, *, template: Path) -> list[Path]:
    """Write the page and its plots into a folder: the files. template: the page as it is, whose marked region is replaced."""
    before, rest = template.read_text("utf-8").split(BEGIN)
    _, after = rest.split(END)
    text = "\n\n".join(section for section in sections(parts) if section)
    page = folder / "README.md"
    page.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", "utf-8")
    written = [page]
    with matplotlib.rc_context(STYLE):
        for name, figure in (drawn for drawn in (draw_class(parts), draw_graders(parts)) if drawn is not None):
            figure.savefig(folder / name, format="svg", metadata={"Date": None, "Creator": None})
            written.append(folder / name)
    return written


def sections(parts: Parts) -> Iterator[str]:
    """The parts of the page, as Markdown."""
    yield machine(parts)
    yield goals(parts)
    for name, write in (("scale", scale), ("peers", peers), ("floor", floor), ("selfcheck", selfcheck), ("breakdown", breakdown)):
        if rows(parts, name):
            yield write(parts)
    missing = [remark.partition(":")[0] for part in parts.values() for remark in part.remarks]  # the rest names paths and hosts
    if missing:
        yield "\n".join(["### Not measured, for the reasons in build/bench/results.json", "", *(f"- {what}" for what in missing)])


def machine(parts: Parts) -> str:
    """What it was measured on. Parts that were measured by themselves may tell another story."""
    told: dict[str, list[str]] = {}
    for name, part in parts.items():
        facts = ", ".join(f"{what} {fact}" for what, fact in part.machine.items() if what != "load before")
        told.setdefault(facts, []).append(f"{name} ({part.machine['load before']})")
    lines = [f"- {facts}. Load before each part: {', '.join(names)}." for facts, names in told.items()]
    return "\n".join(["### Machine", "", *lines])


def goals(parts: Parts) -> str:
    """What was aimed at, and what was reached."""
    lines = []
    largest = max((row for row in rows(parts, "scale") if row.jobs == 2 and row.steady), key=lambda row: row.students, default=None)
    if largest is not None:
        reached = steady(largest)
        what = f"a submission from the second on, 2 jobs ({largest.students} submissions)"
        lines.append((what, f"at most {GOAL_SECONDS:.2f} s", f"{reached:.3f} s", reached <= GOAL_SECONDS))
    peak = max((row.peak for row in rows(parts, "scale") if row.jobs == 2), default=0)
    if peak:
        lines.append(("memory of the batch, 2 jobs", f"below {GOAL_MEMORY >> 20} MiB", f"{peak >> 20} MiB", peak < GOAL_MEMORY))
    for exercises in sorted({row.exercises for row in rows(parts, "peers")}):
        for peer, goal in GOALS.items():
            ratio = times_ours(parts, peer, exercises, 2)
            if ratio is not None:
                what = f"throughput against `{peer}`, {exercises} exercises, 2 jobs"
                lines.append((what, f"{goal:.0f} times", f"{ratio:.1f} times", ratio >= goal))
    if not lines:
        return ""
    body = [(what, goal, reached, "yes" if holds else "no") for what, goal, reached, holds in lines]
    return "### Goals\n\n" + table(("", "goal", "measured", "reached"), body)


def scale(parts: Parts) -> str:
    """How the cost of a class grows."""
    body = [
        (
            str(row.students),
            str(row.jobs),
            str(len(row.seconds)),
            f"{row.whole:.2f}",
            f"{row.each:.3f}",
            f"{steady(row):.3f}" if row.steady else "",
            f"{median(row.again):.2f}",
            f"{row.peak >> 20}" if row.peak else "",
        )
        for row in rows(parts, "scale")
    ]
    head = ("submissions", "jobs", "runs", "whole, s", "each, s", "each from the second on, s", "again unchanged, s", "memory, MiB")
    picture = f"![Seconds a submission against the size of the class]({CLASS})"
    return f"### A class of N, all exercises\n\n{table(head, body)}\n\n{picture}"


def peers(parts: Parts) -> str:
    """Ours and theirs on equal assignments."""
    body = []
    for row in sorted(rows(parts, "peers"), key=lambda row: (row.exercises, row.jobs)):
        ratio = times_ours(parts, row.who, row.exercises, row.jobs)
        body.append(
            (
                f"`{row.who}`" if row.who in (OURS, STOCK, OTTER_RUN) else row.who,
                str(row.exercises),
                str(row.jobs),
                str(row.students),
                str(len(row.seconds)),
                f"{steady(row):.3f}" if row.steady else "",
                f"{ratio:.1f}" if ratio is not None else "",
                f"{row.each:.2f}",
            )
        )
    head = ("grader", "exercises", "jobs", "submissions", "runs", "each from the second on, s", "times ours", "each, start included, s")
    picture = f"![Seconds a submission from the second on, by grader]({GRADERS})"
    return f"### Against other graders, an equal assignment for each\n\n{table(head, body)}\n\n{picture}"


def floor(parts: Parts) -> str:
    """Our grading against a fresh interpreter that only makes the calls."""
    body = []
    for row in sorted(rows(parts, "floor"), key=lambda row: (row.jobs, row.exercises)):
        our = find(parts, OURS, row.exercises, row.jobs)
        ratio = f"{steady(our) / steady(row):.2f}" if our is not None and our.steady and row.steady else ""
        body.append((row.who, str(row.exercises or ""), str(row.jobs), f"{steady(row):.3f}" if row.steady else "", ratio))
    head = ("a fresh interpreter for each submission", "exercises", "jobs", "each, s", "ours (from the second on) / this")
    return "### The floor\n\n" + table(head, body)


def selfcheck(parts: Parts) -> str:
    """What a student waits for."""
    found = rows(parts, "selfcheck")
    body = [(row.who, f"{row.whole:.2f}", f"{row.whole / found[0].whole:.1f}") for row in found]
    return "### Self-check in an unpacked release\n\n" + table(("", "s", "times the import"), body)


def breakdown(parts: Parts) -> str:
    """Where the time of one submission goes."""
    found = rows(parts, "breakdown")
    body = [(row.who, *(f"{value:.0f}" if name in COUNTS else f"{value:.1f}" for name, value in row.facts.items())) for row in found]
    head = ("", *(name if name in COUNTS else f"{name}, ms" for name in found[0].facts))
    return "### Where the time of one submission goes\n\n" + table(head, body)


COUNTS = ("messages", "requests")


def rows(parts: Parts, name: str) -> Sequence[Row]:
    """The rows of a part; none where it was not measured."""
    return parts[name].rows if name in parts else ()


def find(parts: Parts, grader: str, exercises: int, jobs: int) -> Row | None:
    """What a grader took for the equal assignment."""
    return next((row for row in rows(parts, "peers") if (row.who, row.exercises, row.jobs) == (grader, exercises, jobs)), None)


def times_ours(parts: Parts, grader: str, exercises: int, jobs: int) -> float | None:
    """How many times our seconds a submission another grader takes, from the second submission on."""
    our, other = find(parts, OURS, exercises, jobs), find(parts, grader, exercises, jobs)
    return steady(other) / steady(our) if our is not None and other is not None and our.steady and other.steady else None


def steady(row: Row) -> float:
    """Seconds a submission from the second on."""
    found = row.each_after_the_first
    assert found is not None
    return found


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A Markdown table; all columns but the first are numbers."""
    lines = [head, ("---", *["---:"] * (len(head) - 1)), *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def draw_class(parts: Parts) -> tuple[str, Figure] | None:
    """Seconds a submission, the command's start included, against the size of the class; the peers and the floor as levels."""
    if not rows(parts, "scale"):
        return None
    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.subplots()
    for jobs, marker in ((1, "o"), (2, "s")):
        points = [(row.students, row.each) for row in rows(parts, "scale") if row.jobs == jobs]
        axes.plot(*zip(*points, strict=True), marker=marker, label=f"{OURS}, {in_words(jobs)}, its start included")
    levels = [row for name in ("peers", "floor") for row in rows(parts, name) if row.jobs == 2 and row.steady]
    most = max((row.exercises for row in levels), default=0)
    for row, style in zip((row for row in levels if row.exercises == most and row.who in LEVELS), ("--", "-.", ":"), strict=False):
        name = f"{LEVELS[row.who]}, {most} exercises, {in_words(2)}, from the second on"
        axes.axhline(steady(row), color="0.4", linestyle=style, linewidth=1, label=name)
    axes.set(xscale="log", yscale="log", xlabel="submissions in the class", ylabel="seconds a submission")
    axes.set_title(f"all {rows(parts, 'scale')[0].exercises} exercises")
    plain_numbers(axes.xaxis, axes.yaxis)
    figure.legend(loc="outside lower center", frameon=False, fontsize=8)
    return CLASS, figure


LEVELS = {STOCK: STOCK, OTTER_RUN: OTTER_RUN, "the calls": "the floor"}


def draw_graders(parts: Parts) -> tuple[str, Figure] | None:
    """Seconds a submission from the second on, of each grader, a panel for each assignment."""
    found = [row for row in rows(parts, "peers") if row.steady]
    if not found:
        return None
    assignments = sorted({row.exercises for row in found})
    figure = Figure(figsize=(4 + 3 * len(assignments), 3.6), layout="constrained")
    panels = figure.subplots(1, len(assignments), sharey=True, squeeze=False)[0]
    names = list(dict.fromkeys(row.who for row in found))[::-1]
    for axes, exercises in zip(panels, assignments, strict=True):
        for jobs, marker in ((1, "o"), (2, "s")):
            here = {row.who: steady(row) for row in found if (row.exercises, row.jobs) == (exercises, jobs)}
            heights = [names.index(name) + (0.15 if jobs == 1 else -0.15) for name in here]
            axes.plot(list(here.values()), heights, linestyle="", marker=marker, label=in_words(jobs))
            for value, height in zip(here.values(), heights, strict=True):
                axes.annotate(f"{value:.2f}", (value, height), (6, 0), textcoords="offset points", va="center", fontsize=8)
        axes.set(xscale="log", title=f"{exercises} exercises", xlabel="seconds a submission", yticks=range(len(names)), yticklabels=names)
        axes.set_ylim(-0.6, len(names) - 0.4)
        axes.margins(x=0.2)
        axes.grid(axis="x", color="0.9")
        plain_numbers(axes.xaxis)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return GRADERS, figure


def in_words(jobs: int) -> str:
    """The number of jobs."""
    return f"{jobs} job{'s' * (jobs != 1)}"


def plain_numbers(*axes: Axis) -> None:
    """0.1, 1, 10 along a logarithmic axis, in place of powers."""
    for axis in axes:
        axis.set_major_formatter(FormatStrFormatter("%g"))
        axis.set_minor_formatter(NullFormatter())
