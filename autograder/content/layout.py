"""Where the parts of the course lie, and what a fault in one of them looks like. Every module of this folder uses it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from autograder.course import COURSE, Exercise
from autograder.language import Text, speaking

# One assignment per language of the kit: the same lesson twice.
ASSIGNMENTS = {"en": "attention", "zh": "attention-zh"}
READMES = {"en": "README.md", "zh": "README.zh-CN.md"}
MODEL_ANSWERS = {"en": "prompt-attention-explainer.md", "zh": "prompt-attention-explainer.zh.md"}


class Misplaced(Exception):
    """This installation has no course files beside it."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with the content: the file, what is wrong, and the way out."""

    file: str
    problem: str
    way_out: str

    def __str__(self) -> str:
        return f"{self.file}: {self.problem}; {self.way_out}"


@dataclass(frozen=True)
class Notebook:
    """One notebook of nbgrader's source folder. Its assignment has the same name; its language follows from it."""

    path: Path

    @property
    def assignment(self) -> str:
        return self.path.stem

    @property
    def language(self) -> str:
        return next((lang for lang, assignment in ASSIGNMENTS.items() if assignment == self.assignment), "en")

    def text(self, text: Text) -> str:
        """The text in the language of this notebook, whatever language is in force."""
        with speaking(self.language):
            return str(text)


def default_root() -> Path:
    """Where this package lies; where that is no repository, the current folder if it is one and declares the same course."""
    package = Path(__file__).resolve().parents[1]
    declared = Path("autograder", "course.py")
    if not (package.parent / "source").is_dir() and declared.is_file() and declared.read_bytes() == (package / "course.py").read_bytes():
        return Path.cwd()
    return package.parent


@dataclass(frozen=True)
class Layout:
    """The folders of the course under one root, by default the repository that this package lies in, else the one that it was made of."""

    root: Path = field(default_factory=default_root)

    def __post_init__(self) -> None:
        if not self.solutions.is_dir() or not self.source.is_dir():
            raise Misplaced(
                f"{self.root} has no solutions/ and source/, an installed wheel holds the grader alone; run this in a clone of the "
                "repository, of the version that is installed, or install the clone with `pip install -e .`"
            )

    @property
    def solutions(self) -> Path:
        return self.root / "solutions"

    @property
    def exercises(self) -> Path:
        return self.root / "exercises"

    @property
    def visible_tests(self) -> Path:
        return self.exercises / "tests"

    @property
    def hints(self) -> Path:
        """The numbers by which the visible tests know common mistakes."""
        return self.visible_tests / "hints.json"

    @property
    def hidden_tests(self) -> Path:
        return self.root / "autograder" / "hidden"

    @property
    def source(self) -> Path:
        return self.root / "source"

    def solution(self, exercise: Exercise) -> Path:
        return self.solutions / f"{exercise.module}.py"

    def stub(self, exercise: Exercise) -> Path:
        return self.exercises / f"{exercise.module}.py"

    def readme(self, lang: str) -> Path:
        return self.root / READMES[lang]

    def model_answer(self, lang: str) -> Path:
        """What an answer to the deliverable may look like."""
        return self.solutions / MODEL_ANSWERS[lang]

    def visible_test(self, exercise: Exercise) -> Path:
        return self.visible_tests / f"test_{exercise.id}.py"

    def hidden_test(self, exercise: Exercise) -> Path:
        return self.hidden_tests / f"test_{exercise.id}.py"

    def notebooks(self) -> list[Notebook]:
        """source/<assignment>/<assignment>.ipynb, in the order of their names."""
        found = (Notebook(folder / f"{folder.name}.ipynb") for folder in sorted(self.source.iterdir()) if folder.is_dir())
        return [notebook for notebook in found if notebook.path.is_file()]

    def written_solutions(self) -> list[Exercise]:
        """The exercises whose solution exists; the check reports the others."""
        return [exercise for exercise in COURSE if self.solution(exercise).is_file()]

    def name(self, path: Path) -> str:
        """A path as messages show it: relative to the root, with slashes."""
        return path.relative_to(self.root).as_posix()
