"""The course, declared once: every exercise in the order in which it is taught, and what else an instructor sets.

Stubs, notebook cells, rubric, reports and the table in the README come from `COURSE`; docs/instructors.md describes how to change it.
Adding an exercise is one entry here, `solutions/<id>.py`, `exercises/tests/test_<id>.py`,
`autograder/hidden/test_<id>.py` and its prose in the notebooks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from autograder.language import Text

COURSE_LIST = "autograder/course.py"  # this file, as messages name it

# The seed of the hidden inputs. `--seed` goes before it, c.JailedGrading.seed too, and what a folder has kept from its first run;
# with None each folder draws its own. Keep a course.py with a seed to yourself.
SEED: int | None = None

# Until when work is due, as ISO 8601 with an offset: "2027-03-01T23:59:00+01:00". What came in later is noted, and keeps its score.
DEADLINE: str | None = None

# Of the prompt, which a person grades in nbgrader; `autograder grade` knows nothing of them.
PROMPT_POINTS = 10


@dataclass(frozen=True)
class Function:
    """A function that the grader calls. `returns` names the parts of a tuple result."""

    name: str
    returns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Class:
    """A class that the grader constructs: its methods with the parts of their results, its attributes."""

    name: str
    methods: dict[str, tuple[str, ...]] = field(default_factory=dict)
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Value:
    """A plain value of the module that the grader reads."""

    name: str


EntryPoint = Function | Class | Value


@dataclass(frozen=True)
class Exercise:
    """One exercise. Its id is also the name of its module and of its notebook cell."""

    id: str
    title: Text
    points: float
    entry_points: tuple[EntryPoint, ...]
    builds_on: tuple[str, ...] = ()
    bonus: bool = False

    @property
    def module(self) -> str:
        return self.id

    def entry_point(self, name: str) -> EntryPoint:
        """The entry point called `name`; KeyError where the exercise has none."""
        for entry in self.entry_points:
            if entry.name == name:
                return entry
        raise KeyError(f"{self.id} has no entry point {name}")


OUTPUT_AND_WEIGHTS = ("output", "weights")

COURSE: tuple[Exercise, ...] = (
    Exercise(
        id="softmax",
        title=Text("A softmax that never overflows", "不会溢出的 softmax"),
        points=6,
        entry_points=(Function("softmax"),),
    ),
    Exercise(
        id="attention",
        title=Text("Scaled dot-product attention", "缩放点积注意力"),
        points=10,
        entry_points=(Function("scaled_dot_product_attention", OUTPUT_AND_WEIGHTS),),
        builds_on=("softmax",),
    ),
    Exercise(
        id="scaling",
        title=Text("Why the scores are scaled", "为什么要缩放"),
        points=6,
        entry_points=(Function("dot_product_std", ("raw", "scaled")), Function("softmax_jacobian")),
        builds_on=("softmax", "attention"),
    ),
    Exercise(
        id="masking",
        title=Text("Masks: the future and the padding", "掩码：未来与填充"),
        points=16,
        entry_points=(
            Function("causal_mask"),
            Function("padding_mask"),
            Function("masked_softmax"),
            Function("masked_attention", OUTPUT_AND_WEIGHTS),
        ),
        builds_on=("softmax", "attention"),
    ),
    Exercise(
        id="self_attention",
        title=Text("Self-attention with learned projections", "带投影矩阵的自注意力"),
        points=10,
        entry_points=(Class("SelfAttention", {"forward": OUTPUT_AND_WEIGHTS}, ("W_Q", "W_K", "W_V", "W_O")),),
        builds_on=("softmax", "attention", "masking"),
    ),
    Exercise(
        id="multi_head",
        title=Text("Multi-head attention", "多头注意力"),
        points=18,
        entry_points=(
            Function("split_heads"),
            Function("concat_heads"),
            Function("fuse_heads"),
            Function("multi_head_attention", OUTPUT_AND_WEIGHTS),
        ),
        builds_on=("softmax", "attention", "masking", "self_attention"),
    ),
    Exercise(
        id="patterns",
        title=Text("Reading attention patterns", "读懂注意力模式"),
        points=12,
        entry_points=(
            Function("attention_entropy"),
            Function("js_divergence"),
            Function("compare_sentences"),
        ),
        builds_on=("softmax", "attention", "masking", "self_attention"),
    ),
    Exercise(
        id="heatmap",
        title=Text("A heatmap for the terminal", "终端里的热力图"),
        points=4,
        entry_points=(Function("ascii_heatmap"),),
    ),
    Exercise(
        id="seq2seq",
        title=Text("Translation with attention", "带注意力的翻译模型"),
        points=8,
        entry_points=(
            Class(
                "Seq2SeqAttention",
                {"encode": ("encoder_outputs", "state"), "decode_step": ("logits", "h", "c", "weights")},
                ("encoder_embedding", "encoder_lstm", "decoder_embedding", "decoder_lstm", "W_Q", "W_K", "W_V", "W_out"),
            ),
        ),
        builds_on=("softmax", "attention", "masking"),
    ),
    Exercise(
        id="pooling",
        title=Text("Attention pooling", "注意力池化"),
        points=4,
        entry_points=(Class("AttentionPooling", {"forward": OUTPUT_AND_WEIGHTS}, ("W",)),),
        builds_on=("softmax", "attention", "masking"),
    ),
    Exercise(
        id="torch_parity",
        title=Text("The same numbers as PyTorch", "与 PyTorch 结果一致"),
        points=4,
        entry_points=(Function("multi_head_from_torch", OUTPUT_AND_WEIGHTS),),
        builds_on=("softmax", "attention", "masking", "self_attention", "multi_head"),
    ),
    Exercise(
        id="concepts",
        title=Text("Questions on the whole", "概念问答"),
        points=2,
        entry_points=(Value("ANSWERS"),),
    ),
    Exercise(
        id="kv_cache",
        title=Text("A key-value cache", "键值缓存"),
        points=5,
        entry_points=(Class("CachedAttention", {"step": OUTPUT_AND_WEIGHTS, "reset": ()}),),
        builds_on=("softmax",),
        bonus=True,
    ),
    Exercise(
        id="blockwise",
        title=Text("Blockwise attention for long sequences", "长序列的分块注意力"),
        points=5,
        entry_points=(Function("blockwise_attention"),),
        bonus=True,
    ),
    Exercise(
        id="backward",
        title=Text("The gradients of attention", "注意力的梯度"),
        points=5,
        entry_points=(Function("attention_backward", ("dQ", "dK", "dV")),),
        builds_on=("softmax", "attention", "masking"),
        bonus=True,
    ),
)

MAX_SCORE = float(sum(exercise.points for exercise in COURSE if not exercise.bonus))


def find(exercise_id: str) -> Exercise:
    """The exercise with this id; KeyError, with the ids that exist, where there is none."""
    for exercise in COURSE:
        if exercise.id == exercise_id:
            return exercise
    raise KeyError(f"no exercise {exercise_id!r}; there are: {', '.join(e.id for e in COURSE)}")


def deadline() -> datetime | None:
    """DEADLINE as a time with its offset. ValueError where it is none."""
    if DEADLINE is None:
        return None
    when = datetime.fromisoformat(DEADLINE)
    if when.tzinfo is None:
        raise ValueError("it has no offset")
    return when


SMALLEST_SEED, LARGEST_SEED = 100_000, 2**63 - 1


def flaws() -> Iterator[tuple[str, str]]:
    """What of this file cannot be used: what is wrong, and the way out. Neither built nor graded is anything while there is a flaw."""
    ids = [exercise.id for exercise in COURSE]
    for missing in dict.fromkeys(id for exercise in COURSE for id in exercise.builds_on if id not in ids):
        builders = ", ".join(exercise.id for exercise in COURSE if missing in exercise.builds_on)
        yield f"{missing} is not in COURSE, and these build on it: {builders}", "put it back, or take these out too"
    for place, exercise in enumerate(COURSE):
        for id in exercise.builds_on:
            if id in ids[place:]:
                yield f"{exercise.id} builds on {id}, which is no earlier exercise", "mend its `builds_on` or the order"
        if exercise.points <= 0 or round(exercise.points, 2) != exercise.points:
            yield f"{exercise.id} has {exercise.points:g} points", "give it some, in whole hundredths"
    if SEED is not None and (type(SEED) is not int or not SMALLEST_SEED <= SEED <= LARGEST_SEED):
        # Six digits are seldom anything else's: the leak check looks for them.
        yield f"SEED is {SEED!r}", f"write None or a whole number from {SMALLEST_SEED} to 2**63 - 1"
    try:
        deadline()
    except (ValueError, TypeError) as error:
        yield f"DEADLINE is {DEADLINE!r} ({error})", 'write None or a time with its offset, like "2027-03-01T23:59:00+01:00"'


def first_flaw() -> str:
    """A sentence on the first flaw, with the way out; empty where there is none."""
    return next((f"{COURSE_LIST}: {problem}; {way_out}" for problem, way_out in flaws()), "")
