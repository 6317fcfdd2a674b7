"""The course, declared once: every exercise in the order in which it is taught.

Stubs, notebook cells, rubric, reports and the table in the README come from `COURSE`.
Adding an exercise is one entry here, `solutions/<id>.py`, `exercises/tests/test_<id>.py`,
`autograder/hidden/test_<id>.py` and its prose in the notebooks.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.language import Text


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
