"""Weights of the global generator, as in the lesson; state in a matrix."""

import numpy as np

from exercises.attention import scaled_dot_product_attention as attention
from exercises.lstm import LSTMCell


class Seq2SeqAttention:
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
        np.random.seed(seed)
        d = hidden_size
        self.W_out = np.random.randn(d, tgt_vocab_size) * 0.1
        self.encoder_embedding = np.random.randn(src_vocab_size, d) * 0.1
        self.decoder_embedding = np.random.randn(tgt_vocab_size, d) * 0.1
        self.W_Q, self.W_K, self.W_V = np.random.randn(3, d, d) * 0.1
        self.encoder_lstm = LSTMCell(input_size=d, hidden_size=d)
        self.decoder_lstm = LSTMCell(input_size=d, hidden_size=d)

    def encode(self, src):
        src = np.asarray(src)
        d = self.W_Q.shape[0]
        H = np.empty((len(src), d))
        state = np.zeros((2, d))
        for i, x in enumerate(self.encoder_embedding[src]):
            state = np.array(self.encoder_lstm.forward(x, *state))
            H[i] = state[0]
        return H, state

    def decode_step(self, token, h, c, encoder_outputs):
        h, c = self.decoder_lstm.forward(self.decoder_embedding[token], h, c)
        context, weights = attention(h[None] @ self.W_Q, encoder_outputs @ self.W_K, encoder_outputs @ self.W_V)
        return np.squeeze(np.tanh(h[None] + context) @ self.W_out, 0), h, c, weights[0]
