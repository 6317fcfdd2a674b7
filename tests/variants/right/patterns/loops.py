"""Pure Python loops, lists as results."""

import numpy as np

import math


def attention_entropy(weights):
    weights = np.asarray(weights)
    if weights.ndim > 1:
        return [attention_entropy(w) for w in weights]
    return -sum(w * math.log(w) for w in weights.tolist() if w > 0)


def js_divergence(P, Q):
    P, Q = np.asarray(P), np.asarray(Q)
    if P.ndim > 1:
        return [js_divergence(p, q) for p, q in zip(P, Q)]
    total = 0.0
    for p, q in zip(P.tolist(), Q.tolist()):
        m = (p + q) / 2
        total += p * math.log(p / m) / 2 if p > 0 else 0
        total += q * math.log(q / m) / 2 if q > 0 else 0
    return total


def _top(a, b):
    if np.ndim(a) > 1:
        return [_top(x, y) for x, y in zip(a, b)]
    return bool(np.argmax(a) == np.argmax(b))


def compare_sentences(attend, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("lengths")
    a, b = attend(X_a)[1], attend(X_b)[1]
    return dict(
        weights_a=np.asarray(a).tolist(),
        weights_b=np.asarray(b).tolist(),
        entropy_a=attention_entropy(a),
        entropy_b=attention_entropy(b),
        divergence=js_divergence(a, b),
        same_top_key=_top(a, b),
    )
