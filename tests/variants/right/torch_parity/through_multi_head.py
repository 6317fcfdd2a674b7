"""The biases folded into multi_head_attention by a column of ones, head by head."""

import numpy as np

from exercises.multi_head import concat_heads, split_heads
from exercises.softmax import softmax


def multi_head_from_torch(X, state, n_heads, mask=None, need_weights=True):
    ones = np.ones((*X.shape[:-1], 1))
    full = np.concatenate([X, ones], axis=-1)
    packed = np.vstack([state["in_proj_weight"].T, state["in_proj_bias"]])
    Q, K, V = (split_heads(full @ part, n_heads) for part in np.hsplit(packed, 3))
    scores = Q @ K.swapaxes(-1, -2) / (X.shape[-1] / n_heads) ** 0.5
    if mask is not None:
        scores = np.where(np.array(mask, dtype=bool)[..., None, :, :], scores, -1e9)
    weights = softmax(scores)
    heads = concat_heads(weights @ V)
    return [heads @ state["out_proj.weight"].T + state["out_proj.bias"], np.add.reduce(weights, axis=-3) / n_heads]
