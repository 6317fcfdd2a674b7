"""Both notebooks from top to bottom with the solutions, in a real kernel: every check right, every point given, no noise.

One test per notebook, because one run takes the better part of a minute.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from autograder.content.include import student_files
from autograder.content.layout import ASSIGNMENTS, Layout
from autograder.course import COURSE
from autograder.language import speaking
from solutions.scaling import softmax_jacobian
from solutions.softmax import softmax
from tests.conftest import jail_or_skip

LAYOUT = Layout()
PICTURES = (
    *("scaling-picture", "pictures-try", "pictures-difference-try", "pictures-heads-try"),
    *("trained-try", "trained-crossing-try", "trained-bottleneck-picture", "trained-heads-try"),
)
SMALLEST_PICTURE = 5_000  # bytes; an empty figure has fewer

# On a machine without a Chinese font the pictures say so, once; that is no noise.
NO_FONT = "No font on this machine"

Outputs = dict[str, list[Any]]


def read(lang: str) -> nbformat.NotebookNode:
    return nbformat.read(LAYOUT.source / ASSIGNMENTS[lang] / f"{ASSIGNMENTS[lang]}.ipynb", as_version=4)


def run(nb: nbformat.NotebookNode, folder: Path) -> Outputs:
    """The outputs by cell id, in a folder like a student's: with the stubs, so that it is the cells that are graded."""
    for name, content in student_files(LAYOUT).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    nbformat.write(nb, folder / "notebook.ipynb")
    NotebookClient(nb, timeout=120, kernel_name="python3", allow_errors=True, resources={"metadata": {"path": str(folder)}}).execute()
    return {cell.id: cell.outputs for cell in nb.cells if cell.cell_type == "code"}


def printed(outputs: list[Any]) -> str:
    return "".join(output.text for output in outputs if output.output_type == "stream" and output.name == "stdout")


def noise(outputs: Outputs) -> list[str]:
    """Errors, and what was written to stderr."""
    found = []
    for id, parts in outputs.items():
        found += [f"{id}: {part.ename}: {part.evalue}" for part in parts if part.output_type == "error"]
        found += [f"{id}: {part.text}" for part in parts if part.get("name") == "stderr"]
    return [text for text in found if NO_FONT not in text] + [text for text in found if NO_FONT in text][1:]


@pytest.mark.parametrize("lang", ASSIGNMENTS)
def test_the_lesson_runs_from_top_to_bottom_with_the_solutions(lang: str, tmp_path: Path):
    jail_or_skip("auto")  # the hidden parts grade
    nb = read(lang)
    outputs = run(nb, tmp_path)
    assert noise(outputs) == []
    right = {"en": r": (\d+) of \1 right\n", "zh": r"：(\d+) 项中 \1 项正确\n"}[lang]
    for exercise in COURSE:
        assert re.search(right, printed(outputs[f"check-{exercise.id}"])), exercise.id
        (result,) = (output for output in outputs[f"grade-{exercise.id}"] if output.output_type == "execute_result")
        assert float(result.data["text/plain"]) == exercise.points, exercise.id
        with speaking(lang):
            assert printed(outputs[f"grade-{exercise.id}"]).startswith(str(exercise.title)), exercise.id
    for id in PICTURES:
        (image,) = (output.data["image/png"] for output in outputs[id] if "image/png" in output.get("data", {}))
        assert len(base64.b64decode(image)) > SMALLEST_PICTURE, id
    says_what_its_code_prints(nb, outputs)


def says_what_its_code_prints(nb: nbformat.NotebookNode, outputs: Outputs) -> None:
    """The numbers in the prose are those that the code gives; they stand in both notebooks alike."""
    prose = {cell.id: cell.source for cell in nb.cells if cell.cell_type == "markdown"}
    told = {id: printed(parts) for id, parts in outputs.items()}

    assert "[0.58  0.096 0.079 0.158 0.087]" in told["softmax-example"]
    assert "**0.580** | **0.096** | **0.079** | **0.158** | **0.087**" in prose["softmax-lesson"]
    np.testing.assert_allclose(softmax(np.array([1, 0, 0.5]) / np.sqrt(3)), [0.433, 0.243, 0.324], atol=5e-4)
    assert all(f"**{weight}**" in prose["attention-lesson"] for weight in ("0.433", "0.243", "0.324"))

    np.testing.assert_allclose(softmax_jacobian([0.5, 0.3, 0.2])[1], [-0.15, 0.21, -0.06])
    assert "w_1   -0.15     0.21    -0.06" in prose["scaling-jacobian"]
    assert re.search(r"^1024 +3\d\.\d\d +[01]\.\d\d +0\.025 +0\.218$", told["scaling-try"], re.MULTILINE)

    assert "[0.269 0.731 0.   ]\n" in told["masking-example"]
    assert "[0.09  0.245 0.   ]" in told["masking-example"]
    assert "[[0.155 0.422 0.422]\n [0.333 0.333 0.333]\n [0.155 0.422 0.422]]" in told["self-attention-example"]
    assert "JS = 0.347" in told["patterns-example"]
    assert "[0.    0.    0.    " in told["patterns-try"]

    assert "**0.485**" in prose["seq2seq-example"]
    assert told["trained-try"].startswith("I like learning deep learning\n")
    assert told["trained-crossing-try"] == "he does not learn machine learning at home today\n"
    shares = re.findall(r"(\d+) (?:of|/) +(\d+)", told["trained-bottleneck-try"])
    assert shares[-2:] == [("240", "240"), ("164", "240")]
    assert [int(right) for right, _ in shares[1::2]] == [59, 30, 57, 14, 4, 164]
    assert "喜欢 likes" in told["trained-heads-try"]
    assert "240" in prose["trained-heads"] and "238" in prose["trained-heads"]

    np.testing.assert_allclose(softmax([0.1, 0.4, 0.0, 2.1]), [0.09, 0.13, 0.09, 0.69], atol=6e-3)
    np.testing.assert_allclose(softmax([2.0, 4.0]) @ [10, 20], 18.81, atol=5e-3)
    np.testing.assert_allclose(softmax([1.0, 3.0, 2.0, 5.0]) @ [10, 20, 30, 40], 36.88, atol=5e-3)
    assert "18.81" in prose["kv-cache-lesson"] and "**36.88**" in prose["blockwise-example"]
    np.testing.assert_allclose(softmax_jacobian([0.2, 0.3, 0.5]) @ [4, 0, 2], [0.44, -0.54, 0.10])
    assert all(f"**{slope}**" in prose["backward-order"] for slope in ("0.44", "−0.54", "0.10"))
