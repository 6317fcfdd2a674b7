"""Renames the stand-in for the earlier exercise, and makes more of its kind.

Exercise: attention
Expected: failed
"""

import softmax
from attack_kit import attempt

stand_in = softmax.softmax
cells = dict(zip(stand_in.__code__.co_freevars, stand_in.__closure__))
entry = cells["self"].cell_contents


def scaled_dot_product_attention(Q, K, V):
    for module, name in (("attention", "scaled_dot_product_attention"), ("masking", "masked_attention")):
        entry.module, entry.name, entry.parameters = module, name, ["Q", "K", "V"]
        answer = attempt(name, lambda: stand_in(Q, K, V))
        if answer is not None:
            return answer
    raise LookupError
