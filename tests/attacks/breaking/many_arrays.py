"""Answers with as many arrays as one answer may hold.

Expected: failed or timeout
"""

import numpy as np


def softmax(x, axis=-1):
    return [np.zeros(())] * 5_000
