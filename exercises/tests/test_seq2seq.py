"""Visible tests of the translation model: run them with pytest while you write."""

import numpy as np

from .expect import Text, expect
from .titles import chinese

HINTS = {
    "Seq2SeqAttention": Text(
        "Which matrices have a row for each word of which language, and which are square?",
        "哪些矩阵为哪种语言的每个词准备了一行？哪些是方阵？",
    ),
    "Seq2SeqAttention.encode": Text(
        "What goes into the cell for one word, what comes out of it, and what of that is kept?",
        "处理一个词时，什么进入 LSTM 单元，什么出来，其中又保留什么？",
    ),
    "Seq2SeqAttention.decode_step": Text(
        "Who asks, who is asked, and which h is it that asks: the one you were given or the one that has read `token`?",
        "谁提问，谁被问？提问的 h 是传进来的那个，还是已经读过 `token` 的那个？",
    ),
}

HIDDEN, SRC, TGT = 2, 3, 4
LN3 = np.log(3.0)  # a gate with bias ln 3 is open by 3/4, one with bias 0 by 1/2
CANDIDATE = np.zeros((4, 8))
CANDIDATE[[0, 1], [4, 5]] = 1.0  # from x
CANDIDATE[[2, 3], [4, 5]] = 0.5  # from h


def known_model(student):
    """A model with weights small enough to follow by hand."""
    model = student.Seq2SeqAttention(SRC, TGT, HIDDEN)
    model.encoder_embedding = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    model.decoder_embedding = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]])
    model.encoder_lstm.W = CANDIDATE
    model.encoder_lstm.b = np.array([LN3, LN3, 0.0, 0.0, 0.0, 0.0, LN3, LN3])
    model.decoder_lstm.W = CANDIDATE
    model.decoder_lstm.b = np.array([0.0, 0.0, LN3, LN3, 0.0, 0.0, LN3, LN3])
    model.W_Q = np.array([[2.0, 0.0], [0.0, 1.0]])
    model.W_K = np.array([[1.0, 0.0], [1.0, 2.0]])
    model.W_V = np.array([[0.0, 1.0], [2.0, 0.0]])
    model.W_out = np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, -1.0, 0.0]])
    return model


ENCODER_OUTPUTS = np.array([[0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])


@chinese("各权重的形状")
def test_the_weights_have_their_shapes(student):
    """Embeddings (vocabulary, hidden), projections (hidden, hidden), W_out (hidden, target vocabulary), two LSTM cells."""
    model = student.Seq2SeqAttention(src_vocab_size=5, tgt_vocab_size=7, hidden_size=3)
    expect(model.encoder_embedding).to_be_numbers((5, 3))
    expect(model.decoder_embedding).to_be_numbers((7, 3))
    for projection in (model.W_Q, model.W_K, model.W_V):
        expect(projection).to_be_numbers((3, 3))
    expect(model.W_out).to_be_numbers((3, 7))
    expect(model.encoder_lstm.W).to_be_numbers((6, 12))
    expect(model.decoder_lstm.b).to_be_numbers((12,))


@chinese("编码器保留每个词之后的 h")
def test_the_encoder_keeps_its_h_after_every_word(student):
    """Three words; the state at the end is the one after the last of them."""
    last_h, last_c = [0.5096451, 0.3654580], [0.8282343, 0.5324837]
    expect(known_model(student).encode([1, 2, 1])).to_match(
        ([[0.3871776, 0.0], [0.3033655, 0.4640827], last_h], (np.array(last_h), np.array(last_c))),
        "encoder_outputs",
        "state",
        because=Text(
            "h and c start as zeros; each word's embedding goes through the encoder's cell with the state that the word before left.",
            "h 和 c 从零开始；每个词的嵌入与上一个词留下的状态一起送入编码器的 LSTM 单元。",
        ),
    )


FIRST_STEP = (
    np.array([0.9374348, 0.6752424, 1.1996272, 0.0]),
    np.array([0.5225549, 0.4172673]),
    np.array([0.8609364, 0.6275407]),
    np.array([0.4350169, 0.2411164, 0.3238668]),
)
SECOND_STEP = (
    np.array([0.9393186, 0.7212914, 1.1573458, 0.0]),
    np.array([0.4866971, 0.5330967]),
    np.array([0.7734473, 0.8887901]),
    np.array([0.4637212, 0.2181910, 0.3180877]),
)
STEP = Text(
    "First the decoder's cell, then attention with the new h as the query, then tanh(h + context) @ W_out.",
    "先走解码器的 LSTM 单元，再用新的 h 作查询做注意力，最后是 tanh(h + context) @ W_out。",
)


@chinese("解码一步")
def test_a_step_of_the_decoder(student):
    """One query over three source words."""
    reply = known_model(student).decode_step(0, np.array([0.25, -0.5]), np.array([0.5, 1.0]), ENCODER_OUTPUTS)
    expect(reply).to_match(FIRST_STEP, "logits", "h", "c", "weights", because=STEP)


@chinese("下一步从上一步的状态继续")
def test_the_next_step_goes_on_from_the_state_of_the_last(student):
    """The h and c that a step returns are what the next step begins with."""
    model = known_model(student)
    reply = model.decode_step(0, np.array([0.25, -0.5]), np.array([0.5, 1.0]), ENCODER_OUTPUTS)
    _, h, c, _ = (expect(part).to_be_numbers() for part in expect(reply).parts("logits", "h", "c", "weights"))
    expect(model.decode_step(1, h, c, ENCODER_OUTPUTS)).to_match(SECOND_STEP, "logits", "h", "c", "weights", because=STEP)
