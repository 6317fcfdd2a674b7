import numpy as np

from exercises.masking import masked_attention


def split_heads(X, n_heads):
    if X.shape[-1] % n_heads:
        raise ValueError("n_heads must divide d_model")
    return np.stack(np.split(X, n_heads, axis=-1), axis=-3)


def concat_heads(H):
    return np.concatenate([H[..., h, :, :] for h in range(H.shape[-3])], axis=-1)


def fuse_heads(per_head):
    return np.hstack([np.asarray(W) for W in per_head])


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    Q, K, V = split_heads(X @ W_Q, n_heads), split_heads(X @ W_K, n_heads), split_heads(X @ W_V, n_heads)
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    heads, weights = masked_attention(Q, K, V, mask)
    return concat_heads(heads) @ W_O, weights
