"""The three small models of the trained example with their gradients, in NumPy: `train_translation.py` trains them.

The equations are those of the exercises (`seq2seq`, `multi_head`) and of the provided LSTMCell, for a batch of sentences
that all have the same number of source words. Every model keeps its weights in a dictionary, name -> array.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Weights = dict[str, np.ndarray]


def _sigmoid(x: np.ndarray) -> np.ndarray:
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def _softmax(x: np.ndarray) -> np.ndarray:
    exps = np.exp(x - x.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def _softmax_backward(weights: np.ndarray, d_weights: np.ndarray) -> np.ndarray:
    return weights * (d_weights - (d_weights * weights).sum(axis=-1, keepdims=True))


def cross_entropy(logits: np.ndarray, wanted: np.ndarray, counted: np.ndarray) -> tuple[float, np.ndarray]:
    """The mean cross entropy in nats and its gradient. logits (batch, t, words); wanted (batch, t); counted bool (batch, t)."""
    probabilities = _softmax(logits)
    rows, columns = np.indices(wanted.shape)
    loss = -np.log(probabilities[rows, columns, wanted] + 1e-30)[counted].mean()
    d_logits = probabilities
    d_logits[rows, columns, wanted] -= 1.0
    return float(loss), d_logits * counted[..., np.newaxis] / counted.sum()


class Lstm:
    """One LSTM over a batch of sequences; gates in the order input, forget, candidate, output, as in exercises/lstm.py."""

    def __init__(self, W: np.ndarray, b: np.ndarray):
        self.W, self.b = W, b

    def forward(self, X: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """X (batch, t, inputs), h and c (batch, hidden) -> all states h (batch, t, hidden) and the last c."""
        self.steps = []
        states = []
        for t in range(X.shape[1]):
            joined = np.concatenate([X[:, t], h], axis=1)
            gates = np.split(joined @ self.W + self.b, 4, axis=1)
            i, f, o = _sigmoid(gates[0]), _sigmoid(gates[1]), _sigmoid(gates[3])
            g = np.tanh(gates[2])
            c_before, c = c, f * c + i * g
            tanh_c = np.tanh(c)
            h = o * tanh_c
            self.steps.append((joined, i, f, g, o, c_before, tanh_c))
            states.append(h)
        return np.stack(states, axis=1), c

    def backward(self, d_states: np.ndarray, d_h: np.ndarray, d_c: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Gradients of X, of the first h and of the first c; those of W and b are added up in `d_W` and `d_b`."""
        self.d_W, self.d_b = np.zeros_like(self.W), np.zeros_like(self.b)
        d_X = np.empty((*d_states.shape[:2], self.W.shape[0] - d_h.shape[1]), dtype=d_states.dtype)
        for t in reversed(range(len(self.steps))):
            joined, i, f, g, o, c_before, tanh_c = self.steps[t]
            d_h = d_h + d_states[:, t]
            d_c = d_c + d_h * o * (1.0 - tanh_c**2)
            d_gates = np.concatenate(
                [
                    d_c * g * i * (1.0 - i),
                    d_c * c_before * f * (1.0 - f),
                    d_c * i * (1.0 - g**2),
                    d_h * tanh_c * o * (1.0 - o),
                ],
                axis=1,
            )
            self.d_W += joined.T @ d_gates
            self.d_b += d_gates.sum(axis=0)
            d_joined = d_gates @ self.W.T
            d_X[:, t], d_h = d_joined[:, : d_X.shape[2]], d_joined[:, d_X.shape[2] :]
            d_c = d_c * f
        return d_X, d_h, d_c


@dataclass(frozen=True)
class Seq2Seq:
    """The encoder-decoder, with attention (as exercise `seq2seq` has it) or without (all goes through the last state)."""

    attends: bool

    def start(self, rng: np.random.Generator, n_source: int, n_target: int, hidden: int) -> Weights:
        """Random weights; the forget gate starts open."""

        def matrix(rows: int, columns: int, scale: float) -> np.ndarray:
            return rng.normal(scale=scale, size=(rows, columns)).astype(np.float32)

        bias = np.zeros(4 * hidden, dtype=np.float32)
        bias[hidden : 2 * hidden] = 1.0
        root = hidden**-0.5
        weights = {
            "encoder_embedding": matrix(n_source, hidden, 0.3),
            "encoder_lstm.W": matrix(2 * hidden, 4 * hidden, root),
            "encoder_lstm.b": bias.copy(),
            "decoder_embedding": matrix(n_target, hidden, 0.3),
            "decoder_lstm.W": matrix(2 * hidden, 4 * hidden, root),
            "decoder_lstm.b": bias.copy(),
            "W_out": matrix(hidden, n_target, root),
        }
        if self.attends:
            weights |= {name: matrix(hidden, hidden, root) for name in ("W_Q", "W_K", "W_V")}
        return weights

    def loss(
        self, w: Weights, source: np.ndarray, given: np.ndarray, wanted: np.ndarray, counted: np.ndarray, drop: Dropout
    ) -> tuple[float, Weights]:
        """Teacher forcing: the loss of `wanted` after `given`, both (batch, t), and the gradients of all weights.

        source: (batch, n) word numbers. counted: bool (batch, t), False where a shorter target is padded.
        """
        zeros = np.zeros((len(source), w["W_out"].shape[0]), dtype=np.float32)
        encoder = Lstm(w["encoder_lstm.W"], w["encoder_lstm.b"])
        decoder = Lstm(w["decoder_lstm.W"], w["decoder_lstm.b"])
        keep_source, keep_target = drop.mask(*source.shape, zeros.shape[1]), drop.mask(*given.shape, zeros.shape[1])
        E, c = encoder.forward(w["encoder_embedding"][source] * keep_source, zeros, zeros)
        H, _ = decoder.forward(w["decoder_embedding"][given] * keep_target, E[:, -1], c)
        combined = H
        if self.attends:
            Q, K, V = H @ w["W_Q"], E @ w["W_K"], E @ w["W_V"]
            scale = Q.shape[-1] ** -0.5
            attention = _softmax(Q @ K.swapaxes(1, 2) * scale)
            combined = H + attention @ V
        keep_out = drop.mask(*combined.shape)
        u = np.tanh(combined)
        loss, d_logits = cross_entropy((u * keep_out) @ w["W_out"], wanted, counted)

        d: Weights = {"W_out": _outer(u * keep_out, d_logits)}
        d_combined = d_logits @ w["W_out"].T * keep_out * (1.0 - u**2)
        d_H, d_E = d_combined, np.zeros_like(E)
        if self.attends:
            d_V = attention.swapaxes(1, 2) @ d_combined
            d_scores = _softmax_backward(attention, d_combined @ V.swapaxes(1, 2)) * scale
            d_Q, d_K = d_scores @ K, d_scores.swapaxes(1, 2) @ Q
            d |= {"W_Q": _outer(H, d_Q), "W_K": _outer(E, d_K), "W_V": _outer(E, d_V)}
            d_H = d_H + d_Q @ w["W_Q"].T
            d_E = d_K @ w["W_K"].T + d_V @ w["W_V"].T
        d_given, d_h, d_c = decoder.backward(d_H, zeros, zeros)
        d_source, _, _ = encoder.backward(d_E, d_h, d_c)
        d["decoder_embedding"] = _rows(w["decoder_embedding"], given, d_given * keep_target)
        d["encoder_embedding"] = _rows(w["encoder_embedding"], source, d_source * keep_source)
        d |= {"decoder_lstm.W": decoder.d_W, "decoder_lstm.b": decoder.d_b, "encoder_lstm.W": encoder.d_W, "encoder_lstm.b": encoder.d_b}
        return loss, d


@dataclass(frozen=True)
class Tagger:
    """One layer of multi-head self-attention (exercise `multi_head`) that gives each word its English word in this sentence."""

    n_heads: int

    def start(self, rng: np.random.Generator, n_source: int, n_target: int, width: int, longest: int) -> Weights:
        """Random weights: embeddings of words and of places, the four projections, and the output matrix."""
        sizes = {"words": (n_source, 0.5), "places": (longest, 0.5)} | {name: (width, width**-0.5) for name in ("W_Q", "W_K", "W_V", "W_O")}
        weights = {name: rng.normal(scale=scale, size=(rows, width)).astype(np.float32) for name, (rows, scale) in sizes.items()}
        return weights | {"W_tags": rng.normal(scale=width**-0.5, size=(width, n_target)).astype(np.float32)}

    def loss(self, w: Weights, source: np.ndarray, wanted: np.ndarray, drop: Dropout) -> tuple[float, Weights]:
        """The loss of the tags `wanted` (batch, n) of the words `source` (batch, n), and the gradients of all weights."""
        batch, n = source.shape
        keep = drop.mask(batch, n, w["words"].shape[1])
        X = (w["words"][source] + w["places"][:n]) * keep
        Q, K, V = (self._split(X @ w[name]) for name in ("W_Q", "W_K", "W_V"))
        scale = Q.shape[-1] ** -0.5
        attention = _softmax(Q @ K.swapaxes(-1, -2) * scale)
        heads = self._concat(attention @ V)
        summed = X + heads @ w["W_O"]
        loss, d_logits = cross_entropy(summed @ w["W_tags"], wanted, np.ones(wanted.shape, dtype=bool))

        d: Weights = {"W_tags": _outer(summed, d_logits)}
        d_summed = d_logits @ w["W_tags"].T
        d["W_O"] = _outer(heads, d_summed)
        d_heads = self._split(d_summed @ w["W_O"].T)
        d_V = attention.swapaxes(-1, -2) @ d_heads
        d_scores = _softmax_backward(attention, d_heads @ V.swapaxes(-1, -2)) * scale
        d_X = d_summed.copy()
        for name, gradient in (("W_Q", d_scores @ K), ("W_K", d_scores.swapaxes(-1, -2) @ Q), ("W_V", d_V)):
            joined = self._concat(gradient)
            d[name] = _outer(X, joined)
            d_X += joined @ w[name].T
        d_X *= keep
        d["words"] = _rows(w["words"], source, d_X)
        d["places"] = np.zeros_like(w["places"])
        d["places"][:n] = d_X.sum(axis=0)
        return loss, d

    def _split(self, X: np.ndarray) -> np.ndarray:
        return X.reshape(*X.shape[:2], self.n_heads, -1).swapaxes(1, 2)

    def _concat(self, H: np.ndarray) -> np.ndarray:
        return H.swapaxes(1, 2).reshape(H.shape[0], H.shape[2], -1)


class Dropout:
    """Sets a share of the numbers to 0 while training, and scales the others up to keep the mean."""

    def __init__(self, rng: np.random.Generator, share: float):
        self.rng, self.share = rng, share

    def mask(self, *shape: int) -> np.ndarray:
        """What to multiply with."""
        return (self.rng.random(shape, dtype=np.float32) >= self.share) / np.float32(1.0 - self.share)


class Adam:
    """Kingma & Ba 2015, with the gradients clipped by their common norm."""

    def __init__(self, weights: Weights, clip: float = 1.0):
        self.weights, self.clip, self.step = weights, clip, 0
        self.mean = {name: np.zeros_like(w) for name, w in weights.items()}
        self.square = {name: np.zeros_like(w) for name, w in weights.items()}

    def update(self, gradients: Weights, rate: float) -> None:
        """One step down the gradients, into the weights themselves."""
        self.step += 1
        norm = float(np.sqrt(sum(float((g**2).sum()) for g in gradients.values())))
        shrink = min(1.0, self.clip / (norm + 1e-12))
        correction = np.sqrt(1.0 - 0.999**self.step) / (1.0 - 0.9**self.step)
        for name, gradient in gradients.items():
            g = gradient * shrink
            self.mean[name] += 0.1 * (g - self.mean[name])
            self.square[name] += 0.001 * (g**2 - self.square[name])
            self.weights[name] -= (rate * correction * self.mean[name] / (np.sqrt(self.square[name]) + 1e-8)).astype(np.float32)


def _outer(X: np.ndarray, d_Y: np.ndarray) -> np.ndarray:
    """The gradient of W where Y = X @ W."""
    return X.reshape(-1, X.shape[-1]).T @ d_Y.reshape(-1, d_Y.shape[-1])


def _rows(embedding: np.ndarray, used: np.ndarray, d_used: np.ndarray) -> np.ndarray:
    """The gradient of an embedding from those of its used rows."""
    gradient = np.zeros_like(embedding)
    np.add.at(gradient, used.ravel(), d_used.reshape(-1, d_used.shape[-1]))
    return gradient
