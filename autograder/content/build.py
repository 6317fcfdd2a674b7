"""`autograder build`: writes what is generated from solutions/, or says what is out of date. The command line calls `build`."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.content.check import content_faults
from autograder.content.dropped import notes
from autograder.content.generated import compare, out_of_date
from autograder.content.hints import stale_hints
from autograder.content.layout import Fault, Layout
from autograder.content.proof import prove
from autograder.course import COURSE


def hint_faults(layout: Layout) -> list[Fault]:
    """Whether the visible tests' hints are those of the catalogue."""
    return out_of_date([layout.hints], layout) if stale_hints(layout) is not None else []


@dataclass(frozen=True)
class Built:
    """What a build did: the files that it wrote, in `check` mode none; what only a person can mend; what else to know."""

    written: tuple[str, ...]
    faults: tuple[Fault, ...]
    notes: tuple[str, ...] = ()


def build(layout: Layout | None = None, *, check: bool = False) -> Built:
    """Bring stubs and notebook cells in step with solutions/; only files that change are written.

    check: write nothing; a file that is out of date is a fault, and so is what `content_faults` finds. Where there is none
        of these, solutions and stubs are graded and tested too.
    """
    layout = layout or Layout()
    stale, faults = compare(layout)
    if check:
        found = (*faults, *out_of_date(stale, layout), *content_faults(layout))
        if found:
            return Built((), found, ("solutions and stubs were neither graded nor tested: mend the above first",))
        proof = prove(layout)
        return Built((), (*proof.faults, *hint_faults(layout)), (*notes(layout), *proof.notes))
    for path, text in stale.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    written = all(layout.solution(exercise).is_file() and layout.visible_test(exercise).is_file() for exercise in COURSE)
    hints = stale_hints(layout) if written and not faults else None
    if hints is not None:
        layout.hints.write_text(hints, encoding="utf-8", newline="\n")
        stale[layout.hints] = hints
    return Built(tuple(layout.name(path) for path in stale), tuple(faults), tuple(notes(layout)) if not faults else ())
