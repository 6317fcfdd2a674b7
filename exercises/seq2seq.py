"""Translation with attention: a decoder that looks back at every word of the source while it writes."""

from collections.abc import Sequence

import numpy as np

from exercises.lstm import LSTMCell
from exercises.attention import scaled_dot_product_attention


class Seq2SeqAttention:
    """An encoder and a decoder, each one LSTM cell, with scaled dot-product attention between them.

    src_vocab_size, tgt_vocab_size: how many words the source and the target language have; a token is a word's number.
    hidden_size: the width of embeddings, states, queries, keys and values.
    seed: the same seed gives the same weights, another seed gives others.

    Attributes, which a caller may read and replace at any time (hidden = hidden_size):
        encoder_embedding: (src_vocab_size, hidden). decoder_embedding: (tgt_vocab_size, hidden). A row per word.
        encoder_lstm, decoder_lstm: LSTMCell(hidden, hidden) each, see exercises/lstm.py.
        W_Q, W_K, W_V: (hidden, hidden). W_out: (hidden, tgt_vocab_size).

    Example: random weights translate nothing, but everything has its shape.

    >>> model = Seq2SeqAttention(src_vocab_size=7, tgt_vocab_size=9, hidden_size=4)
    >>> encoder_outputs, (h, c) = model.encode([3, 1, 4, 1, 5])
    >>> logits, h, c, weights = model.decode_step(0, h, c, encoder_outputs)
    >>> encoder_outputs.shape, logits.shape, h.shape, c.shape, weights.shape
    ((5, 4), (9,), (4,), (4,), (5,))

    Source: Bahdanau et al. 2015 and Luong et al. 2015, section 3.1, for attention from a decoder to an encoder; with
    the scaled dot product of Vaswani et al. 2017 and a sum h + context instead of Luong's concatenation.
    """

    def __init__(self, src_vocab_size: int, tgt_vocab_size: int, hidden_size: int, seed: int = 42):
        """Draw the start weights: small random numbers, none of the matrices all 0 (nothing could be learned from there)."""
        # TODO 1: one random generator from `seed`, for all matrices one after another: another seed, other weights.
        # TODO 2: the attributes, with the names and shapes that the docstring of the class gives. The two cells are two
        #         objects: encoder and decoder learn different things. Their seeds are yours to choose.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")

    def encode(self, src: Sequence[int] | np.ndarray) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """Read the source sentence word by word.

        src: (n,), the numbers of its words, a list or an array.
        Returns: (encoder_outputs, (h, c)). encoder_outputs: (n, hidden), the encoder's h after each word. h, c: (hidden,), its
            state after the last word, with which the decoder starts. The encoder itself starts from zeros.
        """
        # TODO 1: h and c start as zeros.
        # TODO 2: for each word: its row of the embedding goes into the cell together with the state so far. Keep each h.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")

    def decode_step(
        self, token: int, h: np.ndarray, c: np.ndarray, encoder_outputs: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Write one word: advance the decoder by the word before it, look back at the source, score every target word.

        token: the number of the target word written last (at first, of a start mark).
        h, c: (hidden,), the decoder's state so far: the encoder's last one at first, then what the last step returned.
        encoder_outputs: (n, hidden), as `encode` returned them.
        Returns: (logits, h, c, weights). logits: (tgt_vocab_size,), a score for each target word: tanh(h + context) @ W_out, with
            the new h, and no softmax. h, c: (hidden,), the decoder's new state, without the context. weights: (n,), how much the
            decoder looked at each source word; they add up to 1. context: (hidden,), the average of encoder_outputs @ W_V with
            these weights. Scores up to ±1e4 are handled without NaN. The arguments are not modified.
        """
        # TODO 1: the decoder's cell makes the new h and c from the embedding of `token` and the old ones. It comes first: the
        #         decoder must know what it wrote last before it can ask what comes next.
        # TODO 2: attention with ONE query, from the new h by W_Q; the keys and the values come from the encoder, by W_K and by
        #         W_V. Which shapes does your `scaled_dot_product_attention` want, and which do context and weights have then?
        # TODO 3: the logits, from the new h and the context.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
