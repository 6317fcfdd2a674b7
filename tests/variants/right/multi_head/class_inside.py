"""A class does the work, extra parameters."""

import numpy as np

from exercises.masking import masked_attention


class _MultiHead:
    def __init__(self, n_heads, *weights):
        self.n_heads, self.weights = n_heads, weights

    def __call__(self, X, mask):
        W_Q, W_K, W_V, W_O = self.weights
        packed = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
        Q, K, V = (split_heads(part, self.n_heads) for part in np.split(packed, 3, axis=-1))
        if mask is not None:
            mask = mask[..., None, :, :]
        out, weights = masked_attention(Q, K, V, mask)
        return concat_heads(out) @ W_O, weights


def split_heads(X, n_heads, check=True):
    """Heads before tokens."""
    if check and X.shape[-1] % n_heads:
        raise ValueError(X.shape, n_heads)
    return np.rollaxis(X.reshape(*X.shape[:-1], n_heads, X.shape[-1] // n_heads), -2, -3)


def concat_heads(H):
    return np.concatenate(np.moveaxis(H, -3, 0), axis=-1)


def fuse_heads(per_head, axis=-1):
    return np.concatenate([np.asarray(w) for w in per_head], axis)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None, *, dropout=0.0):
    return _MultiHead(n_heads, W_Q, W_K, W_V, W_O)(X, mask)
