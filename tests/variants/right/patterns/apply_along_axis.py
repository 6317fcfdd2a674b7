"""One row at a time."""

import numpy as np

def _entropy(row):
    row = row[row > 0]
    return float(-(row @ np.log(row))) if len(row) else 0.0


def attention_entropy(weights):
    return np.apply_along_axis(_entropy, -1, weights)


def js_divergence(P, Q):
    lead = P.shape[:-1]
    rows = []
    for p, q in zip(P.reshape(-1, P.shape[-1]), Q.reshape(-1, Q.shape[-1])):
        m = (p + q) / 2
        rows.append(_entropy(m) - _entropy(p) / 2 - _entropy(q) / 2)
    return np.reshape(rows, lead)


def compare_sentences(attend, X_a, X_b):
    if len(X_b) != len(X_a):
        raise IndexErrorAndValueError("length")
    output_b, w_b = attend(X_b)
    output_a, w_a = attend(X_a)
    top_a, top_b = np.argsort(w_a, axis=-1)[..., -1], np.argsort(w_b, axis=-1)[..., -1]
    return {
        "same_top_key": top_a == top_b,
        "weights_a": w_a, "weights_b": w_b,
        "entropy_a": attention_entropy(w_a), "entropy_b": attention_entropy(w_b),
        "divergence": js_divergence(w_a, w_b),
        "outputs": [output_a, output_b],
    }


class IndexErrorAndValueError(ValueError):
    pass
