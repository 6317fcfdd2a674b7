"""The benchmark: `python -m benchmarks [--quick] [PART...]`, from the root of the repository. `make bench` runs all of it.

Figures go to build/bench/results.json, and from there into benchmarks/README.md and benchmarks/*.svg; those of a quick try stay in
build/bench/quick. A part that is run alone replaces its own figures only.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import parts, results
from benchmarks.render import render

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "bench"


def main() -> int:
    """Measure, write, draw. 1 where something could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How fast is it, against what?")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one or more of: {', '.join(parts.PARTS)}; all where none is named")
    parser.add_argument("--quick", action="store_true", help="small classes, few runs: whether it works, no figures to quote")
    parser.add_argument("--render", action="store_true", help="measure nothing, write the page from the figures that are there")
    options = parser.parse_args()
    unknown = set(options.parts) - parts.PARTS.keys()
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(parts.PARTS)}")

    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else what is not compiled yet is compiled anew by every process that is timed
    folder = FOLDER / "quick" if options.quick else FOLDER
    found = results.load(folder / "results.json")
    start = time.monotonic()

    def tell(text: str) -> None:
        print(f"[{time.monotonic() - start:6.1f} s] {text}", flush=True)

    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as scratch:
        bench = parts.Bench(parts.QUICK if options.quick else parts.FULL, FOLDER, Path(scratch), tell)
        for name in () if options.render else parts.names(options.parts):
            found[name] = parts.measure(name, bench)
            results.save(folder / "results.json", found)
    page = folder if options.quick else ROOT / "benchmarks"
    for path in render(found, page, template=ROOT / "benchmarks" / "README.md"):
        tell(f"wrote {path.relative_to(ROOT)}")
    return int(any(part.remarks for part in found.values()))


if __name__ == "__main__":
    sys.exit(main())
