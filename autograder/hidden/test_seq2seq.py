"""Grades exercise `seq2seq`. The grader puts weights of its own into the model, the LSTM cells' too, before it calls."""

import numpy as np
import pytest

from autograder.expect import Reply
from autograder.grading import Text, expect, graded

ENCODER = Text(
    "h and c start as zeros; each word's embedding goes through the encoder's cell together with the h and c that the word before left.",
    "h 和 c 从零开始；每个词的嵌入与上一个词留下的 h、c 一起送入编码器的 LSTM 单元。",
)
LAST_STATE = Text(
    "(h, c) is the encoder's state after the last word: two arrays (hidden,).",
    "(h, c) 是编码器读完最后一个词之后的状态：两个形状为 (hidden,) 的数组。",
)
NEW_STATE = Text(
    "h and c are the decoder cell's new state, from the embedding of the token and the old state; the context does not go into them.",
    "h 和 c 是解码器 LSTM 单元的新状态，由词元的嵌入和旧状态得到；上下文向量不进入其中。",
)
WEIGHTS = Text(
    "The query is the NEW h by W_Q, the keys are encoder_outputs by W_K; the dot products are divided by √hidden before the softmax.",
    "查询是新的 h 乘 W_Q，键是 encoder_outputs 乘 W_K；点积除以 √hidden 之后再做 softmax。",
)
LOGITS = Text(
    "logits = tanh(h + context) @ W_out, with the new h and the context, the weighted average of encoder_outputs @ W_V.",
    "logits = tanh(h + context) @ W_out，其中 h 是新的状态，context 是 encoder_outputs @ W_V 的加权平均。",
)
PROJECTIONS = ("W_Q", "W_K", "W_V")
CELLS = ("encoder_lstm", "decoder_lstm")


def different_sizes(rng):
    """Sizes of vocabularies, state and source, all different."""
    return (int(n) for n in rng.permutation([3, 4, 5, 6, 7, 8])[:4])


def cell_of(model, name):
    """The encoder's or the decoder's LSTM cell."""
    cell = getattr(model, name)
    if isinstance(cell, Reply):
        expect(cell).to_hold(False, Text(f"{name} must be an LSTMCell.", f"{name} 必须是一个 LSTMCell。"))
    return cell


def pair(student, reference, rng, src_vocab, tgt_vocab, hidden):
    """A model of the student's and one of the reference, with the same random weights of ordinary size, biases included."""
    model, want = (side.Seq2SeqAttention(src_vocab, tgt_vocab, hidden) for side in (student, reference))
    drawn = {
        "encoder_embedding": rng.normal(size=(src_vocab, hidden)),
        "decoder_embedding": rng.normal(size=(tgt_vocab, hidden)),
        "W_out": rng.normal(size=(hidden, tgt_vocab)),
    }
    drawn |= {name: rng.normal(scale=1.5 / np.sqrt(hidden), size=(hidden, hidden)) for name in PROJECTIONS}
    for name, values in drawn.items():
        setattr(model, name, values)
        setattr(want, name, values)
    for name in CELLS:
        cell, right = cell_of(model, name), getattr(want, name)
        cell.W = right.W = rng.normal(size=(2 * hidden, 4 * hidden))
        cell.b = right.b = rng.normal(size=4 * hidden)
    return model, want


def decoder_inputs(rng, n, hidden):
    """h, c and encoder_outputs as they might come from somewhere."""
    return rng.normal(size=hidden), rng.normal(size=hidden), rng.normal(size=(n, hidden))


def step(model, want, *args, **kwargs):
    """The named parts of one step: the student's as replies, the reference's as arrays."""
    names = ("logits", "h", "c", "weights")
    got = expect(model.decode_step(*args, **kwargs)).parts(*names)
    return dict(zip(names, got, strict=True)), dict(zip(names, want.decode_step(*args, **kwargs), strict=True))


@graded(0.5, "Start values: shapes, and not all zeros", "初始权重：形状正确，不全为零", property_alone=True)
def test_start_values(student, rng):
    src, tgt, hidden, _ = different_sizes(rng)
    seed = int(rng.integers(1000))
    for model in (
        student.Seq2SeqAttention(src, tgt, hidden, seed),
        student.Seq2SeqAttention(src_vocab_size=src, tgt_vocab_size=tgt, hidden_size=hidden, seed=seed + 1),
        student.Seq2SeqAttention(src, tgt, hidden),
    ):
        shapes = {"encoder_embedding": (src, hidden), "decoder_embedding": (tgt, hidden), "W_out": (hidden, tgt)}
        for name, shape in (shapes | dict.fromkeys(PROJECTIONS, (hidden, hidden))).items():
            reply = getattr(model, name)
            expect(reply).to_hold(
                bool(expect(reply).to_be_numbers(shape).any()), Text(f"{name} must not be all zeros.", f"{name} 不能全是零。")
            )
        for name in CELLS:
            cell = cell_of(model, name)
            expect(cell.W).to_be_numbers((2 * hidden, 4 * hidden))
            expect(cell.b).to_be_numbers((4 * hidden,))


@graded(1.5, "encode: the encoder's h after every word", "encode：每个词之后编码器的 h")
def test_encoder_outputs(student, reference, rng):
    for sizes in (tuple(different_sizes(rng)), (4, 4, 4, 4)):
        src_vocab, tgt_vocab, hidden, n = sizes
        model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
        for src in (rng.integers(src_vocab, size=n), rng.integers(src_vocab, size=n).tolist()):
            outputs, _ = expect(model.encode(src)).parts("encoder_outputs", "state")
            expect(outputs).to_match(want.encode(src)[0], because=ENCODER)
        outputs, _ = expect(model.encode(src=[src_vocab - 1])).parts("encoder_outputs", "state")
        expect(outputs).to_match(want.encode([src_vocab - 1])[0], because=ENCODER)


@graded(0.5, "encode: the state after the last word", "encode：最后一个词之后的状态")
def test_encoder_state(student, reference, rng):
    src_vocab, tgt_vocab, hidden, n = different_sizes(rng)
    model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
    for length in (n, 1, 2):
        src = rng.integers(src_vocab, size=length).tolist()
        _, state = expect(model.encode(src)).parts("encoder_outputs", "state")
        expect(state).to_match(want.encode(src)[1], "h", "c", because=LAST_STATE)


@graded(1.0, "decode_step: the decoder's new state", "decode_step：解码器的新状态")
def test_decoder_state(student, reference, rng):
    for sizes in (tuple(different_sizes(rng)), (4, 4, 4, 4)):
        src_vocab, tgt_vocab, hidden, n = sizes
        model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
        for token in (0, tgt_vocab - 1):
            got, right = step(model, want, token, *decoder_inputs(rng, n, hidden))
            expect(got["h"]).to_match(right["h"], because=NEW_STATE)
            expect(got["c"]).to_match(right["c"], because=NEW_STATE)


@graded(1.0, "decode_step: where the decoder looks", "decode_step：解码器看向哪里")
def test_decoder_weights(student, reference, rng):
    for sizes in (tuple(different_sizes(rng)), (4, 4, 4, 4), (3, 5, 6, 1)):
        src_vocab, tgt_vocab, hidden, n = sizes
        model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
        for _ in range(2):  # another sentence of the same length
            got, right = step(model, want, int(rng.integers(tgt_vocab)), *decoder_inputs(rng, n, hidden))
            expect(got["weights"]).to_match(right["weights"], because=WEIGHTS)


@pytest.mark.parametrize("sizes", ["different", "equal"])
@graded(1.0, "decode_step: a score for every target word", "decode_step：每个目标词的得分")
def test_logits(student, reference, rng, sizes):
    for n in (2, 5, 1):
        src_vocab, tgt_vocab, hidden, length = different_sizes(rng) if sizes == "different" else (4, 4, 4, 4)
        model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
        h, c, encoder_outputs = decoder_inputs(rng, length if n == 2 else n, hidden)
        token = int(rng.integers(tgt_vocab))
        got, right = step(model, want, token=token, h=h, c=c, encoder_outputs=encoder_outputs)
        expect(got["logits"]).to_match(right["logits"], because=LOGITS)


@graded(1.0, "Several steps, each from the state that the last one left", "连续多步，每一步接着上一步的状态")
def test_several_steps(student, reference, rng):
    src_vocab, tgt_vocab, hidden, n = different_sizes(rng)
    model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
    carried = Text(
        "A step starts from the h and c that it is given, and hands back those with which the next one goes on.",
        "每一步从传入的 h、c 开始，并返回下一步要用的 h、c。",
    )
    src = rng.integers(src_vocab, size=n)
    encoder_outputs, state = expect(model.encode(src)).parts("encoder_outputs", "state")
    h, c = (expect(part).to_be_numbers((hidden,)) for part in expect(state).parts("h", "c"))
    memory = expect(encoder_outputs).to_be_numbers((n, hidden))
    right_memory, (right_h, right_c) = want.encode(src)
    for token in rng.integers(tgt_vocab, size=3).tolist():
        parts = expect(model.decode_step(token, h, c, memory)).parts("logits", "h", "c", "weights")
        right = want.decode_step(token, right_h, right_c, right_memory)
        for part, value in zip(parts, right, strict=True):
            expect(part).to_match(value, because=carried)
        h, c = (expect(part).to_be_numbers((hidden,)) for part in parts[1:3])
        right_h, right_c = right[1:3]


@graded(0.5, "Large scores do not overflow", "很大的分数不会溢出")
def test_large_scores(student, reference, rng):
    src_vocab, tgt_vocab, hidden, n = different_sizes(rng)
    model, want = pair(student, reference, rng, src_vocab, tgt_vocab, hidden)
    W_Q = np.zeros((hidden, hidden))
    W_Q[0, 0] = 1.0
    cell_b = np.repeat([16.0, -16.0, 16.0, 16.0], hidden)  # whatever it reads, h is tanh(1) to the last digit
    encoder_outputs = np.zeros((n, hidden))
    encoder_outputs[:, 0] = 2048.0 * (1 + rng.permutation(n))
    encoder_outputs[:, 1:] = rng.normal(size=(n, hidden - 1))
    for sign in (1.0, -1.0):
        for side in (model, want):
            side.W_Q, side.W_K = sign * W_Q, np.eye(hidden)
            side.W_V = np.diag([0.0, *np.ones(hidden - 1)])
            cell = cell_of(side, "decoder_lstm")
            cell.W, cell.b = np.zeros((2 * hidden, 4 * hidden)), cell_b
        got, right = step(model, want, 0, *decoder_inputs(rng, n, hidden)[:2], encoder_outputs)
        best = Text("A source word with a far larger score gets all the weight.", "分数远远更大的源词得到全部权重。")
        expect(got["weights"]).to_match(right["weights"], because=best)
        expect(got["logits"]).to_match(right["logits"], because=best)
