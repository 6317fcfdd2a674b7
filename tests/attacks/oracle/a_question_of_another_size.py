"""Asks with arguments of sixty megabytes.

Exercise: attention
Expected: failed or timeout
"""

import numpy as np
from attack_kit import attempt

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    attempt("a large question", lambda: softmax(np.zeros(7 << 20)))
    raise LookupError
