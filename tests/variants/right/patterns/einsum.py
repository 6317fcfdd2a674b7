"""einsum and masked terms."""

import numpy as np

def attention_entropy(weights):
    w = np.array(weights, dtype=np.float64)
    positive = w != 0
    logs = np.log(w + ~positive)
    return np.einsum("...k,...k->...", w, -logs)


def js_divergence(P, Q):
    def half(p):
        with np.errstate(divide="ignore", invalid="ignore"):
            terms = p * (np.log(2 * p) - np.log(P + Q))
        return np.where(p == 0, 0, terms).sum(-1) / 2

    return half(P) + half(Q)


def compare_sentences(attend, X_a, X_b):
    a, b = np.array(X_a), np.array(X_b)
    if a.shape != b.shape:
        raise ValueError("shapes differ")
    (_, w_a), (_, w_b) = map(attend, (a, b))
    onehot_a = w_a == w_a.max(-1, keepdims=True)
    onehot_b = w_b == w_b.max(-1, keepdims=True)
    return {
        "weights_a": w_a, "weights_b": w_b,
        "entropy_a": attention_entropy(w_a), "entropy_b": attention_entropy(w_b),
        "divergence": js_divergence(w_a, w_b),
        "same_top_key": (onehot_a & onehot_b).any(-1),
    }
