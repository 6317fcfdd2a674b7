"""The self-check as a student meets it: pytest in an unpacked release, in processes of their own."""

from __future__ import annotations

import ast
import os
import re
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.content.layout import Layout
from autograder.content.release import release
from autograder.course import COURSE
from autograder.misconceptions.catalogue import by_id
from tests.course_copy import edit

KIT_FILES = ("conftest.py", "student.py", "expect.py", "board.py", "notebook.py", "Traceback", "site-packages")

WRONG_AXIS = """
import numpy as np

def softmax(x, axis=-1):
    print("I am here")
    e = np.exp(x - x.max())
    return e / e.sum(axis=0, keepdims=True)
"""


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One release, by assignment."""
    return {r.assignment: r.folder for r in release(tmp_path_factory.mktemp("release"))}


@pytest.fixture(scope="module")
def released(both: dict[str, Path]) -> Path:
    return both["attention"]


@pytest.fixture
def untouched(released: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(released, tmp_path / "my attention"))  # students' folders have blanks in their names


@pytest.fixture
def solved(untouched: Path) -> Path:
    for exercise in COURSE:
        code = Layout().solution(exercise).read_text(encoding="utf-8")
        (untouched / "exercises" / f"{exercise.module}.py").write_text(code.replace("from solutions.", "from exercises."), encoding="utf-8")
    return untouched


def self_check(folder: Path, *args: str, module: bool = False, **environment: str) -> tuple[int, str]:
    """pytest's exit code and output. The kit is not importable there, and no plugin of this environment is loaded."""
    command = [sys.executable, "-m", "pytest"] if module else [str(Path(sys.executable).with_name("pytest"))]
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "AUTOGRADER_LANG", "FORCE_COLOR")}
    env = {**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **environment}
    run = subprocess.run([*command, *args], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    return run.returncode, run.stdout + run.stderr


def board(output: str) -> dict[str, str]:
    """The board's lines: exercise -> the rest."""
    ids = "|".join(exercise.id for exercise in COURSE)
    return {match[1]: match[2].strip() for match in re.finditer(rf"^({ids})  +(.*)$", output, re.MULTILINE)}


def failures(output: str) -> dict[str, list[str]]:
    """The messages by their heading."""
    section = re.split("your exercises|练习进度", output.split(" FAILURES ")[1])[0]
    parts = re.split(r"^_+ (.*?) _+$", section, flags=re.MULTILINE)
    return {
        heading: [line for line in body.splitlines() if line.strip() and not line.startswith("==")]
        for heading, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_untouched_stubs_are_to_do_and_no_failure(untouched: Path):
    code, output = self_check(untouched)
    assert code == 0
    assert "failed" not in output
    assert "NotImplementedError" not in output
    lines = board(output)
    assert list(lines) == [exercise.id for exercise in COURSE]
    for exercise in COURSE:
        assert re.fullmatch(rf"{exercise.title.en} +0 of +\d+ right   to do", lines[exercise.id])
    assert (
        "Next: softmax. Edit exercises/softmax.py, then run\n    pytest exercises/tests/test_softmax.py\nFor a hint add --hint.\n" in output
    )
    assert len(output.splitlines()) < 2 * len(COURSE) + 12


def test_right_solutions_are_done(solved: Path):
    code, output = self_check(solved)
    assert code == 0
    for exercise in COURSE:
        right = re.search(r"(\d+) of +(\d+) right   done", board(output)[exercise.id])
        assert right is not None
        assert right[1] == right[2]
    assert "Everything here is right. You can hand in; README.md says how." in output


def test_a_wrong_answer_is_told_in_three_lines_and_a_hint_without_the_kit(untouched: Path):
    (untouched / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    code, output = self_check(untouched, "exercises/tests/test_softmax.py")
    assert code == 1
    assert failures(output)["softmax: each row adds up to one"] == [
        "Called softmax(x (2, 3)).",
        "The result is [[0.5 , 0.6667, 0.1429], [0.5 , 0.3333, 0.8571]].",
        "Each row is exp(x) divided by that row's own sum of exp(x).",
        f"Hint: {by_id()['softmax.always_the_first_axis'].hint.en}",
    ]
    for lines in failures(output).values():
        assert len([line for line in lines if not line.startswith("Hint: ")]) == 3
        assert len(lines) <= 4
    assert not [name for name in KIT_FILES if name in output]
    assert "I am here" not in output, "what a student prints stays out of the way"
    assert board(output)["softmax"].endswith("wrong")
    assert "\x1b[" not in output, "colours are for terminals"


def test_print_can_be_asked_for(untouched: Path):
    (untouched / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    assert "I am here" in self_check(untouched, "-s")[1]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def softmax(x, axis=-1):\n    return y + 1\n", "NameError: name 'y' is not defined (softmax.py, line 2: return y + 1)."),
        ("def softmax(x, axis=-1):\n    raise SystemExit(3)\n", "SystemExit: 3 (softmax.py, line 2: raise SystemExit(3))."),
        ("def softmax(x, axis=-1):\n    return softmax(x)\n", "(softmax.py, line 2: return softmax(x))."),
        (
            "import helper\ndef softmax(x, axis=-1):\n    return helper.f(x)\n",
            "ZeroDivisionError: division by zero (helper.py, line 2: return 1 / 0).",
        ),
    ],
)
def test_an_exception_is_told_by_type_message_and_the_students_own_line(untouched: Path, code: str, told: str):
    (untouched / "exercises" / "softmax.py").write_text(code, encoding="utf-8")
    (untouched / "helper.py").write_text("def f(x):\n    return 1 / 0\n", encoding="utf-8")
    _, output = self_check(untouched, "exercises/tests/test_softmax.py")
    assert all(told in lines[1] for lines in failures(output).values())
    assert all(lines[1].startswith("It raised ") for lines in failures(output).values())
    assert not [name for name in KIT_FILES if name in output]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def softmax(x, axis=-1)\n    return x\n", "SyntaxError: expected ':' (softmax.py, line 1: def softmax(x, axis=-1))."),
        ("import nonsense\n", "ModuleNotFoundError: No module named 'nonsense' (softmax.py, line 1: import nonsense)."),
        ("raise SystemExit\n", "SystemExit (softmax.py, line 1: raise SystemExit)."),
    ],
)
def test_a_module_that_does_not_import_is_told_once_although_all_build_on_it(solved: Path, code: str, told: str):
    (solved / "exercises" / "softmax.py").write_text(code, encoding="utf-8")
    exit_code, output = self_check(solved)
    assert exit_code == 1
    (lines,) = failures(output).values()
    assert lines[0] == "Called `import exercises.softmax`."
    assert lines[1] == f"It raised {told}"
    assert board(output)["softmax"].endswith("wrong")
    assert board(output)["multi_head"].endswith("not run")
    assert board(output)["patterns"].endswith("done")


def test_a_name_that_is_gone_is_told(untouched: Path):
    (untouched / "exercises" / "softmax.py").write_text("def soft_max(x, axis=-1):\n    return x\n", encoding="utf-8")
    _, output = self_check(untouched, "-x")
    assert failures(output)["softmax: each row adds up to one"][1:] == ["softmax.py has no `softmax`.", "Keep the name that the stub had."]


def test_some_written_and_some_not_is_to_do(solved: Path):
    path = solved / "exercises" / "multi_head.py"
    path.write_text(
        path.read_text(encoding="utf-8").replace("    return np.concatenate", "    raise NotImplementedError\n    return np.concatenate")
    )
    code, output = self_check(solved)
    assert code == 0
    assert re.search(r"5 of +6 right   to do", board(output)["multi_head"])
    assert "Next: multi_head." in output


def test_where_an_earlier_exercise_is_missing_that_one_is_next(solved: Path):
    shutil.copy(Layout().stub(COURSE[0]), solved / "exercises" / "softmax.py")
    _, output = self_check(solved, "-k", "test_attention")
    assert board(output)["attention"].endswith("to do")
    assert (
        "Next: softmax, which attention calls. Edit exercises/softmax.py, then run\n    pytest exercises/tests/test_softmax.py\n" in output
    )


def test_a_wrong_heatmap_is_shown(solved: Path):
    path = solved / "exercises" / "heatmap.py"
    edit(path, "np.floor(weights", "np.ceil(weights")
    _, output = self_check(solved, "-k", "test_heatmap")
    assert failures(output)["heatmap: the darker the larger the weight"] == [
        "Called ascii_heatmap(weights (3, 3), tokens=['the', 'cat', 'sat']).",
        "The result is",
        "  0 │    the cat sat",
        "  1 │the   █   ░   ░",
        "  2 │cat   ▒   ▓   ░",
        "  3 │sat   ░   █   ▒",
        "Line 1 has a wrong shade: the level is ⌊w·(len(shades) − 1) / max⌋, max being the largest weight of the whole matrix.",
    ]
    edit(path, 'return "\\n".join(lines)', 'return "\\n".join(["x" * 999, "\x1b[2J"] + lines * 9)')
    _, output = self_check(solved, "-k", "test_heatmap", "--lang", "zh")
    drawn = failures(output)["heatmap: 全零矩阵是空白的"][1:]
    assert drawn[:3] == ["结果是", "  0 │" + "x" * 100, "  1 │�[2J"]
    assert drawn[12].startswith(" 11 │")
    assert drawn[13] == "……还有 17 行"


def test_all_visible_tests_take_less_than_two_seconds_of_computing(solved: Path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    self_check(solved)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2.0


def test_k_and_a_path_choose_what_is_run_and_shown(solved: Path):
    _, output = self_check(solved, "-k", "test_attention")
    assert list(board(output)) == ["attention"]
    assert "To see the other exercises run: pytest" in output
    _, output = self_check(solved, "exercises/tests/test_masking.py")
    assert list(board(output)) == ["masking"]


def test_lf_runs_what_failed_last_time(solved: Path):
    (solved / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    _, first = self_check(solved)
    _, second = self_check(solved, "--lf")
    failed = re.search(r"(\d+) failed", first)
    assert failed is not None
    assert re.search(rf"^=+ {failed[1]} failed in", second, re.MULTILINE)


def test_x_stops_at_the_first_exercise_to_mend(solved: Path):
    (solved / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    _, output = self_check(solved, "-x", "-q")
    assert list(failures(output)) == ["softmax: each row adds up to one"]
    assert board(output)["attention"].endswith("not run")


@pytest.mark.parametrize("where", ["exercises", "exercises/tests"])
@pytest.mark.parametrize("module", [False, True])
def test_it_runs_from_a_subfolder_and_as_a_module(untouched: Path, where: str, module: bool):
    code, output = self_check(untouched / where, module=module)
    assert code == 0
    assert len(board(output)) == len(COURSE)
    commands = {"exercises": "pytest tests" + os.sep + "test_softmax.py", "exercises/tests": "pytest test_softmax.py"}
    assert commands[where] in output


@pytest.mark.parametrize(("args", "environment"), [(["--lang", "zh"], {}), (["--lang=zh"], {}), ([], {"AUTOGRADER_LANG": "zh_CN.UTF-8"})])
def test_messages_are_in_chinese_where_asked_for(untouched: Path, args: list[str], environment: dict[str, str]):
    (untouched / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    _, output = self_check(untouched, *args, **environment)
    assert "调用了 softmax(x (2, 3))。\n" in output
    assert "下一步：softmax。编辑 exercises/softmax.py，然后运行\n" in output
    assert re.search(r"^attention +缩放点积注意力 +6 项中 +0 项正确   待完成$", output, re.MULTILINE)


@pytest.mark.parametrize("where", [".", "exercises/tests"])
def test_the_chinese_release_speaks_chinese_unless_asked_otherwise(both: dict[str, Path], tmp_path: Path, where: str):
    folder = Path(shutil.copytree(both["attention-zh"], tmp_path / "注意力"))
    (folder / "exercises" / "softmax.py").write_text(WRONG_AXIS, encoding="utf-8")
    code, output = self_check(folder / where)
    assert code == 1
    assert "softmax: 每一行加起来等于 1" in output
    assert "每一行都是 exp(x) 除以这一行自己的 exp(x) 之和。" in output
    assert "练习进度" in output
    assert "your exercises" in self_check(folder / where, "--lang", "en")[1]


def test_a_warning_of_the_students_code_is_no_noise(solved: Path):
    path = solved / "exercises" / "softmax.py"
    path.write_text(
        path.read_text(encoding="utf-8").replace("    x = np.asarray", "    np.log(np.zeros(1))\n    x = np.asarray"), encoding="utf-8"
    )
    code, output = self_check(solved)
    assert code == 0
    assert "arning" not in output


def test_the_release_needs_numpy_and_pytest_alone(released: Path):
    allowed = {"numpy", "pytest", "exercises", *sys.stdlib_module_names}
    for path in released.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            optional = {"matplotlib"} if path.name == "plotting.py" else set()
            assert {name.split(".")[0] for name in names} <= allowed | optional, path.name
    wanted = re.findall(r"^([a-z]+)", (released / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    assert wanted == ["numpy", "pytest"]
