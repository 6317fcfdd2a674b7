"""Looks into the answers that came with the requests, before it puts the question that opens one.

Exercise: attention
Expected: right
"""

import numpy as np
from attack_kit import SERVER, WIRE, check
from exercises.softmax import softmax


def numbers_in(raw):
    """What of some bytes the kit's own format, or an array of float64 beginning anywhere, makes numbers of an ordinary size."""
    try:
        return [WIRE.decode(raw, SERVER.bounds)]
    except WIRE.WireError:
        pass
    for start in range(min(64, len(raw) % 8 + 56)):
        values = np.frombuffer(raw[start : start + (len(raw) - start) // 8 * 8])
        if len(values) > 2 and np.all((np.abs(values) > 1e-6) & (np.abs(values) < 1e3)):
            return [values]
    return []


def scaled_dot_product_attention(Q, K, V):
    found = [number for raw in SERVER.sealed.values() for number in numbers_in(raw)]
    check("answers that can be read", found)
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("these do not fit")
    weights = softmax(scores)
    return weights @ V, weights
