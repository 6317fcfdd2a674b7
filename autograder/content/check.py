"""The content checks itself: every exercise has all its parts, and no part belongs to no exercise. `autograder build --check` runs it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import nbformat

from autograder.content import deliverable
from autograder.content.belonging import strays
from autograder.content.dropped import dropped
from autograder.content.languages import untranslated
from autograder.content.layout import Fault, Layout
from autograder.content.notebooks import HEADING, cell_ids, grade_id_of
from autograder.content.regions import BEGIN, END, normalised, solution_lines
from autograder.content.twins import differences
from autograder.course import COURSE, COURSE_LIST, Exercise

# A shape as docstrings write it: (..., n_q, d_k), (d_model, n_heads*d_head), (n,), (...); not the arguments of a call.
_SHAPE = re.compile(r"(?<!\w)\((\.\.\.|[A-Za-z_][\w*+\- ]*,)[^()=]*\)")
_TODO = re.compile(r"^\s*# TODO \d+: \S", re.MULTILINE)

Points = Callable[[Exercise], Mapping[str, float]]


def content_faults(layout: Layout, points: Points | None = None) -> list[Fault]:
    """Everything that is missing, left over or does not add up, exercise by exercise.

    points: the hidden tests of an exercise with their points; by default those that the grader would run.
    """
    faults = list(_syntax_faults(layout))
    if faults:
        return faults  # the rest is found by reading these files
    if points is None and all(layout.hidden_test(exercise).is_file() for exercise in COURSE):
        points = hidden_points(layout, faults)
    for exercise in COURSE:
        faults += _course_faults(exercise)
        faults += _solution_faults(exercise, layout)
        faults += _test_faults(exercise, layout, points)
    for notebook in layout.notebooks():
        faults += _section_faults(notebook.path, layout)
    faults += differences(layout)
    faults += untranslated(layout)
    faults += _clashes(layout)
    way_out = f"delete it or add its exercise to {COURSE_LIST}"
    return [*faults, *(Fault(layout.name(path), "belongs to no exercise", way_out) for path in strays(layout))]


def _syntax_faults(layout: Layout) -> Iterator[Fault]:
    """Files of the exercises that are no Python."""
    for exercise in COURSE:
        for path in (layout.solution(exercise), layout.visible_test(exercise), layout.hidden_test(exercise)):
            try:
                ast.parse(path.read_bytes() if path.is_file() else b"")
            except SyntaxError as error:
                yield Fault(f"{layout.name(path)}:{error.lineno}", f"it is no Python: {error.msg}", "mend that line")


def hidden_points(layout: Layout, faults: list[Fault]) -> Points | None:
    """Points by test, as the grader itself collects them; None where it cannot, which is a fault more."""
    from autograder.grading.session import FaultOfTheKit, HiddenTests  # nbgrader's configuration loads this folder, and not the grader

    try:
        tests = HiddenTests()
    except FaultOfTheKit as error:
        faults.append(Fault(layout.name(layout.hidden_tests), str(error), "mend it"))
        return None
    return lambda exercise: {test: line.points for test, line in tests.rubric(exercise).items()}


def _course_faults(exercise: Exercise) -> Iterator[Fault]:
    if not exercise.title.en.strip() or not exercise.title.zh.strip():
        yield Fault(COURSE_LIST, f"{exercise.id} lacks a title in one of the languages", 'write both: Text("…", "…")')


def _solution_faults(exercise: Exercise, layout: Layout) -> Iterator[Fault]:
    path = layout.solution(exercise)
    file = layout.name(path)
    if not path.is_file():
        yield Fault(file, "there is no solution", "write it, with a docstring, TODOs and a solution region")
        return
    code = path.read_text(encoding="utf-8")
    defined = {node.name: node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    values = {name for name, _ in _top_level_names(code)} - set(defined)
    for entry in exercise.entry_points:
        if entry.name in values:
            continue
        if entry.name not in defined:
            yield Fault(file, f"it does not define {entry.name}", f"define it, or mend the entry points in {COURSE_LIST}")
        elif not _SHAPE.search(ast.get_docstring(defined[entry.name]) or ""):
            yield Fault(file, f"the docstring of {entry.name} names no shape", "say what shapes it takes and gives, like (..., n_q, d_k)")
    for number, region in _before_each_region(code):
        if not _TODO.search(region):
            yield Fault(f"{file}:{number}", "no TODO stands before this solution region", "write `# TODO 1: …` above it")
    stub = layout.stub(exercise)
    if stub.is_file():
        secret = solution_lines(code)
        for number, line in enumerate(stub.read_text(encoding="utf-8").splitlines(), start=1):
            if normalised(line) in secret:
                yield Fault(
                    f"{layout.name(stub)}:{number}", f"a line of the solution ({file}:{secret[normalised(line)]})", "run `autograder build`"
                )


def _before_each_region(code: str) -> Iterator[tuple[int, str]]:
    """The line of each BEGIN marker, and what stands between it and the end of the region before."""
    start, lines = 0, code.splitlines()
    for i, line in enumerate(lines):
        if BEGIN in line:
            yield i + 1, "\n".join(lines[start:i])
        elif END in line:
            start = i + 1


def _test_faults(exercise: Exercise, layout: Layout, points: Points | None) -> Iterator[Fault]:
    visible = layout.visible_test(exercise)
    if not visible.is_file() or "\ndef test_" not in visible.read_text(encoding="utf-8"):
        yield Fault(layout.name(visible), "no visible test", "write at least one, in the words of exercises/tests/expect.py")
    elif layout.solution(exercise).is_file():
        yield from _question_faults(exercise, layout)
    hidden = layout.hidden_test(exercise)
    if not hidden.is_file():
        yield Fault(layout.name(hidden), "no hidden test", "write them; each carries @graded(points, title, 中文)")
        return
    if points is None:
        return
    given = points(exercise)
    total = sum(given.values())
    if abs(total - exercise.points) > 1e-9:
        yield Fault(
            layout.name(hidden),
            f"its points add up to {total:g}, but the course gives {exercise.points:g}",
            f"change one or the other; the course's are in {COURSE_LIST}",
        )
    for test in [test for test, worth in given.items() if worth <= 0]:
        yield Fault(layout.name(hidden), f"{test} comes out at {given[test]:g} points", "give it, or its exercise, more")


def _question_faults(exercise: Exercise, layout: Layout) -> Iterator[Fault]:
    """The visible tests have a question about each entry point in `HINTS`, which `pytest --hint` shows, and none about anything else."""
    visible = layout.visible_test(exercise)
    asked = _keys_of("HINTS", ast.parse(visible.read_text(encoding="utf-8")))
    code = layout.solution(exercise).read_text(encoding="utf-8")
    defined = {name for name, _ in _top_level_names(code)}
    for cls in (node for node in ast.parse(code).body if isinstance(node, ast.ClassDef)):
        defined |= {f"{cls.name}.{node.name}" for node in cls.body if isinstance(node, ast.FunctionDef)}
    for name in sorted({entry.name for entry in exercise.entry_points} - asked):
        yield Fault(layout.name(visible), f"HINTS has no question about {name}", 'write one: "name": Text("…?", "…？")')
    for name in sorted(asked - defined):
        yield Fault(layout.name(visible), f"HINTS asks about {name}, which the solution does not define", "mend the name")


def _keys_of(name: str, module: ast.Module) -> set[str]:
    """The keys of the dictionary that a module assigns to a name."""
    for node in module.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and [ast.unparse(target) for target in node.targets] == [name]:
            return {str(key.value) for key in node.value.keys if isinstance(key, ast.Constant)}
    return set()


def _section_faults(path: Path, layout: Layout) -> Iterator[Fault]:
    """Missing and doubled cells are the build's to report; here: a section has prose, and sections are in the course's order."""
    file = layout.name(path)
    nb = nbformat.read(path, as_version=4)
    ids = [grade_id_of(cell) for cell in nb.cells]
    expected = [id for e in COURSE for id in cell_ids(e.id) if id in ids]
    found = [id for id in ids if id in expected]
    if found != expected:
        first = next(have for have, want in zip(found, expected, strict=False) if have != want)
        yield Fault(file, f"the cell {first} is out of order", "a section is solution, check, grade; sections follow the course list")
    exercises = [*(e.id for e in COURSE), *dropped(layout)]
    known = {deliverable.GRADE_ID, *(id for exercise_id in exercises for id in cell_ids(exercise_id))}
    for cell in nb.cells:
        if grade_id_of(cell) and grade_id_of(cell) not in known:
            yield Fault(file, f"the cell {grade_id_of(cell)} belongs to no exercise", "take it out or add the exercise to the course list")
    since = 0
    for exercise in COURSE:
        if exercise.id in ids:
            here = ids.index(exercise.id)
            prose = [cell.source for cell in nb.cells[since:here] if cell.cell_type == "markdown"]
            if not any(HEADING.search(text) for text in prose):
                yield Fault(file, f"{exercise.id} has no section: no heading ## stands between its cell and the one before", "write it")
            since = here


def _clashes(layout: Layout) -> Iterator[Fault]:
    """In a notebook all exercises share one namespace, so no two may define the same name."""
    owner: dict[str, str] = {}
    for exercise in layout.written_solutions():
        file = layout.name(layout.solution(exercise))
        for name, number in _top_level_names(layout.solution(exercise).read_text(encoding="utf-8")):
            if owner.setdefault(name, file) != file:
                yield Fault(f"{file}:{number}", f"{owner[name]} defines {name} too, and a notebook has both", "rename one of them")


def _top_level_names(code: str) -> Iterator[tuple[str, int]]:
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node.lineno
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    yield target.id, node.lineno
