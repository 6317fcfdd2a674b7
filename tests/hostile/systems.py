"""What learning management systems give for a class: Canvas's zip, Moodle's two, nbgrader's tree; with hostile students among them."""

from __future__ import annotations

from pathlib import Path

from tests.handed_in import filled_notebook, set_time, tarred, write, zipped
from tests.hostile import MISSING, MODULE, NOT_SOFTMAX, RIGHT, SOFTMAX, WRONG, Case
from tests.hostile.archives import LOOK, MARKER
from tests.hostile.names import HIDDEN
from tests.hostile.notebooks import FILLED

ZIP = zipped(MODULE)

CANVAS = {
    "lovelaceada_11_9001_name-2.zip": ZIP,
    "noetheremmy_LATE_12_9002_name-2.zip": ZIP,
    "张三_13_9003_attention (1).ipynb": FILLED,
    "müllerjörg_LATE_14_9004_hw.tar-1.gz": tarred(MODULE),
    "gausscarl_15_9005_softmax-1.py": SOFTMAX,
    "gausscarl_15_9006_attention.py": b"x = 1\n",
    "gausscarl_15_9007_notes.txt": b"late, sorry",
    "abelniels_16_9008_broken.zip": b"<html>",
    "riemannbernhard_17_text.html": b"<p>see my website</p><script>alert(1)</script>",
    "eulerleonhard_18_9009_attention.ipynb": FILLED,
    "eulerleonhard_18_9010_scratch.ipynb": filled_notebook().replace(b"return x", b"return x "),
    "anon_aB3dE_9011_softmax.py": NOT_SOFTMAX,
    "LATE_anon_fG4hI_9012_softmax.py": SOFTMAX,
    "roster.csv": b"",
}
FILE, TEXT = "_assignsubmission_file_", "_assignsubmission_onlinetext_"
MOODLE = {
    f"Ada Lovelace_21{FILE}/hw.zip": ZIP,
    f"José Núñez_22{FILE}/exercises/softmax.py": SOFTMAX,
    f"Carl Gauss_23{TEXT}/onlinetext.html": b"<p>sorry</p>",
    f"张三_24{FILE}/attention.ipynb": FILLED,
    f"张三_24{TEXT}/onlinetext.html": b"<p>see the file</p>",
    f"<b>Bobby_25{FILE}/softmax.py": SOFTMAX,
    f"=HYPERLINK(1)_26{FILE}/softmax.py": SOFTMAX,
    f"Eve_27{FILE}/../../{MARKER}": b"x",
    f"Mallory_28{FILE}/C:\\{MARKER}": b"x",
    f"Mallory_28{FILE}/softmax.py": SOFTMAX,
    **{f"{name}{FILE}/softmax.py": SOFTMAX for name in HIDDEN},
}
FLAT = {
    f"Grace Hopper_31{FILE}softmax.py": SOFTMAX,
    f"Alan Turing_32{FILE}name.zip": ZIP,
    f"Kurt Gödel_33{TEXT}onlinetext.html": b"<p>sorry</p>",
}
NBGRADER = {
    "hopper/attention/attention.ipynb": FILLED,
    "hopper/attention/timestamp.txt": b"2025-03-02 12:00:00.000000 UTC",
    "turing/attention/exercises/softmax.py": SOFTMAX,
    "nobody/": b"",
    "twice/attention/attention.ipynb": FILLED,
    "twice/attention/timestamp.txt": b"2025-03-02 12:00:00.000000 Europe/Berlin",
    "twice/attention-zh/attention-zh.ipynb": filled_notebook(),
    "twice/attention-zh/timestamp.txt": b"2025-03-01 12:00:00 UTC",
}


def hand_in(folder: Path) -> list[Path]:
    """Each system's class in the folder; the paths to grade."""
    write(folder, {"canvas.zip": zipped(CANVAS), "moodle.zip": zipped(MOODLE), "flat.zip": zipped(FLAT)})
    tree = write(folder / "submitted", NBGRADER)
    set_time(tree / "twice" / "attention", 1e9)  # the stamp counts, not the file's time
    return [folder / "canvas.zip", folder / "moodle.zip", folder / "flat.zip", tree]


def _case(student: str, verdict: str | None = RIGHT, *says: str) -> Case:
    return Case(student, b"", verdict, says)


CASES = [
    *(_case(name) for name in ("lovelaceada_11", "张三_13", "gausscarl_15")),
    *(_case(name, RIGHT, "late") for name in ("noetheremmy_12", "müllerjörg_14", "anon_fG4hI")),
    _case("abelniels_16", None, "web page", "download it again"),
    _case("riemannbernhard_17", MISSING, "typed into the LMS"),
    _case("eulerleonhard_18", RIGHT, "several notebooks"),
    _case("anon_aB3dE", WRONG),
    *(_case(name) for name in ("Ada Lovelace_21", "José Núñez_22", "张三_24", "<b>Bobby_25", "=HYPERLINK(1)_26", *HIDDEN)),
    *(_case(name, MISSING, "typed into the LMS") for name in ("Carl Gauss_23", "Kurt Gödel_33")),
    _case("Eve_27", None, "`\\.\\.`", LOOK),
    _case("Mallory_28", None, "absolute", LOOK),
    *(_case(name) for name in ("Grace Hopper_31", "Alan Turing_32", "hopper", "turing")),
    _case("nobody", MISSING, "empty"),
    _case("twice", RIGHT, "2 submissions"),
]
