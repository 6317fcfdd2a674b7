"""The output from h alone."""

import numpy as np

from exercises.attention import scaled_dot_product_attention
from exercises.lstm import LSTMCell


class Seq2SeqAttention:
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
        rng = np.random.default_rng(seed)
        self.hidden_size = hidden_size
        self.encoder_embedding = rng.normal(size=(src_vocab_size, hidden_size)) * 0.1
        self.encoder_lstm = LSTMCell(hidden_size, hidden_size, seed=1)
        self.decoder_embedding = rng.normal(size=(tgt_vocab_size, hidden_size)) * 0.1
        self.decoder_lstm = LSTMCell(hidden_size, hidden_size, seed=2)
        self.W_Q = rng.normal(size=(hidden_size, hidden_size)) * 0.1
        self.W_K = rng.normal(size=(hidden_size, hidden_size)) * 0.1
        self.W_V = rng.normal(size=(hidden_size, hidden_size)) * 0.1
        self.W_out = rng.normal(size=(hidden_size, tgt_vocab_size)) * 0.1

    def encode(self, src):
        h = np.zeros(self.hidden_size)
        c = np.zeros(self.hidden_size)
        outputs = []
        for token in src:
            x = self.encoder_embedding[token]
            h, c = self.encoder_lstm.forward(x, h, c)
            outputs.append(h)
        return np.array(outputs), (h, c)

    def decode_step(self, token, h, c, encoder_outputs):
        x = self.decoder_embedding[token]
        h, c = self.decoder_lstm.forward(x, h, c)
        Q = (h @ self.W_Q).reshape(1, -1)
        K = encoder_outputs @ self.W_K
        V = encoder_outputs @ self.W_V
        context, weights = scaled_dot_product_attention(Q, K, V)
        context = context.reshape(-1)
        logits = np.tanh(h) @ self.W_out
        return logits, h, c, weights.reshape(-1)
