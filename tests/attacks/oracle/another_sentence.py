"""Passes to `attend` what it was not given, of all kinds and sizes.

Exercise: patterns
Expected: failed
"""

import numpy as np
from attack_kit import attempt

KINDS = [np.zeros((1024, 1024)), np.zeros((64, 1024, 1)), "x" * 10**6, None, {"a": 1}, [[1.0], [2.0, 3.0]], np.zeros((1,) * 20), 10**400]


def attention_entropy(weights):
    raise LookupError


js_divergence = attention_entropy


def compare_sentences(attend, X_a, X_b):
    for thing in KINDS:
        attempt(type(thing).__name__, lambda: attend(thing))
    attempt("two arguments", lambda: attend(X_a, X_b))
    attempt("a keyword", lambda: attend(sentence=X_a))
    return {}
