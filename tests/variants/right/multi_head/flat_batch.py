"""Flattens the leading axes, restores them at the end."""

import numpy as np

from exercises import masking


def split_heads(X, n_heads):
    lead = X.shape[:-2]
    flat = X.reshape((-1,) + X.shape[-2:])
    b, n, d = flat.shape
    if d % n_heads != 0:
        raise ValueError("d_model is not divisible")
    return flat.reshape(b, n, n_heads, d // n_heads).transpose(0, 2, 1, 3).reshape(lead + (n_heads, n, d // n_heads))


def concat_heads(H):
    lead = H.shape[:-3]
    flat = H.reshape((-1,) + H.shape[-3:])
    b, h, n, d = flat.shape
    return flat.transpose(0, 2, 1, 3).reshape(lead + (n, h * d))


def fuse_heads(per_head):
    return np.transpose(np.vstack([w.T for w in per_head]))


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    lead, (n, d) = X.shape[:-2], X.shape[-2:]
    if mask is not None:
        mask = np.broadcast_to(mask, lead + (n, n)).reshape(-1, 1, n, n)
    flat = X.reshape(-1, n, d)
    o, w = masking.masked_attention(*(split_heads(flat @ W, n_heads) for W in (W_Q, W_K, W_V)), mask=mask)
    return (concat_heads(o) @ W_O).reshape(X.shape), w.reshape(lead + (n_heads, n, n))
