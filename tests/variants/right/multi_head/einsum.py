"""With einsum from the projection on."""

import numpy as np

from exercises.masking import masked_softmax


def split_heads(X, n_heads):
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("d_model")
    return np.einsum("...nhd->...hnd", X.reshape(*X.shape[:-1], n_heads, -1))


def concat_heads(H):
    out = np.einsum("...hnd->...nhd", H)
    return out.reshape(*out.shape[:-2], -1)


def fuse_heads(per_head):
    return np.einsum("hmd->mhd", np.array(per_head)).reshape(per_head[0].shape[0], -1)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    d_model = X.shape[-1]
    if d_model % n_heads:
        raise ValueError("d_model")
    d = d_model // n_heads
    Q, K, V = (np.einsum("...nm,mhd->...hnd", X, W.reshape(d_model, n_heads, d)) for W in (W_Q, W_K, W_V))
    scores = np.einsum("...qd,...kd->...qk", Q, K) / d**0.5
    mask = None if mask is None else mask[..., None, :, :]
    weights = masked_softmax(scores, mask)
    mixed = np.einsum("...hqk,...hkd->...qhd", weights, V)
    return np.einsum("...qhd,hdm->...qm", mixed, W_O.reshape(n_heads, d, d_model)), weights
