"""Brings what was handed in into one form, whatever folders, names and copies it came in. `opening` calls `arrange`.

An exercise's module ends up at exercises/<module>.py. Other files keep their place as the student's own imports saw it, with
the root and exercises/ on the path: beside the modules, or relative to the root. The same content gives the same result
whether it came as a folder or an archive, in whatever order.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files as resources
from itertools import pairwise

from autograder.course import COURSE
from autograder.language import Text, say
from autograder.limits import Limits
from autograder.submissions.clashes import without_clashes
from autograder.submissions.kinds import (
    EXERCISES,
    ModuleName,
    is_any_archive,
    is_exercises_folder,
    is_notebook,
    is_python,
    module_of,
    original,
)
from autograder.submissions.model import Submission, Unreadable
from autograder.submissions.notebooks import Notebook, defines, from_script, is_exported, read_notebook
from autograder.submissions.provided import NAMES as PROVIDED_NAMES
from autograder.submissions.tree import shorten

TIMESTAMP = "timestamp.txt"  # nbgrader's own, beside what was handed in
FILLED_IN = "filled-in-by-collect"  # the id of a cell that `autograder collect` puts into a notebook that it makes from modules
_MOST_NOTEBOOKS = 20
_COOKIE = re.compile(rb"\A((?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*)[-\w.]+")  # what a source says of its own encoding
_NO_SCRIPTS = frozenset((*PROVIDED_NAMES, "__init__.py", "conftest.py", "setup.py"))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")

# What nbgrader collects holds the whole release, so that there it is said of everybody and says nothing.
UNTOUCHED = Text(
    "The modules in exercises/ are still the untouched stubs, so that the notebook was graded.",
    "exercises/ 里的模块仍是未改动的模板，因此按笔记本评分。",
)


@dataclass(frozen=True)
class Found:
    """A file whose name is that of an exercise's module."""

    path: str
    name: ModuleName
    untouched: bool  # still the stub that the kit hands out

    @property
    def folder(self) -> str:
        return posixpath.dirname(self.path)

    @property
    def preference(self) -> tuple[bool, bool, bool, int, int, int, str]:
        """The smallest one counts: no renamed copy, no untouched stub, in an `exercises` folder, nearest the root, in small letters."""
        name = self.name
        outside = not is_exercises_folder(posixpath.basename(self.folder))
        return name.rank == 2, self.untouched, outside, self.path.count("/"), name.rank, -name.copy, self.path.swapcase()


def arrange(student: str, files: dict[str, bytes], notes: list[str], limits: Limits) -> Submission:
    """The submission in the form that the grader takes. Raises Unreadable where only a broken notebook or a nested archive came in."""
    files = {path: content for path, content in files.items() if posixpath.basename(path) != TIMESTAMP and not _is_visible_test(path)}
    modules = _modules(files)
    notebooks = sorted(path for path in files if is_notebook(posixpath.basename(path)))
    scripts = sorted(path for path in files if is_python(posixpath.basename(path)) and posixpath.basename(path) not in _NO_SCRIPTS)
    untouched = bool(modules) and all(found.untouched for copies in modules.values() for found in copies)
    notebook: Notebook | None = None
    home, raw = "", b""
    if notebooks and (not modules or untouched):
        path, notebook = _best_notebook(notebooks, files, notes, limits)
        home, raw = posixpath.dirname(path), files[path]
        if untouched:
            notes.append(str(UNTOUCHED))
    elif notebooks:
        if not all(FILLED_IN.encode() in files[path] for path in notebooks):
            notes.append(
                say(
                    f"It holds modules and a notebook ({shorten(notebooks[0])}); the modules were graded, the notebook was not.",
                    f"同时有模块和笔记本（{shorten(notebooks[0])}）；按模块评分，笔记本未评。",
                )
            )
    elif len(scripts) == 1:
        notebook = _lone_script(scripts[0], files[scripts[0]], modules, notes, limits)
        home = posixpath.dirname(scripts[0])
        files = files if notebook is None else {path: content for path, content in files.items() if path != scripts[0]}
    if notebook is not None:
        notes += notebook.notes
        placed = _around_notebook(files, home)
    else:
        _require_something(files, modules, notes)
        placed = _around_modules(files, modules, notes)
    placed = without_clashes(placed, notes)
    placed = {path: _utf8(path, content, notes) for path, content in sorted(placed.items())}
    _note_archives(placed, notes)
    cells = notebook.cells if notebook is not None else ()
    submission = Submission(student, placed, cells, _few(notes, limits))
    return Submission(student, placed, cells, submission.notes, digest_of(submission), raw)


def digest_of(submission: Submission) -> str:
    """A hash of everything that grading depends on, and of nothing else."""
    total = hashlib.sha256()

    def add(*pieces: bytes) -> None:
        for piece in pieces:
            total.update(len(piece).to_bytes(8, "big") + piece)

    for path, content in sorted(submission.files.items()):
        add(b"file", path.encode("utf-8", "surrogateescape"), content)
    for cell in submission.cells:
        add(b"cell", cell.source.encode("utf-8"), cell.grade_id.encode("utf-8"), b"locked" if cell.locked else b"")
    return total.hexdigest()


@cache
def kit_stub(module: str) -> bytes | None:
    """What the kit hands out for this module, made comparable; None where it is not installed."""
    try:
        return _comparable(resources(EXERCISES).joinpath(f"{module}.py").read_bytes())
    except (OSError, ModuleNotFoundError):
        return None


def _comparable(content: bytes) -> bytes:
    """Without byte order mark, line ends of any system and blanks at the ends of lines."""
    return b"\n".join(line.rstrip() for line in content.removeprefix(b"\xef\xbb\xbf").splitlines()).rstrip()


def _modules(files: dict[str, bytes]) -> dict[str, list[Found]]:
    """Module -> the files that are it by name, the one that counts first."""
    modules: dict[str, list[Found]] = {}
    for path, content in files.items():
        name = module_of(posixpath.basename(path))
        if name is not None:
            stub = kit_stub(name.module)
            untouched = stub is not None and len(content) < 3 * len(stub) + 1000 and _comparable(content) == stub
            modules.setdefault(name.module, []).append(Found(path, name, untouched))
    return {module: sorted(copies, key=lambda found: found.preference) for module, copies in sorted(modules.items())}


def _is_visible_test(path: str) -> bool:
    """Whether a file lies in exercises/tests/: the kit's own, never the student's."""
    folders = path.casefold().split("/")[:-1]
    return any(outer == EXERCISES and inner == "tests" for outer, inner in pairwise(folders))


def _few(notes: list[str], limits: Limits) -> tuple[str, ...]:
    """Each note once, and no more than anybody reads."""
    different = list(dict.fromkeys(notes))
    more = len(different) - limits.notes
    if more > 0:
        different[limits.notes :] = [say(f"There are {more} more remarks of this kind.", f"另有 {more} 条类似的说明。")]
    return tuple(different)


# modules


def _around_modules(files: dict[str, bytes], modules: dict[str, list[Found]], notes: list[str]) -> dict[str, bytes]:
    chosen = {module: copies[0] for module, copies in modules.items()}
    _note_choices(modules, notes)
    homes = sorted({found.folder for found in chosen.values()}, key=lambda folder: (-folder.count("/") - bool(folder), folder))
    root = _root(homes)
    placed = {f"{EXERCISES}/{module}.py": files[found.path] for module, found in chosen.items()}
    modules_by_path = {found.path: found for copies in modules.values() for found in copies}
    taken = {found.path for found in chosen.values() if found.name.rank != 1}
    # Files of an `exercises` folder come first: where two files want one place, theirs it is.
    for path in sorted(files, key=lambda path: (not is_exercises_folder(posixpath.basename(posixpath.dirname(path))), path)):
        if path in taken or is_notebook(posixpath.basename(path)):
            continue
        home = next((home for home in homes if _is_below(path, home)), None)
        places = _places(path, home, root)
        other = modules_by_path.get(path)
        if other is not None and (other.name.rank == 2 or (other.name.rank == 0 and _is_on_path(places[0]))):
            continue  # it lost to the one that counts, and must not be imported in its place
        for place in places:
            placed.setdefault(place, files[path])
    return placed


def _root(homes: list[str]) -> str:
    """The folder that the student's imports started from."""
    packages = [home for home in homes if is_exercises_folder(posixpath.basename(home))]
    if packages:
        return posixpath.dirname(min(packages, key=lambda home: (home.count("/"), home)))
    common = posixpath.commonpath([f"/{home}" for home in homes]) if homes else "/"
    return common.strip("/")


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _relative(path: str, folder: str) -> str:
    return path[len(folder) + 1 :] if folder else path


def _places(path: str, home: str | None, root: str) -> list[str]:
    """Where a file of the student's own goes.

    What lies beside or below modules moves with them to exercises/, where `import helpers`, `from .helpers import f` and
    `from exercises.helpers import f` all find it. Where the modules lay in no `exercises` folder, data files stay at the root
    too, for code that opens them from there.
    """
    if home is None:
        return [_relative(path, root) if _is_below(path, root) else path]
    beside = f"{EXERCISES}/{_relative(path, home)}"
    if is_exercises_folder(posixpath.basename(home)) or is_python(posixpath.basename(path)):
        return [beside]
    return [beside, _relative(path, root)]


def _is_on_path(place: str) -> bool:
    """Whether a file lies in the root or in exercises/, where imports look first."""
    return posixpath.dirname(place) in ("", EXERCISES)


def _note_choices(modules: dict[str, list[Found]], notes: list[str]) -> None:
    for module, (first, *others) in modules.items():
        if first.name.rank:
            name = shorten(posixpath.basename(first.path))
            notes.append(say(f"{name} was graded as {module}.py.", f"{name} 按 {module}.py 评分。"))
        if not others:
            continue
        ignored = ", ".join(shorten(found.path) for found in others[:3]) + (", …" if len(others) > 3 else "")
        because = ""
        if _stub_gave_way(first, others):
            because = say(", since another was still the untouched stub", "，因为另一份仍是未改动的模板")
        notes.append(
            say(
                f"There is more than one {module}.py: {shorten(first.path)} was graded{because}; ignored: {ignored}.",
                f"有不止一个 {module}.py：按 {shorten(first.path)} 评分{because}；忽略：{ignored}。",
            )
        )


def _stub_gave_way(first: Found, others: list[Found]) -> bool:
    return any(found.untouched and (*found.preference[2:],) < (*first.preference[2:],) for found in others if found.name.rank != 2)


# notebooks


def _best_notebook(paths: list[str], files: dict[str, bytes], notes: list[str], limits: Limits) -> tuple[str, Notebook]:
    """The notebook with the most of this course written in it; of equals the one whose name is nearest to the assignment's."""
    readable: list[tuple[str, Notebook]] = []
    problems: list[tuple[str, Unreadable]] = []
    for path in paths[:_MOST_NOTEBOOKS]:
        try:
            readable.append((path, read_notebook(files[path], limits)))
        except Unreadable as error:
            problems.append((path, error))
    if not readable:
        raise problems[0][1]
    if len(paths) == 1:
        return readable[0]
    best, notebook = min(readable, key=lambda found: (-found[1].written, -found[1].known, *_distance(found[0])))
    if problems and not notebook.written:  # the work may be in the one that cannot be read
        path, problem = min(problems, key=lambda found: _distance(found[0]))
        raise Unreadable(f"{shorten(path)}: {problem}")
    others = [shorten(path) for path in paths if path != best]
    listed = ", ".join(others[:3]) + (", …" if len(others) > 3 else "")
    notes.append(
        say(
            f"It holds several notebooks: {shorten(best)} was graded; ignored: {listed}.",
            f"有多个笔记本：按 {shorten(best)} 评分；忽略：{listed}。",
        )
    )
    return best, notebook


def _distance(path: str) -> tuple[bool, int, int, str]:
    """How far a notebook's name is from attention*.ipynb, how deep it lies, how old a copy it is."""
    stem = posixpath.basename(path).casefold().split(".ipynb")[0]
    return not stem.startswith("attention"), path.count("/"), -original(stem)[1], path


def _lone_script(path: str, content: bytes, modules: dict[str, list[Found]], notes: list[str], limits: Limits) -> Notebook | None:
    """A single Python file that is a notebook saved as a script, or defines entry points under a name of its own."""
    if len(content) > limits.longest_source:
        return None
    source = _utf8(path, content, notes).decode("utf-8", "replace").removeprefix("\ufeff")
    name = shorten(posixpath.basename(path))
    if is_exported(source):
        notes.append(
            say(f"{name} is a notebook saved as a script and was graded as the notebook.", f"{name} 是另存为脚本的笔记本，按笔记本评分。")
        )
        return from_script(source)
    if modules:
        return None
    defined = [exercise.id for exercise in COURSE if defines(source, exercise)]
    if not defined:
        return None
    listed = ", ".join(defined)
    notes.append(
        say(
            f"{name} is the name of no exercise's module; it was graded by what it defines ({listed}).",
            f"{name} 不是任何练习的模块名；按其中定义的内容评分（{listed}）。",
        )
    )
    return from_script(source)


def _around_notebook(files: dict[str, bytes], home: str) -> dict[str, bytes]:
    """The files beside the notebook, from the folder that it ran in; no modules, which were stubs or there were none."""
    kept = (path for path in sorted(files) if not is_notebook(posixpath.basename(path)) and module_of(posixpath.basename(path)) is None)
    placed: dict[str, bytes] = {}
    for path in sorted(kept, key=lambda path: (not _is_below(path, home), path)):
        placed.setdefault(_relative(path, home) if _is_below(path, home) else path, files[path])
    return placed


# what is odd


def _require_something(files: dict[str, bytes], modules: dict[str, list[Found]], notes: list[str]) -> None:
    """Say so where nothing gradable came in. An archive in the archive is a layer too many, and somebody must unpack it."""
    if modules:
        return
    nested = [path for path in sorted(files) if is_any_archive(posixpath.basename(path))]
    if nested:
        name = shorten(nested[0])
        raise Unreadable(
            say(
                f"It holds no module and no notebook but another archive, {name}: unpack that one and grade it.",
                f"其中没有模块和笔记本，只有另一个压缩包 {name}：请把它解开后再评分。",
            )
        )
    if not files:
        notes.append(say("The submission is empty.", "提交是空的。"))
        return
    kinds = Counter(posixpath.splitext(path)[1].casefold() for path in files)
    listed = ", ".join(shorten(path) for path in sorted(files)[:3]) + (", …" if len(files) > 3 else "")
    if set(kinds) <= {".html", ".htm"}:
        notes.append(
            say(
                f"It holds only text typed into the LMS ({listed}), no module and no notebook.",
                f"只有在教学平台上输入的文字（{listed}），没有模块和笔记本。",
            )
        )
    else:
        notes.append(say(f"It holds no module and no notebook, only: {listed}.", f"没有模块和笔记本，只有：{listed}。"))


def _note_archives(files: dict[str, bytes], notes: list[str]) -> None:
    nested = sorted({posixpath.basename(path) for path in files if is_any_archive(posixpath.basename(path))})
    if nested:
        listed = ", ".join(map(shorten, nested[:3]))
        notes.append(say(f"Archives within it were not opened: {listed}.", f"其中的压缩包没有打开：{listed}。"))


def _utf8(path: str, content: bytes, notes: list[str]) -> bytes:
    """A Python source in an encoding that Python reads: UTF-16, as Windows editors save it, becomes UTF-8. Else as it came."""
    if not is_python(posixpath.basename(path)) or not content.startswith(_UTF16):
        return content
    name = shorten(posixpath.basename(path))
    try:
        text = content.decode("utf-16")
    except UnicodeDecodeError:
        return content
    notes.append(say(f"{name} was UTF-16 and was read as such.", f"{name} 是 UTF-16 编码，已按此读取。"))
    return _COOKIE.sub(rb"\1utf-8", text.encode("utf-8", "replace"), count=1)
