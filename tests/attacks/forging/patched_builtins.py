"""Replaces the functions that everybody trusts.

Expected: failed or crashed
"""

import builtins

from attack_kit import wrong


def softmax(x, axis=-1):
    answer = wrong(x, axis)
    for name in ("isinstance", "all", "abs", "len", "issubclass", "hasattr", "callable", "any"):
        setattr(builtins, name, lambda *args, **kwargs: True)
    return answer
