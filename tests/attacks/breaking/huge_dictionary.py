"""Answers with a million entries.

Expected: crashed or failed or timeout
"""


def softmax(x, axis=-1):
    return dict.fromkeys(range(1_000_000))
