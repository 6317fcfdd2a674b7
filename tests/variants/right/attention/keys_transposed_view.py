"""Read-only results and a column-wise softmax."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q, K, V):
    if Q.shape[-1] != K.shape[-1] or K.shape[-2] != V.shape[-2]:
        raise ValueError("shapes do not fit")
    scores_t = K @ np.swapaxes(Q, -1, -2) / np.sqrt(Q.shape[-1])
    weights = np.swapaxes(softmax(scores_t, axis=-2), -1, -2)
    output = weights @ V
    output.flags.writeable = False
    return output, weights
