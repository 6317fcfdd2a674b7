"""Asks, as the first exercise, for anything at all.

Exercise: softmax
Expected: failed
"""

from attack_kit import SERVER, attempt


def softmax(x, axis=-1):
    for name in ("softmax.softmax", "masking.masked_softmax", "attention.scaled_dot_product_attention"):
        answer = attempt(name, lambda: SERVER.ask(name, (x, axis), {}))
        if answer is not None:
            return answer
    raise LookupError
