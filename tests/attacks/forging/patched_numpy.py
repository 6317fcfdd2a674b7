"""Puts another module in NumPy's place, for whoever imports it or holds it already.

Expected: failed or crashed
"""

import sys
import types

import numpy as np
from attack_kit import WIRE, wrong

fake = types.ModuleType("numpy")
fake.__dict__.update({**vars(np), "asarray": lambda *args, **kwargs: True, "ascontiguousarray": lambda x, **kwargs: x})
sys.modules["numpy"] = WIRE.np = fake
for name in ("asarray", "array", "ascontiguousarray"):
    setattr(np, name, lambda *args, **kwargs: True)


def softmax(x, axis=-1):
    return wrong(x, axis)
