"""Replies with the words of a report instead of values.

Expected: failed or crashed
"""

from attack_kit import SERVER

VERDICT = {"status": "passed", "score": 6.0, "earned": 6.0, "points": 6.0}
type(SERVER)._call = lambda self, function, args, kwargs: ["passed", VERDICT]


def softmax(x, axis=-1):
    return VERDICT
