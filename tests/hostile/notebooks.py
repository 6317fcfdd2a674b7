"""Notebooks: what editors, converters, browsers and students make of them."""

from __future__ import annotations

import json
from typing import Any

from tests.handed_in import ATTENTION, cell, notebook, zipped
from tests.hostile import BROKEN, MISSING, MODULE, NOT_SOFTMAX, SOFTMAX, STUB, TODO, WRONG, Case, graded, refused

TEXT, WRONG_TEXT, STUB_TEXT = SOFTMAX.decode(), NOT_SOFTMAX.decode(), STUB.decode()
NUMPY = cell("import numpy as np")
FILLED = notebook(NUMPY, cell(TEXT, "softmax"))
PRINTS = {"output_type": "stream", "name": "stdout"}
SCRIPT = "<script>document.title='owned'</script>"


def _document(**changes: Any) -> dict[str, Any]:
    return {**json.loads(FILLED), **changes}


def _as_json(document: Any) -> bytes:
    return json.dumps(document).encode()


def _version(major: Any, minor: int, *, ids: bool = False) -> bytes:
    cells = [{**each, **({"id": f"c{i}"} if ids else {})} for i, each in enumerate([NUMPY, cell(TEXT, "softmax")])]
    return _as_json(_document(nbformat=major, nbformat_minor=minor, cells=cells))


def _version_3() -> bytes:
    cells = [{"cell_type": "code", "input": text, "language": "python", "outputs": [], "metadata": {}} for text in ("import numpy", TEXT)]
    return _as_json({"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [{"cells": cells, "metadata": {}}]})


def _meta(**nbgrader: Any) -> bytes:
    return notebook(NUMPY, {**cell(TEXT), "metadata": {"nbgrader": nbgrader}})


def _outputs(*outputs: dict[str, Any]) -> bytes:
    return notebook(NUMPY, {**cell(TEXT, "softmax"), "outputs": list(outputs)})


def _with(*more: str) -> bytes:
    """A filled notebook with cells before the solution."""
    return notebook(*map(cell, more), NUMPY, cell(TEXT, "softmax"))


def _in_solution(before: str = "", after: str = "") -> bytes:
    return notebook(NUMPY, cell(before + TEXT + after, "softmax"))


def _kernel(name: str, language: str) -> bytes:
    return _as_json(_document(metadata={"kernelspec": {"name": name, "language": language}, "language_info": {"name": language}}))


NOT_RUN = "not run"


def _damaged() -> list[Case]:
    return [
        refused("nb-html.ipynb", b"<!DOCTYPE html>\n<title>Log in</title>", "web page", "download it again"),
        refused("nb-empty.ipynb", b"", "empty", "ask for it again"),
        refused("nb-cut.ipynb", FILLED[: len(FILLED) // 2], "cut short", "get it again"),
        refused("nb-merge.ipynb", FILLED.replace(b'"cells"', b'\n<<<<<<< HEAD\n"cells"'), "no JSON from line 2", "saved again"),
        refused("nb-list.ipynb", b"[1, 2]", "no notebook", "ask for the .ipynb"),
        refused("nb-number.ipynb", b"7", "no notebook"),
        refused("nb-null.ipynb", b"null", "no notebook"),
        refused("nb-deep.ipynb", b'{"nbformat": 4, "cells": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "no ordinary JSON", "saved again"),
        refused("nb-deep-objects.ipynb", b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "no ordinary JSON"),
        refused("nb-digits.ipynb", FILLED[:-1] + b', "x": ' + b"9" * 100_000 + b"}", "no ordinary JSON"),
        refused("nb-values.ipynb", b'{"nbformat": 4, "cells": [' + b"0," * 5_000_000 + b"0]}", "millions", "outputs cleared"),
        refused("nb-2.ipynb", _as_json({"nbformat": 2, "worksheets": [{"cells": []}]}), "nbformat 2", "saved in Jupyter"),
        refused("nb-without-cells.ipynb", _as_json({"nbformat": 4, "metadata": {}}), "no notebook"),
        refused("nb-cells-object.ipynb", _as_json(_document(cells={"0": NUMPY})), "no notebook"),
        refused("nb-zip.ipynb", zipped(MODULE), "zip", "rename it"),
        refused("nb-33mb.ipynb", _outputs({**PRINTS, "text": "x" * (33 << 20)}), "32 MiB", "outputs cleared"),
        refused("nb-binary.ipynb", bytes(range(256)) * 8, "damaged|no ordinary JSON"),
        refused("nb-cells-many.ipynb", notebook(*[cell("") for _ in range(5_001)]), "5000 cells"),
        refused(
            "nb-broken-beside-scratch",
            {"attention.ipynb": FILLED[:-9], "scratch.ipynb": notebook(cell("x = 1"))},
            "attention.ipynb",
            "cut short",
        ),
        graded("nb-broken-beside-work", {"attention.ipynb": FILLED, "old.ipynb": FILLED[:-9]}, "several", "old.ipynb"),
    ]


def _formats() -> list[Case]:
    return [
        *(graded(f"nb-4-{minor}.ipynb", _version(4, minor, ids=minor >= 5)) for minor in range(6)),
        graded("nb-4-5-without-ids.ipynb", _version(4, 5)),
        graded("nb-4-4-with-ids.ipynb", _version(4, 4, ids=True)),
        graded("nb-99.ipynb", _version(99, 0)),
        graded("nb-text-version.ipynb", _version("4", 0)),
        graded("nb-3.ipynb", _version_3()),
        graded("nb-bom.ipynb", b"\xef\xbb\xbf" + FILLED),
        graded("nb-utf16.ipynb", FILLED.decode().encode("utf-16")),
        graded("nb-crlf.ipynb", notebook(NUMPY, cell(TEXT.replace("\n", "\r\n"), "softmax"))),
        graded("nb-nan.ipynb", FILLED.replace(b'"metadata": {}', b'"metadata": {"x": NaN, "y": -Infinity}', 1)),
        graded("nb-twice-keys.ipynb", FILLED[:-1] + b', "cells": ' + _as_json(_document()["cells"]) + b"}"),
        graded("nb-surrogates.ipynb", _in_solution(after='s = "\ud800"\n')),
        graded("nb-list-source.ipynb", notebook(NUMPY, cell(TEXT.splitlines(keepends=True), "softmax"))),
        graded(
            "nb-odd-sources.ipynb", notebook(cell(None), cell(7), cell({"a": 1}), cell([1, None]), NUMPY, cell(TEXT, "softmax")), "no text"
        ),
        graded("nb-odd-cells.ipynb", _as_json(_document(cells=[7, "x", None, [], {}, {"cell_type": 3}, NUMPY, cell(TEXT)])), "no cells"),
        graded("nb-empty-cells.ipynb", notebook(), "no code cell", verdict=MISSING),
        graded("nb-prose.ipynb", notebook(cell("# Attention", kind="markdown")), "no code cell", verdict=MISSING),
        graded("nb-colab.ipynb", _as_json(_document(metadata={"colab": {"provenance": [], "toc_visible": True}, "accelerator": "GPU"}))),
        graded("nb-vscode.ipynb", _as_json(_document(cells=[NUMPY, {**cell(TEXT), "metadata": {"vscode": {"languageId": "python"}}}]))),
        graded("nb-30mb.ipynb", _outputs({**PRINTS, "text": "x\n" * 10_000_000})),
        graded(
            "nb-script.ipynb",
            _outputs({"output_type": "display_data", "data": {"text/html": SCRIPT, "application/javascript": "alert(1)"}}),
        ),
        graded("nb-kernel-r.ipynb", _kernel("ir", "R"), "kernel"),
        graded("nb-kernel-gone.ipynb", _kernel("my-own-env", "python")),
        graded(
            "nb-r.ipynb",
            _as_json(_document(cells=[cell("softmax <- function(x) exp(x) / sum(exp(x))")], metadata={"kernelspec": {"language": "R"}})),
            "kernel",
            verdict=MISSING,
        ),
    ]


def _ids() -> list[Case]:
    return [
        graded("nb-lost-metadata.ipynb", notebook(cell("import numpy as np"), cell(TEXT))),
        graded("nb-schema-1.ipynb", _meta(grade_id="softmax", solution=True, grade=False, schema_version=1)),
        graded("nb-points.ipynb", _meta(grade_id="softmax", solution=True, grade=True, points=1000, schema_version=3)),
        graded("nb-renamed-id.ipynb", _meta(grade_id="mine", solution=True, schema_version=3)),
        graded("nb-id-of-another.ipynb", _meta(grade_id="attention", solution=True, schema_version=3)),
        graded("nb-doubled-id.ipynb", notebook(NUMPY, cell(STUB_TEXT, "softmax"), cell(TEXT, "softmax")), "2 cells are marked"),
        graded("nb-doubled-work.ipynb", notebook(NUMPY, cell(WRONG_TEXT, "softmax"), cell(TEXT, "softmax")), "2 cells are marked"),
        graded("nb-new-cell.ipynb", notebook(NUMPY, cell(STUB_TEXT, "softmax"), cell(TEXT))),
        graded("nb-split.ipynb", notebook(NUMPY, cell("def helper(x):\n    return np.exp(x - x.max())", "softmax"), cell(TEXT))),
        graded("nb-merged.ipynb", notebook(cell("import numpy as np\n" + TEXT + ATTENTION.decode(), "attention"))),
        graded(
            "nb-locked-changed.ipynb",
            notebook(NUMPY, cell("raise SystemExit", "check-softmax", True), cell(TEXT, "softmax"), cell("exit()", "grade-softmax", True)),
        ),
        graded("nb-solution-locked.ipynb", notebook(NUMPY, cell(TEXT, "softmax", True))),
        graded("nb-raw.ipynb", notebook(NUMPY, cell(TEXT, "softmax", kind="raw")), "no code cell any more", verdict=MISSING),
        graded("nb-stub.ipynb", notebook(NUMPY, cell(STUB_TEXT, "softmax")), verdict=TODO),
        graded("nb-wrong.ipynb", notebook(NUMPY, cell(WRONG_TEXT, "softmax")), verdict=WRONG),
        graded("nb-syntax.ipynb", notebook(NUMPY, cell("def softmax(x, axis=-1)\n    return x", "softmax")), verdict=BROKEN),
    ]


def _magics() -> list[Case]:
    return [
        graded("nb-inline.ipynb", _with("%matplotlib inline\n%load_ext autoreload\n%autoreload 2"), "3 magics", NOT_RUN),
        graded("nb-time.ipynb", _in_solution("%%time\n"), "1 magics", NOT_RUN),
        graded("nb-bash.ipynb", _with("%%bash\nrm -rf /", "!rm -rf ~", "files = !ls", "?help", "np.exp??"), "5 magics", NOT_RUN),
        graded(
            "nb-javascript.ipynb",
            _with("%%javascript\nalert(1)", "%%html\n<script>", "%run other.ipynb", "%pip install torch"),
            "4 magics",
            NOT_RUN,
        ),
        graded("nb-writefile.ipynb", _with("%%writefile /tmp/owned.py\nx = 1"), "1 magics", NOT_RUN),
        graded(
            "nb-magic-in-body.ipynb",
            notebook(NUMPY, cell(TEXT.replace("    e =", "    %time pass\n    e ="), "softmax")),
            "1 magics",
            NOT_RUN,
        ),
        graded(
            "nb-await.ipynb",
            _in_solution("import asyncio\nawait asyncio.sleep(0)\n", "x = await asyncio.sleep(\n    0,\n)\n"),
            "2 magics",
            NOT_RUN,
        ),
        graded("nb-shell-object.ipynb", _with("get_ipython().system('rm -rf /')\nget_ipython().run_line_magic('run', 'x')")),
        graded("nb-fails.ipynb", _with("1 / 0", "import torch", "raise SystemExit", "this is no Python")),
        graded("nb-flood.ipynb", notebook(NUMPY, cell(TEXT, "softmax"), cell("a?\n" * 5_000_000))),
    ]


def _places() -> list[Case]:
    return [
        graded("attention_ada_late_123.ipynb", FILLED),
        graded("attention (2).ipynb", FILLED),
        graded("nb-renamed", {"attention (2).ipynb": FILLED}),
        graded("nb-two", {"attention.ipynb": notebook(NUMPY, cell(STUB_TEXT, "softmax")), "mine.ipynb": FILLED}, "several"),
        graded("nb-both-languages", {"attention.ipynb": notebook(cell(STUB_TEXT, "softmax")), "attention-zh.ipynb": FILLED}, "several"),
        graded("nb-and-modules", {"attention.ipynb": notebook(cell(WRONG_TEXT, "softmax")), **MODULE}, "modules were graded"),
        graded("nb-in-zip.zip", zipped({"hw/attention.ipynb": FILLED})),
        graded("nb-in-zip-inside", {"hw.zip": zipped({"attention.ipynb": FILLED})}),
        graded("nb-beside-file-exercises", {"attention.ipynb": FILLED, "exercises": b"x", "tests": b"x"}),
        graded("nb-checkpoint", {"attention.ipynb": FILLED, ".ipynb_checkpoints/attention-checkpoint.ipynb": notebook()}),
        graded("nb-as-text", {"attention.ipynb.txt": FILLED}),
        graded(
            "nb-big-floods", {f"{i}.ipynb": notebook(NUMPY, cell(TEXT, "softmax"), cell("\n" * 14_000_000)) for i in range(2)}, "several"
        ),
    ]


def cases() -> list[Case]:
    """All of them; made when asked for, since some are large."""
    return [*_damaged(), *_formats(), *_ids(), *_magics(), *_places()]
