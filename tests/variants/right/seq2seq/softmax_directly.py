"""softmax of the first exercise, the values projected after the average."""

import numpy as np
import exercises.softmax
from exercises import lstm


class Seq2SeqAttention:
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42, scale=0.5, verbose=True):
        rng = np.random.RandomState(seed)
        self.W_Q, self.W_K, self.W_V = (rng.randn(hidden_size, hidden_size) * scale for _ in "QKV")
        self.W_out = rng.randn(hidden_size, tgt_vocab_size) * scale
        self.encoder_embedding = rng.randn(src_vocab_size, hidden_size) * scale
        self.decoder_embedding = rng.randn(tgt_vocab_size, hidden_size) * scale
        self.encoder_lstm = lstm.LSTMCell(hidden_size, hidden_size, 5)
        self.decoder_lstm = lstm.LSTMCell(hidden_size, hidden_size, 6)
        self.attention_log = []

    def encode(self, src):
        states = [(np.zeros(len(self.W_Q)), np.zeros(len(self.W_Q)))]
        for token in src:
            states.append(self.encoder_lstm.forward(self.encoder_embedding[int(token), :], *states[-1]))
        return tuple(h for h, _ in states[1:]), states[-1]

    def decode_step(self, token, h, c, encoder_outputs):
        h, c = self.decoder_lstm.forward(h=h, c=c, x=self.decoder_embedding[token])
        query = self.W_K @ (self.W_Q.T @ h)
        weights = exercises.softmax.softmax(encoder_outputs @ query / np.sqrt(len(h)))
        self.attention_log.append(weights)
        context = weights @ encoder_outputs @ self.W_V
        return (self.W_out.T @ np.tanh(h + context)), h, c, weights
