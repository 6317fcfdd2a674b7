"""Lists and loops, an attention of its own."""

import math

from exercises.lstm import LSTMCell


def times(v, M):
    M = [list(map(float, row)) for row in M]
    return [sum(v[i] * M[i][j] for i in range(len(v))) for j in range(len(M[0]))]


class Seq2SeqAttention:
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
        import numpy as np

        def some(n, m, k):
            return np.array([[math.sin(seed + k + 7 * i + 3 * j) for j in range(m)] for i in range(n)])

        self.encoder_embedding, self.decoder_embedding = some(src_vocab_size, hidden_size, 1), some(tgt_vocab_size, hidden_size, 2)
        self.encoder_lstm, self.decoder_lstm = LSTMCell(hidden_size, hidden_size), LSTMCell(hidden_size, hidden_size)
        self.W_Q, self.W_K, self.W_V = (some(hidden_size, hidden_size, k) for k in (3, 4, 5))
        self.W_out = some(hidden_size, tgt_vocab_size, 6)
        self.n = hidden_size

    def encode(self, src):
        h = c = [0.0] * self.n
        all_h = []
        for i in range(len(src)):
            h, c = self.encoder_lstm.forward(self.encoder_embedding[src[i]], h, c)
            all_h.append([float(x) for x in h])
        return [all_h, [h, c]]

    def decode_step(self, token, h, c, encoder_outputs):
        h, c = self.decoder_lstm.forward(self.decoder_embedding[token], h, c)
        q = times(list(map(float, h)), self.W_Q)
        keys = [times(list(map(float, e)), self.W_K) for e in encoder_outputs]
        values = [times(list(map(float, e)), self.W_V) for e in encoder_outputs]
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(len(q)) for k in keys]
        exps = [math.exp(s - max(scores)) for s in scores]
        weights = [e / sum(exps) for e in exps]
        context = [sum(w * v[j] for w, v in zip(weights, values)) for j in range(len(q))]
        logits = times([math.tanh(a + b) for a, b in zip(h, context)], self.W_out)
        return [logits, h, c, weights]
