"""A base class and helper methods; unseeded start."""

import numpy as np

from exercises.attention import *
from exercises.lstm import LSTMCell


class Model:
    def weights(self, **shapes):
        for name, shape in shapes.items():
            setattr(self, name, np.random.randn(*shape) * 0.1)


class Seq2SeqAttention(Model):
    def __init__(self, src_vocab_size, tgt_vocab_size, hidden_size, seed=42):
        d = hidden_size
        self.weights(encoder_embedding=(src_vocab_size, d), decoder_embedding=(tgt_vocab_size, d), W_out=(d, tgt_vocab_size))
        self.weights(W_Q=(d, d), W_K=(d, d), W_V=(d, d))
        self.encoder_lstm, self.decoder_lstm = LSTMCell(d, d, 0), LSTMCell(d, d, 0)

    def encode(self, src):
        h = np.zeros(self.W_Q.shape[0])
        c = h.copy()
        outputs = np.zeros((0, len(h)))
        for t in src:
            h, c = self.encoder_lstm.forward(self.encoder_embedding[t], h, c)
            outputs = np.vstack([outputs, h])
        return outputs, (h, c)

    def look(self, h, memory):
        context, weights = scaled_dot_product_attention(Q=(h @ self.W_Q)[None, :], K=memory @ self.W_K, V=memory @ self.W_V)
        return context.flatten(), weights.flatten()

    def decode_step(self, token, h, c, encoder_outputs):
        one_hot = np.eye(len(self.decoder_embedding))[token]
        h, c = self.decoder_lstm.forward(one_hot @ self.decoder_embedding, h, c)
        context, weights = self.look(h, encoder_outputs)
        return np.einsum("h,hv->v", np.tanh(np.add(h, context)), self.W_out), h, c, weights
