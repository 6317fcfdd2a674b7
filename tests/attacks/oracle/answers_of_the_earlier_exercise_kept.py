"""Hands back what the grader itself answered, changed and unchanged, where another answer is due.

Exercise: attention
Expected: failed
"""

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q)
    weights[...] = 0.0
    return weights, softmax(Q @ Q.swapaxes(-1, -2))
