"""Replaces every function of NumPy that compares, and the test helpers.

Expected: failed
"""

import numpy as np
import numpy.testing
from attack_kit import wrong

for name in ("allclose", "isclose", "array_equal", "all", "isfinite"):
    setattr(np, name, lambda *args, **kwargs: True)
for name in dir(numpy.testing):
    if name.startswith("assert"):
        setattr(numpy.testing, name, lambda *args, **kwargs: None)


def softmax(x, axis=-1):
    return wrong(x, axis)
