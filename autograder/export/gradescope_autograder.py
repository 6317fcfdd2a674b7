"""A zip that makes Gradescope run this kit on every submission: setup.sh, run_autograder, and the kit itself.

Source: gradescope-autograders.readthedocs.io, "Autograder Specifications" and "Base Images": the zip is unpacked to
/autograder/source, setup.sh runs once as root on Ubuntu, run_autograder for each submission in /autograder/submission. Grading
there needs a jail too: bubblewrap where the container allows namespaces, else Landlock. Where neither works run_autograder
fails and says so, which Gradescope shows to the instructor alone.
"""

from __future__ import annotations

import io
import secrets
import zipfile
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

from packaging.requirements import Requirement

from autograder.content.layout import Layout

DISTRIBUTION = "attention-autograder"
NEEDED = ("numpy", "pytest", "msgpack", "rich", "jinja2", "packaging")  # what grading imports; releasing needs the others
FOR_STUDENTS = ("matplotlib>=3.8,<4",)  # that student code may import

KIT = ("autograder", "solutions", "exercises")
KIT_FILES = ("pyproject.toml", "README.md", "LICENSE")
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

SETUP = """\
#!/usr/bin/env bash
# Runs once, when Gradescope builds the image of this assignment.
set -euo pipefail
root=${AUTOGRADER_ROOT:-/autograder}

# Python 3.11 is the oldest that will do: Ubuntu 24.04 has a newer one of its own, 22.04 has it as another package.
python=python3
packages="python3-venv bubblewrap"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    python=python3.11
    packages="python3.11 python3.11-venv bubblewrap"
fi
if [ -z "${AUTOGRADER_ROOT:-}" ]; then
    apt-get update
    DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages
fi

"$python" -m venv "$root/venv"
"$root/venv/bin/python" -m pip install --disable-pip-version-check -r "$root/source/requirements.txt"
"$root/venv/bin/python" -m pip install --disable-pip-version-check --no-deps "$root/source/kit"
"$root/venv/bin/autograder" doctor
"""

RUN = """\
#!/usr/bin/env bash
# Grades the one submission of this container. What is printed here is shown to the instructor alone.
set -uo pipefail
root=${{AUTOGRADER_ROOT:-/autograder}}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One seed for everybody, and again tomorrow: whoever hands in twice is asked the same. It is a secret, like the hidden tests.
seed={seed}
# "none" runs student code unconfined, beside the hidden tests: only where nobody would read them.
jail={jail}

# In nbgrader's layout, so that whatever was uploaded is one student's.
mkdir -p "$work/submitted/student/attention"
cp -a "$root/submission/." "$work/submitted/student/attention/"
"$root/venv/bin/autograder" grade "$work/submitted" --out "$work/graded" --jobs 1 --seed "$seed" --jail "$jail" --lang {lang}
"$root/venv/bin/autograder" export "$work/graded" --to gradescope --out "$root/results/results.json" --lang {lang}{bonus}
"""


def autograder_zip(layout: Layout, *, lang: str, bonus: bool, jail: str = "auto", seed: int | None = None) -> bytes:
    """The zip to upload. seed: of the hidden inputs; None draws one."""
    seed = secrets.randbelow(2**31) if seed is None else seed
    run = RUN.format(seed=seed, jail=jail, lang=lang, bonus=" --bonus" if bonus else "")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name, text in (("setup.sh", SETUP), ("run_autograder", run)):
            bundle.writestr(_member(name, 0o755), text)
        bundle.writestr(_member("requirements.txt", 0o644), requirements())
        for path in _kit(layout):
            bundle.writestr(_member(f"kit/{path.relative_to(layout.root).as_posix()}", 0o644), path.read_bytes())
    return out.getvalue()


def _member(name: str, mode: int) -> zipfile.ZipInfo:
    member = zipfile.ZipInfo(name, _ZIP_TIME)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3
    member.external_attr = (0o100000 | mode) << 16
    return member


def _kit(layout: Layout) -> Iterator[Path]:
    for name in KIT_FILES:
        yield layout.root / name
    for folder in KIT:
        for path in sorted((layout.root / folder).rglob("*")):
            inside = path.relative_to(layout.root).parts
            if path.is_file() and path.suffix != ".pyc" and not any(part.startswith((".", "__pycache__")) for part in inside):
                yield path


def requirements() -> str:
    """What pip installs there: of this kit's own requirements those that grading needs, with the same bounds."""
    named = {
        requirement.name.lower(): requirement for requirement in map(Requirement, requires(DISTRIBUTION) or ()) if not requirement.marker
    }
    return "".join(f"{line}\n" for line in (*(str(named[name]) for name in NEEDED), *FOR_STUDENTS))
