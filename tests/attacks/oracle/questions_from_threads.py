"""Asks from many threads at once, and from children.

Exercise: attention
Expected: failed or crashed or timeout
"""

import os
import threading

from exercises.softmax import softmax


def ask(Q):
    while True:
        softmax(Q)


def scaled_dot_product_attention(Q, K, V):
    for _ in range(8):
        threading.Thread(target=ask, args=(Q,), daemon=True).start()
    if os.fork() == 0:
        ask(Q)
    return Q, K
