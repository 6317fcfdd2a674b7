"""Right keys beside a hundred more, each of them large.

Exercise: patterns
Expected: failed
"""

import numpy as np


def compare_sentences(attend, X_a, X_b):
    attend(X_a)
    return {
        key: np.zeros(100_000) for key in ("weights_a", "weights_b", "entropy_a", "entropy_b", "divergence", "same_top_key", *"abcdefghij")
    }


def attention_entropy(weights):
    return {"a": np.zeros(1_000_000)}


def js_divergence(P, Q):
    return [np.zeros(1_000_000), None]
