"""The share that agrees."""

import numpy as np


def attention_entropy(weights):
    logs = np.zeros_like(weights, dtype=float)
    np.log(weights, out=logs, where=weights > 0)
    return -np.sum(weights * logs, axis=-1)


def _kl(p, m):
    safe = np.where(p > 0, p, 1.0)
    return np.sum(p * np.log(safe / np.where(p > 0, m, 1.0)), axis=-1)


def js_divergence(P, Q):
    M = 0.5 * (P + Q)
    return 0.5 * _kl(P, M) + 0.5 * _kl(Q, M)


def compare_sentences(attend, X_a, X_b):
    if X_a.shape[0] != X_b.shape[0]:
        raise ValueError("length")
    _, weights_a = attend(X_a)
    _, weights_b = attend(X_b)
    return {
        "weights_a": weights_a,
        "weights_b": weights_b,
        "entropy_a": attention_entropy(weights_a),
        "entropy_b": attention_entropy(weights_b),
        "divergence": js_divergence(weights_a, weights_b),
        "same_top_key": np.mean(weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1)),
    }
