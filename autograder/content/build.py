"""`autograder build`: writes what is generated from solutions/, or says what is out of date. The command line calls `build`."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.content.check import content_faults
from autograder.content.generated import compare, out_of_date
from autograder.content.layout import Fault, Layout


@dataclass(frozen=True)
class Built:
    """What a build did: the files that it wrote, in `check` mode none; and what only a person can mend."""

    written: tuple[str, ...]
    faults: tuple[Fault, ...]


def build(layout: Layout | None = None, *, check: bool = False) -> Built:
    """Bring stubs and notebook cells in step with solutions/; only files that change are written.

    check: write nothing; a file that is out of date is a fault, and so is what `content_faults` finds.
    """
    layout = layout or Layout()
    stale, faults = compare(layout)
    if check:
        return Built((), (*faults, *out_of_date(stale, layout), *content_faults(layout)))
    for path, text in stale.items():
        path.write_text(text, encoding="utf-8", newline="\n")
    return Built(tuple(layout.name(path) for path in stale), tuple(faults))
