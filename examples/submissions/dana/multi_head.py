import numpy as np

from masking import masked_attention


def split_heads(X, n_heads):
    *batch, n, d_model = X.shape
    if d_model % n_heads != 0:
        raise ValueError("d_model")
    return X.reshape(*batch, n_heads, n, d_model // n_heads)


def concat_heads(H):
    *batch, n_heads, n, d_head = H.shape
    return H.reshape(*batch, n, n_heads * d_head)


def fuse_heads(per_head):
    return np.concatenate(per_head, axis=1)


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    if mask is not None:
        mask = np.asarray(mask)[..., None, :, :]
    heads, weights = masked_attention(Q, K, V, mask)
    return concat_heads(heads) @ W_O, weights
