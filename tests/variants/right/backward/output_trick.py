"""The row sum as d_output * output, positional names of its own, prints."""

import numpy as np

from exercises import masking


def attention_backward(d_output, Q, K, V, mask=None, verbose=False):
    output, P = masking.masked_attention(Q, K, V, mask=mask)
    print("shapes", Q.shape)
    delta = np.sum(np.multiply(d_output, output), axis=-1)[..., np.newaxis]
    T = lambda A: np.moveaxis(A, -1, -2)
    dS = P * (d_output @ T(V) - delta)
    dS = dS * Q.shape[-1] ** -0.5
    return np.matmul(dS, K), np.matmul(T(dS), Q), np.matmul(T(P), d_output)
