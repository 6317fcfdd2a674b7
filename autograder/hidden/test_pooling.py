"""Grades exercise `pooling`. In a mask True (or 1) means a real token."""

import numpy as np

from autograder.grading import Text, expect, graded

FORMULA = Text(
    "weights = softmax of H @ W over the tokens, without any scaling; output = the average of the tokens with these weights.",
    "weights 是 H @ W 沿词元方向的 softmax，不做任何缩放；output 是以此为权重的词元加权平均。",
)
EACH_SENTENCE = Text(
    "Each sentence has weights of its own, over its own tokens, whatever leading axes H has.",
    "无论 H 有哪些前导轴，每个句子都在自己的词元上有自己的权重。",
)
PADDING_OUT = Text(
    "The softmax runs over the real tokens alone (True or 1); padding has weight 0 and the other weights add up to 1.",
    "softmax 只在真实词元（True 或 1）上进行；填充的权重为 0，其余权重加起来等于 1。",
)
NO_TOKENS = Text(
    "A sentence without a real token has weights 0 and output 0, not NaN and not even weights.",
    "没有真实词元的句子，权重为 0，输出为 0，既不是 NaN，也不是平均分配。",
)


def pair(student, reference, rng, hidden):
    """A layer of the student's and one of the reference, with the same random W."""
    model, want = student.AttentionPooling(hidden), reference.AttentionPooling(hidden)
    model.W = want.W = rng.normal(size=(hidden, 1))
    return model, want


@graded(1.0, "One sentence", "单个句子")
def test_one_sentence(student, reference, rng, sizes):
    for n, hidden in ((sizes.n, sizes.d_k), (sizes.d_k, sizes.n), (1, sizes.d_k), (sizes.n, 1), (4, 16)):
        model, want = pair(student, reference, rng, hidden)
        H = rng.normal(size=(n, hidden))
        expect(model.forward(H)).to_match(want.forward(H), "output", "weights", because=FORMULA)
        expect(model.forward(H=H, mask=None)).to_match(want.forward(H), "output", "weights", because=FORMULA)


@graded(0.5, "Batches, several leading axes, axes of equal length", "批次、多个前导轴、长度相等的轴")
def test_leading_axes(student, reference, rng, sizes):
    for shape in ((sizes.batch, sizes.n, sizes.d_k), (2, 3, sizes.n, sizes.d_k), (3, 3, 3), (3, 3), (1, 1, 4, 2), (2, 1, 3)):
        model, want = pair(student, reference, rng, shape[-1])
        H = rng.normal(size=shape)
        expect(model.forward(H)).to_match(want.forward(H), "output", "weights", because=EACH_SENTENCE)


@graded(0.5, "Padding is left out", "排除填充")
def test_padding(student, reference, rng, sizes, random_mask):
    for shape in ((sizes.n, sizes.d_k), (sizes.batch, sizes.n, sizes.d_k), (2, 3, sizes.n, sizes.d_k), (3, 3, 3)):
        model, want = pair(student, reference, rng, shape[-1])
        H, mask = rng.normal(size=shape), random_mask(*shape[:-1])
        for given in (mask, mask.astype(np.int64), mask.astype(np.uint8)):
            expect(model.forward(H, given)).to_match(want.forward(H, mask), "output", "weights", because=PADDING_OUT)
    # Padding that scores far above the tokens, and vectors of padding that would show in any sum.
    model, want = pair(student, reference, rng, sizes.d_k)
    mask = random_mask(sizes.batch, sizes.n)
    H = rng.normal(size=(sizes.batch, sizes.n, sizes.d_k)) + 40.0 * ~mask[..., np.newaxis] * np.sign(want.W[:, 0])
    H *= 50.0 / max(50.0, float(np.abs(H @ want.W).max()))
    expect(model.forward(mask=mask, H=H)).to_match(want.forward(H, mask), "output", "weights", because=PADDING_OUT)


@graded(0.5, "A sentence of nothing but padding", "全是填充的句子")
def test_nothing_but_padding(student, reference, rng, sizes, random_mask):
    model, want = pair(student, reference, rng, sizes.d_k)
    H, mask = rng.normal(size=(sizes.batch, sizes.n, sizes.d_k)), random_mask(sizes.batch, sizes.n)
    mask[1] = False
    expect(model.forward(H, mask)).to_match(want.forward(H, mask), "output", "weights", because=NO_TOKENS)
    nothing = np.zeros(sizes.n, dtype=int)
    expect(model.forward(H[0], nothing)).to_match(want.forward(H[0], nothing), "output", "weights", because=NO_TOKENS)


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng, sizes):
    stable = Text("A token with a far larger score gets all the weight.", "分数远远更大的词元得到全部权重。")
    model, want = pair(student, reference, rng, sizes.d_k)
    model.W = want.W = np.eye(sizes.d_k)[:, :1]
    H = rng.normal(size=(3, sizes.n, sizes.d_k))
    H[0, :, 0] = 8192.0 + 64.0 * rng.permutation(sizes.n)
    H[1, :, 0] = -8192.0 - 64.0 * rng.permutation(sizes.n)
    for given in (H, H[0], H[1]):
        expect(model.forward(given)).to_match(want.forward(given), "output", "weights", because=stable)


@graded(0.5, "The start value of W", "W 的初始值", property_alone=True)
def test_start_value(student, sizes):
    for model in (
        student.AttentionPooling(sizes.d_k),
        student.AttentionPooling(hidden_size=sizes.d_k, seed=sizes.n),
        student.AttentionPooling(sizes.d_k, 0),
    ):
        first = expect(model.W).to_be_numbers((sizes.d_k, 1))
        expect(model.W).to_hold(bool(first.any()), Text("W must not be all zeros.", "W 不能全是零。"))


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, rng, sizes, random_mask):
    model = student.AttentionPooling(sizes.d_k)
    H, mask = rng.normal(size=(sizes.batch, sizes.n, sizes.d_k)), random_mask(sizes.batch, sizes.n)
    for given in (None, mask, mask.astype(int)):
        expect(model.forward(H, given)).to_leave_arguments_alone()
