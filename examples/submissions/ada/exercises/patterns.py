import numpy as np


def attention_entropy(weights):
    safe = np.where(weights > 0, weights, 1.0)
    return -(weights * np.log(safe)).sum(axis=-1)


def js_divergence(P, Q):
    M = (P + Q) / 2
    return attention_entropy(M) - (attention_entropy(P) + attention_entropy(Q)) / 2


def compare_sentences(attend, X_a, X_b):
    if len(X_a) != len(X_b):
        raise ValueError("the sentences have different lengths")
    (_, weights_a), (_, weights_b) = attend(X_a), attend(X_b)
    return {
        "weights_a": weights_a,
        "weights_b": weights_b,
        "entropy_a": attention_entropy(weights_a),
        "entropy_b": attention_entropy(weights_b),
        "divergence": js_divergence(weights_a, weights_b),
        "same_top_key": weights_a.argmax(axis=-1) == weights_b.argmax(axis=-1),
    }
