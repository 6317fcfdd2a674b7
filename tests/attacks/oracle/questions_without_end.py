"""Asks small questions for ever.

Exercise: attention
Expected: crashed or timeout
"""

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    while True:
        softmax(Q)
