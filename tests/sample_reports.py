"""A class of sample reports for the tests of the reports, as real in kind and size as a course's: no grading is run."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from autograder.language import Text, speaking
from autograder.reports.model import ExerciseReport, Report, TestResult

VALUES = Text("The shape is right, the values are not those of the definition.", "形状正确，但数值不符合定义。")
FINITE = Text("Every number must be finite.", "每个数都必须是有限的。")
NAN = Text("The result holds NaN or infinity.", "结果含有 NaN 或无穷大。")


def array(shape: str, part: str = "") -> Text:
    en, zh = (f"`{part}`", f"`{part}`") if part else ("The result", "结果")
    return Text(f"{en} is an array with shape {shape}.", f"{zh}是形状为 {shape} 的数组。")


def wrong(call: str, came_back: Text, should: Text, hint: Text | None = None) -> Text:
    """What a student reads about one failed test, as autograder/expect.py words it."""
    en, zh = f"Called {call}.\n{came_back.en}\n{should.en}", f"调用了 {call}。\n{came_back.zh}\n{should.zh}"
    return Text(f"{en}\nHint: {hint.en}", f"{zh}\n提示：{hint.zh}") if hint else Text(en, zh)


@dataclass(frozen=True)
class SampleTest:
    id: str
    title: Text
    points: float
    misconception: str | None
    wrong: Text


@dataclass(frozen=True)
class SampleExercise:
    id: str
    title: Text
    tests: tuple[SampleTest, ...]
    bonus: bool = False


SOFTMAX = SampleExercise(
    "softmax",
    Text("A softmax that never overflows", "不会溢出的 softmax"),
    (
        SampleTest(
            "test_rows",
            Text("Rows are normalised along the axis asked for", "沿所要求的轴归一化"),
            2,
            "softmax-wrong-axis",
            wrong(
                "softmax(x (3, 5), axis=0)",
                array("(3, 5)"),
                VALUES,
                Text(
                    "the sum runs over another axis than `axis`; keep it with `keepdims=True`.",
                    "求和的轴不是 `axis`；请用 `keepdims=True`。",
                ),
            ),
        ),
        SampleTest(
            "test_stable",
            Text("Scores of a thousand do not overflow", "分数上千也不溢出"),
            2,
            "softmax-no-max",
            wrong("softmax(x (4, 7))", NAN, FINITE, Text("subtract the maximum of each row first.", "请先减去每一行的最大值。")),
        ),
        SampleTest(
            "test_alone",
            Text("The argument stays as it was", "不修改参数"),
            1,
            None,
            wrong(
                "softmax(x (3, 4))",
                Text("The call changed one of its arguments.", "调用修改了自己的参数。"),
                Text("Work on a copy: the caller's arrays stay as they are.", "请在副本上计算：调用者的数组保持不变。"),
            ),
        ),
        SampleTest(
            "test_integers",
            Text("Integer input gives fractions", "整数输入得到小数"),
            1,
            "softmax-integer-buffer",
            wrong("softmax(x (6,))", array("(6,)"), VALUES),
        ),
    ),
)
ATTENTION = SampleExercise(
    "attention",
    Text("Scaled dot-product attention", "缩放点积注意力"),
    (
        SampleTest(
            "test_values",
            Text("Output and weights, one batch axis", "输出与权重，一个批次轴"),
            5,
            "attention-unscaled",
            wrong(
                "scaled_dot_product_attention(Q (2, 4, 8), K (2, 6, 8), V (2, 6, 3))",
                array("(2, 4, 6)", "weights"),
                VALUES,
                Text("the scores are divided by the square root of d_k.", "分数要除以 d_k 的平方根。"),
            ),
        ),
        SampleTest(
            "test_batches",
            Text("Any number of batch axes", "任意多个批次轴"),
            3,
            "attention-transpose-all",
            wrong(
                "scaled_dot_product_attention(Q (2, 3, 4, 8), K (2, 3, 6, 8), V (2, 3, 6, 5))",
                Text("It raised ValueError (attention.py, line 14).", "它抛出了 ValueError（attention.py，第 14 行）。"),
                Text("It must return a value here.", "这里它必须返回一个值。"),
                Text("`.T` reverses every axis; swap the last two only.", "`.T` 会颠倒所有轴；只交换最后两个轴。"),
            ),
        ),
        SampleTest(
            "test_errors",
            Text("Different d_k is refused", "d_k 不同时报错"),
            2,
            None,
            wrong(
                "scaled_dot_product_attention(Q (4, 8), K (6, 7), V (6, 3))",
                Text("It returned as if nothing were wrong.", "它正常返回，好像什么都没有发生。"),
                Text("It must raise ValueError: Q and K have different d_k.", "它必须抛出 ValueError：Q 与 K 的 d_k 不同。"),
            ),
        ),
    ),
)
MASKING = SampleExercise(
    "masking",
    Text("Masks: the future and the padding", "掩码：未来与填充"),
    (
        SampleTest(
            "test_causal",
            Text("The last query is aligned with the last key", "最后一个查询与最后一个键对齐"),
            4,
            "mask-top-left",
            wrong(
                "causal_mask(n_q, n_k)",
                array("(2, 5)"),
                VALUES,
                Text("with fewer queries than keys, the triangle starts further right.", "查询少于键时，三角形的起点更靠右。"),
            ),
        ),
        SampleTest(
            "test_padding",
            Text("Padding is on the key axis", "填充作用在键轴上"),
            4,
            "padding-on-queries",
            wrong("padding_mask(lengths, n_k)", array("(3, 6, 1)"), Text("The shape must be (3, 1, 6).", "形状必须是 (3, 1, 6)。")),
        ),
        SampleTest(
            "test_blocked_row",
            Text("A query that sees nothing gets zeros", "看不到任何键的查询得到零"),
            4,
            "blocked-row-nan",
            wrong(
                "masked_softmax(scores (2, 3, 5), mask (3, 5))",
                NAN,
                FINITE,
                Text("a row with nothing allowed divides 0 by 0.", "整行都被遮住时会出现 0 除以 0。"),
            ),
        ),
        SampleTest(
            "test_attention",
            Text("Masked attention, output and weights", "带掩码的注意力"),
            4,
            None,
            wrong("masked_attention(Q (3, 4), K (5, 4), V (5, 2), mask (3, 5))", array("(3, 2)", "output"), VALUES),
        ),
    ),
)
MULTI_HEAD = SampleExercise(
    "multi_head",
    Text("Multi-head attention", "多头注意力"),
    (
        SampleTest(
            "test_split",
            Text("Heads are cut from the columns", "按列切分各头"),
            6,
            "split-without-transpose",
            wrong(
                "split_heads(X (2, 5, 12), n_heads)",
                array("(2, 3, 5, 4)"),
                VALUES,
                Text("`reshape` alone mixes tokens and heads; transpose too.", "只用 `reshape` 会把词元与头混在一起；还要转置。"),
            ),
        ),
        SampleTest(
            "test_attention",
            Text("All heads together, with W_O", "所有头合在一起，含 W_O"),
            12,
            "no-output-projection",
            wrong(
                "multi_head_attention(X (5, 12), n_heads, W_Q (12, 12), W_K (12, 12), W_V (12, 12), W_O (12, 12))",
                array("(5, 12)", "output"),
                VALUES,
                Text("W_O is missing.", "缺少 W_O。"),
            ),
        ),
    ),
)
KV_CACHE = SampleExercise(
    "kv_cache",
    Text("One token at a time", "逐个词元计算"),
    (
        SampleTest(
            "test_steps",
            Text("Each step equals causal attention", "每一步等于因果注意力"),
            5,
            "cache-off-by-one",
            wrong("CachedAttention.step(x (8,))", array("(2,)", "weights"), Text("The shape must be (3,).", "形状必须是 (3,)。")),
        ),
    ),
    bonus=True,
)
EXERCISES = (SOFTMAX, ATTENTION, MASKING, MULTI_HEAD, KV_CACHE)

TOLD = {
    "todo": Text("Nothing here yet: the function still raises NotImplementedError.", "还没有写：函数仍然抛出 NotImplementedError。"),
    "missing": Text("No `{id}.py` and no notebook cell for this exercise arrived.", "没有收到 `{id}.py`，笔记本里也没有这一题的单元格。"),
    "error": Text(
        "The module could not be imported: SyntaxError (`{id}.py`, line 9).", "无法导入该模块：SyntaxError（`{id}.py`，第 9 行）。"
    ),
    "timeout": Text("No answer came within 10 seconds.", "10 秒内没有得到结果。"),
    "crashed": Text("The process ended in the middle of the call.", "进程在调用过程中结束了。"),
}


def sample_exercise(number: int, statuses: tuple[str, ...], language: str = "en") -> ExerciseReport:
    """Exercise `number` of EXERCISES with a status per test; its own status follows from them."""
    exercise = EXERCISES[number]
    with speaking(language):
        tests = tuple(_result(exercise.id, test, status) for test, status in zip(exercise.tests, statuses, strict=True))
        alike = len(set(statuses)) == 1 and statuses[0] in ("passed", "todo", "missing", "error")
        return ExerciseReport(
            id=exercise.id,
            title=str(exercise.title),
            status=statuses[0] if alike else "failed",
            score=sum(test.earned for test in tests),
            max_score=float(sum(test.points for test in tests)),
            bonus=exercise.bonus,
            tests=tests,
        )


def _result(exercise: str, test: SampleTest, status: str) -> TestResult:
    passed, failed = status == "passed", status == "failed"
    feedback = "" if passed else str(test.wrong if failed else TOLD[status]).replace("{id}", exercise)
    return TestResult(
        id=f"{exercise}::{test.id}",
        title=str(test.title),
        status=status,
        points=test.points,
        earned=test.points if passed else 0.0,
        message=f"{feedback}\nfor the instructor: want[0] is 0.8125" if failed else feedback,
        feedback=feedback,
        misconception=test.misconception if failed else None,
    )


def sample_report(student: str, exercises: list[ExerciseReport], **changes: Any) -> Report:
    """A graded report over these exercises."""
    core, extra = [e for e in exercises if not e.bonus], [e for e in exercises if e.bonus]
    report = Report(
        student=student,
        status="graded",
        seed=8317,
        score=sum(e.score for e in core),
        max_score=sum(e.max_score for e in core),
        bonus=sum(e.score for e in extra),
        exercises=tuple(exercises),
        jail="bubblewrap",
        seconds=0.12,
    )
    return replace(report, **changes)


def ada(language: str = "en") -> Report:
    """A student with a bit of everything, who printed something too."""
    return sample_report(
        "ada",
        [
            sample_exercise(0, ("passed",) * 4, language),
            sample_exercise(1, ("failed", "failed", "passed"), language),
            sample_exercise(2, ("failed", "passed", "timeout", "crashed"), language),
            sample_exercise(3, ("todo", "todo"), language),
            sample_exercise(4, ("missing",), language),
        ],
        language=language,
        notes=("softmax (1).py lies beside softmax.py and was left out.",),
        output={"softmax": "shape (3, 4)\n\x1b[2Jcleared\n", "attention": ""},
    )


def broken(student: str = "grace") -> Report:
    """A submission that could not be opened."""
    reason = "The archive unpacks to more than 64 MiB. Ask for the exercises alone, without data files."
    return Report(student=student, status="error", seed=8317, jail="bubblewrap", notes=(reason,))


def sample_class(size: int = 60, language: str = "en", seed: int = 1) -> list[Report]:
    """A class of `size` with strengths and mistakes drawn at random; every twentieth submission is broken."""
    rng = random.Random(seed)
    names = (
        "Ada Lovelace",
        "Blaise",
        "Chen Jingrun",
        "Emmy",
        "Évariste",
        "Grace",
        "Hedy",
        "Kurt",
        "Maryam",
        "Sofya",
        "陈省身",
        "Srinivasa",
    )
    reports = [ada(language)]
    for i in range(1, size):
        student = f"{names[i % len(names)]} {i:03d}"
        if i % 20 == 7:
            reports.append(broken(student))
            continue
        skill = rng.betavariate(3, 1.4)
        exercises = [sample_exercise(number, _statuses(rng, skill, exercise), language) for number, exercise in enumerate(EXERCISES)]
        reports.append(sample_report(student, exercises, language=language, seconds=rng.lognormvariate(-2.5, 0.6)))
    return reports


def _statuses(rng: random.Random, skill: float, exercise: SampleExercise) -> tuple[str, ...]:
    if rng.random() > (skill * 0.6 if exercise.bonus else 0.97):
        return (rng.choice(("todo", "missing", "error")),) * len(exercise.tests)
    wrong_ways = rng.choices(("failed", "timeout", "crashed"), (30, 1, 1), k=len(exercise.tests))
    return tuple("passed" if rng.random() < skill + 0.1 else way for way in wrong_ways)
