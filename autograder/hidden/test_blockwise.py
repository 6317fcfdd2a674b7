"""Grades exercise `blockwise`: values against plain attention, and memory.

The contract states the memory at 4096 queries and keys in blocks of 64. Such a call takes longer than all other tests of the
course together, so it comes last: most answers show what they hold in a small one. What a method holds is a sum of products of
at most two lengths, those of the axes and of the block; with all of them k times as long it holds at most k² times as much, and
so does a matrix of booleans: who stays below one in a small call does at 4096. Who does not is measured there. Nor is a small call
all there is: a call of the full length is begun, and broken off before it costs much, to see whether it asks for a matrix.
"""

from weakref import WeakKeyDictionary

import numpy as np

from autograder.grading import Text, Unanswered, Wrong, expect, graded

SAME = Text(
    "The blocks change how much memory is used; the output is that of plain attention, with the division by √d_k.",
    "分块只改变占用的内存；输出与普通注意力相同，包括除以 √d_k。",
)
ALIGNED = Text(
    "The last query is aligned with the last key; a query sees its own position and what is before it. One that sees nothing has output 0.",
    "最后一个查询与最后一个键对齐；每个查询看到自己的位置以及之前的位置。什么都看不到的查询输出为 0。",
)
LEADING_AXES = Text("Every sentence (and head) is an attention of its own.", "每个句子（和每个头）各自做注意力。")
RESCALED = Text(
    "Where a block brings a new largest score, both sums so far must be brought to it; no score may overflow.",
    "某一块带来新的最大分数时，到目前为止的两个和都要换算到它；任何分数都不能溢出。",
)
NO_MATRIX = Text(
    "It must never hold a matrix (n_q, n_k), neither of scores nor of weights nor a mask: a block of keys at a time, then let it go.",
    "任何时候都不能保留 (n_q, n_k) 的矩阵，无论是分数、权重还是掩码：每次只算一块键，用完就丢掉。",
)


def draw(rng, leading, n_q, n_k, d_k, d_v):
    """Q, K and V of these sizes."""
    return tuple(rng.normal(size=(*leading, n, d)) for n, d in ((n_q, d_k), (n_k, d_k), (n_k, d_v)))


def plain(reference, Q, K, V, causal=False):
    """The output of attention as the earlier exercises compute it."""
    mask = reference.causal_mask(Q.shape[-2], K.shape[-2]) if causal else None
    return reference.masked_attention(Q, K, V, mask)[0]


@graded(0.5, "A batch, with blocks of any size", "一个批次，任意的块大小")
def test_any_block_size(student, reference, rng, sizes):
    for n_k in (sizes.n_k, 7):
        Q, K, V = draw(rng, (sizes.batch,), sizes.n_q, n_k, sizes.d_k, sizes.d_v)
        want = plain(reference, Q, K, V)
        for block_size in (1, 2, 3, n_k - 1, n_k, n_k + 5):
            expect(student.blockwise_attention(Q, K, V, block_size)).to_match(want, because=SAME)
            expect(student.blockwise_attention(V=V, K=K, Q=Q, block_size=block_size, causal=False)).to_match(want, because=SAME)
    for n_k in (sizes.n_k, 300):  # within one block of the usual size, and more than two of them
        Q, K, V = draw(rng, (), sizes.n_q, n_k, sizes.d_k, sizes.d_v)
        expect(student.blockwise_attention(Q, K, V)).to_match(plain(reference, Q, K, V), because=SAME)


@graded(0.5, "causal, as many queries as keys", "因果，查询与键一样多")
def test_causal_square(student, reference, rng, sizes):
    for n in (1, 5, sizes.n + 4):
        Q, K, V = draw(rng, (), n, n, sizes.d_k, sizes.d_v)
        want = plain(reference, Q, K, V, causal=True)
        expect(student.blockwise_attention(Q, K, V, causal=True)).to_match(want, because=ALIGNED)
        for block_size in (1, 2, 4, n, n + 3):
            expect(student.blockwise_attention(Q, K, V, block_size, True)).to_match(want, because=ALIGNED)


@graded(0.5, "causal, more or fewer queries than keys", "因果，查询比键多或少")
def test_causal_not_square(student, reference, rng, sizes):
    for n_q, n_k in ((sizes.n_q, sizes.n_q + sizes.n), (sizes.n_k + sizes.n, sizes.n_k), (1, 6), (6, 1)):
        Q, K, V = draw(rng, (sizes.batch,), n_q, n_k, sizes.d_k, sizes.d_v)
        want = plain(reference, Q, K, V, causal=True)
        for block_size in (1, 2, 3, 64):
            expect(student.blockwise_attention(Q, K, V, block_size=block_size, causal=True)).to_match(want, because=ALIGNED)


@graded(0.5, "Other leading axes, and axes of equal length", "其他前导轴，以及长度相等的轴")
def test_leading_axes(student, reference, rng, sizes):
    shapes = [(leading, sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v) for leading in ((2, 3), (2, 1, 2), (1,))]
    shapes += [((), 3, 3, 3, 3), ((3,), 3, 3, 3, 3), ((3, 3), 3, 3, 3, 3), ((1, 1), 1, 1, 1, 1)]
    for shape in shapes:
        Q, K, V = draw(rng, *shape)
        for causal in (False, True):
            got = student.blockwise_attention(Q, K, V, block_size=2, causal=causal)
            expect(got).to_match(plain(reference, Q, K, V, causal), because=LEADING_AXES)


@graded(0.5, "Large scores, wherever the largest one stands", "很大的分数，不论最大的在哪里")
def test_large_scores(student, reference, rng, sizes, with_scores):
    n_k = 9
    rising, low = 64.0 * np.arange(n_k), np.full(n_k, -8192.0)
    late, early = low.copy(), low.copy()
    late[-1], early[0] = 8192.0, 8192.0
    Q, K = with_scores(
        [rising, rising[::-1], 8192.0 + 64.0 * rng.permutation(n_k), -8192.0 - 64.0 * rng.permutation(n_k), low, late, early]
    )
    V = rng.normal(size=(n_k, sizes.d_v))
    for block_size in (1, 2, 4, 9):
        for causal in (False, True):
            got = student.blockwise_attention(Q, K, V, block_size=block_size, causal=causal)
            expect(got).to_match(plain(reference, Q, K, V, causal), because=RESCALED)


@graded(0.5, "The arguments are left alone", "不修改参数", property_alone=True)
def test_the_arguments_are_left_alone(student, rng, sizes):
    Q, K, V = draw(rng, (sizes.batch,), sizes.n_q, sizes.n_k, sizes.d_k, sizes.d_v)
    expect(student.blockwise_attention(Q, K, V, block_size=2)).to_leave_arguments_alone()
    expect(student.blockwise_attention(Q, K, V, block_size=2, causal=True)).to_leave_arguments_alone()


# Queries and keys, block size: for loops in Python, for a block that is made at once, and the contract's own proportion. More memory
# for the block proves it as well, and takes fewer steps. In longer sequences what grows with the length alone counts for less.
SMALL = ((128, 16), (352, 8), (512, 8))
BEGINNING = 0.002  # seconds
thrifty = WeakKeyDictionary()  # student -> causal -> the size at which a call proved that none holds a matrix


def peak_memory(student, rng, n, d, block_size, causal):
    """The bytes that a call with n queries and keys holds at its peak, and the reply that told so."""
    Q, K, V = draw(rng, (), n, n, d, d)
    reply = student.peak_memory_of("blockwise_attention", Q, K, V, block_size=block_size, causal=causal)
    refuse_memory_error(reply)
    return float(expect(reply).to_be_numbers(())), reply


def is_thrifty(student, rng, causal):
    """Whether small calls prove that no call holds a matrix."""
    known = thrifty.setdefault(student, {})
    if causal not in known:
        sizes = SMALL[SMALL.index(known[False]) :] if known.get(False) else SMALL
        known[causal] = next((size for size in sizes if peak_memory(student, rng, size[0], 1, size[1], causal)[0] < size[0] ** 2), None)
    return known[causal] is not None


def begins_with_a_matrix(student, rng, n_q, n_k, block_size):
    """Whether a call of this length soon holds more than a matrix of booleans takes, or there is no telling."""
    Q, K, V = draw(rng, (), n_q, n_k, 1, 1)
    calls = [((Q, K, V), {"block_size": block_size, "causal": causal}) for causal in (False, True)]
    return student.outgrows(n_q * n_k, BEGINNING, "blockwise_attention", calls)


def check_memory(student, rng, small=True):
    """At the contract's length the peak stays below a matrix of booleans; where no answer comes in time, it grows linearly.

    small: take the proof of small calls where there is one.
    """
    try:
        for causal in (False, True):
            if small and is_thrifty(student, rng, causal):  # how a long call begins, the last test looks
                continue
            peak, reply = peak_memory(student, rng, 4096, 4, 64, causal)
            if peak >= 4096 * 4096:
                told = Text(
                    "At its peak it held more memory than a matrix (4096, 4096) of booleans takes.",
                    "占用内存的峰值超过了 (4096, 4096) 的布尔矩阵。",
                )
                raise Wrong(reply.called, str(told), str(NO_MATRIX))
    except Unanswered as error:
        if error.status != "timeout":
            raise
        check_growth(student, rng)


def check_growth(student, rng):
    """The peak grows with the length, not with its square: for loops in Python, which hold nothing that has a size of its own.

    Where n doubles, a matrix (n, n) of booleans adds 2 n² bytes to twice the peak; lists and floats of Python's add nothing.
    """
    n = 88
    student.blockwise_attention(*draw(rng, (), 5, 5, 1, 1), block_size=2)  # what a first call loads is no part of the method
    for causal in (False, True):
        short, _ = peak_memory(student, rng, n, 1, 2, causal)
        long, reply = peak_memory(student, rng, 2 * n, 1, 2, causal)
        if long - 2 * short >= 1.5 * n * n:
            told = Text("Its memory grows with the square of the length.", "它占用的内存随长度的平方增长。")
            raise Wrong(reply.called, str(told), str(NO_MATRIX))


def refuse_memory_error(reply):
    """Where memory ran out, say why."""
    if reply.raised is not None and "MemoryError" in reply.raised.kinds:
        raise Wrong(reply.called, str(Text("The memory was not enough.", "内存不够。")), str(NO_MATRIX))


@graded(1.0, "Less memory than a matrix of booleans takes", "占用的内存少于一个布尔矩阵", property_alone=True)
def test_memory(student, rng):
    check_memory(student, rng)


@graded(1.0, "A length at which the matrix would not fit", "矩阵放不进内存的长度")
def test_a_very_long_sequence(student, reference, rng):
    n_q, n_k = 10_240, 14_336  # 1.2 GB of scores; the jail has 1 GiB
    for queries, keys in ((3, n_k), (n_q, 4)):
        Q, K, V = draw(rng, (), queries, keys, 1, 1)
        expect(student.blockwise_attention(Q, K, V, block_size=512)).to_match(plain(reference, Q, K, V), because=SAME)
    if is_thrifty(student, rng, causal=False):
        if not begins_with_a_matrix(student, rng, n_q, n_k, 512):
            return
        check_memory(student, rng, small=False)
    few, K, V = draw(rng, (), 16, n_k, 4, 4)
    which = rng.integers(len(few), size=n_q)
    want = plain(reference, few, K, V)[which]
    try:
        reply = student.blockwise_attention(few[which], K, V, block_size=512)
    except Unanswered as error:
        if error.status != "timeout":
            raise
        check_memory(student, rng)
    else:
        refuse_memory_error(reply)
        expect(reply).to_match(want, because=SAME)
