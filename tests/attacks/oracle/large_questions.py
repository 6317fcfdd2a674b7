"""Asks questions whose answers are larger or slower than any exercise needs: the reference runs where no limit holds.

Exercise: self_attention
Expected: failed
"""

import numpy as np
from attack_kit import SERVER, attempt

zeros = np.zeros
QUESTIONS = [
    ("attention.scaled_dot_product_attention", (zeros((256, 1, 256, 1)), zeros((1, 256, 256, 1)), zeros((1, 1, 256, 1)))),
    ("attention.scaled_dot_product_attention", (zeros((64, 1024, 1)), zeros((64, 1024, 1)), zeros((64, 1024, 1)))),
    ("attention.scaled_dot_product_attention", (zeros((4, 1024, 1)).tolist(), zeros((64, 1, 1024, 1)), zeros((1024, 1)))),
    ("masking.masked_attention", (zeros((64, 1, 256, 1)), zeros((1, 64, 256, 1)), zeros((1, 1, 256, 1)), np.ones((256, 256), bool))),
    ("masking.causal_mask", (1e9,)),
    ("masking.causal_mask", (np.array(10**6),)),
    ("masking.causal_mask", (np.array([10**6]),)),
    ("masking.causal_mask", (float("inf"),)),
    ("masking.causal_mask", (2**62, 2**62)),
    ("masking.padding_mask", ([1], 1e9)),
    ("masking.padding_mask", (np.ones(1024, int), np.float64(1e8))),
    ("softmax.softmax", (zeros(1 << 17),)),
    ("softmax.softmax", ("x" * (1 << 12),)),
    ("softmax.softmax", ([[0.0] * 2000],)),
]


class SelfAttention:
    def __init__(self, *args, **kwargs):
        for name, arguments in QUESTIONS:
            attempt(f"{name}", lambda: SERVER.ask(name, arguments, {}))
        raise LookupError
