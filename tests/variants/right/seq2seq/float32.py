"""float32 from the cast of the inputs on."""

import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.lstm import LSTMCell

f = np.float32


class Seq2SeqAttention:
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
        rng = np.random.default_rng(seed)
        draw = lambda *shape: rng.uniform(-1, 1, shape).astype(f)
        self.encoder_embedding = draw(src_vocab_size, hidden_size)
        self.decoder_embedding = draw(tgt_vocab_size, hidden_size)
        self.encoder_lstm = LSTMCell(hidden_size, hidden_size, seed)
        self.decoder_lstm = LSTMCell(hidden_size, hidden_size, seed + 1)
        self.W_Q = draw(hidden_size, hidden_size)
        self.W_K = draw(hidden_size, hidden_size)
        self.W_V = draw(hidden_size, hidden_size)
        self.W_out = draw(hidden_size, tgt_vocab_size)

    def _cell(self, cell, x, h, c):
        small = LSTMCell(1, 1)
        small.W, small.b = cell.W.astype(f), cell.b.astype(f)
        h, c = small.forward(x.astype(f), h.astype(f), c.astype(f))
        return h.astype(f), c.astype(f)

    def encode(self, src):
        h = c = np.zeros(self.encoder_embedding.shape[-1], f)
        outputs = []
        for word in src:
            h, c = self._cell(self.encoder_lstm, self.encoder_embedding[word], h, c)
            outputs.append(h)
        return np.stack(outputs), (h, c)

    def decode_step(self, token, h, c, encoder_outputs):
        h, c = self._cell(self.decoder_lstm, self.decoder_embedding[token], h, c)
        E = encoder_outputs.astype(f)
        scores = (E @ self.W_K.astype(f)) @ (h @ self.W_Q.astype(f)) / f(np.sqrt(len(h)))
        e = np.exp(scores - scores.max())
        w = e / e.sum()
        context = w @ (E @ self.W_V.astype(f))
        return np.tanh(h + context) @ self.W_out.astype(f), h, c, w
