"""Asks the grader for the very function that it is to write, under every name that it might have.

Exercise: attention
Expected: failed
"""

from attack_kit import SERVER, attempt

NAMES = ["attention.scaled_dot_product_attention", "scaled_dot_product_attention", "softmax.scaled_dot_product_attention"]
NAMES += ["masking.masked_attention", "exercises.attention.scaled_dot_product_attention", "reference.scaled_dot_product_attention"]
NAMES += ["softmax.softmax.__globals__", "softmax.__class__", "softmax", "", ".", "softmax.softmax.softmax", "self_attention.SelfAttention"]


def scaled_dot_product_attention(Q, K, V):
    for name in NAMES:
        answer = attempt(name, lambda: SERVER.ask(name, (Q, K, V), {}))
        if answer is not None:
            return answer
    raise LookupError
