"""An attention and softmax of its own, a fill of -1e9."""

import numpy as np

def _softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def split_heads(X, n_heads):
    n, d = X.shape[-2:]
    if d // n_heads * n_heads != d:
        raise ValueError("heads")
    return np.swapaxes(X.reshape(X.shape[:-2] + (n, n_heads, d // n_heads)), -3, -2)


def concat_heads(H):
    out = np.swapaxes(H, -3, -2)
    return np.ascontiguousarray(out).reshape(out.shape[:-2] + (-1,))


def fuse_heads(per_head):
    d_model, d_head = np.shape(per_head[0])
    out = np.empty((d_model, d_head * len(per_head)))
    for h, w in enumerate(per_head):
        out[:, h * d_head : (h + 1) * d_head] = w
    return out


def multi_head_attention(X, n_heads, W_Q, W_K, W_V, W_O, mask=None, bias=None):
    print("heads:", n_heads)
    Q, K, V = split_heads(X @ W_Q, n_heads), split_heads(X @ W_K, n_heads), split_heads(X @ W_V, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(np.array(mask, dtype=bool), X.shape[:-1] + (X.shape[-2],))
        mask = np.repeat(mask[..., None, :, :], n_heads, axis=-3)
        weights = _softmax(np.where(mask, scores, -1e9)) * mask
    else:
        weights = _softmax(scores)
    return concat_heads(weights @ V) @ W_O, weights
