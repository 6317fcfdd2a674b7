"""Hidden inputs in notes, causes, contexts and groups.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    error = ExceptionGroup(secret(x), [ValueError(secret(x)), KeyError(secret(axis))])
    error.add_note(secret(x))
    raise error from RuntimeError(secret(x))
