"""A frame that holds no list.

Expected: crashed
"""

import numpy as np
from attack_kit import body, frame, send, wrong


def softmax(x, axis=-1):
    send(frame(body([7, "ok", None, {"ok": 1}, True, np.ones(3)][len(x) % 6])))
    return wrong(x, axis)
