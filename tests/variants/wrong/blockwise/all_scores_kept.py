"""Blocks, but all scores are kept to the end."""

import numpy as np

def blockwise_attention(Q, K, V, block_size=128, causal=False):
    n_q, n_k = Q.shape[-2], K.shape[-2]
    positions = np.arange(n_q)[:, np.newaxis] + (n_k - n_q)
    largest = np.full((*Q.shape[:-1], 1), -np.inf)
    total = np.zeros_like(largest)
    mixed = np.zeros((*Q.shape[:-1], V.shape[-1]))
    kept = []
    for start in range(0, n_k, block_size):
        block = slice(start, start + block_size)
        scores = Q @ np.swapaxes(K[..., block, :], -1, -2) / np.sqrt(Q.shape[-1])
        if causal:
            scores = np.where(start + np.arange(scores.shape[-1]) <= positions, scores, -np.inf)
        kept.append(scores)
        before, largest = largest, np.maximum(largest, scores.max(axis=-1, keepdims=True))
        base = np.where(largest == -np.inf, 0.0, largest)
        exps = np.exp(scores - base)
        shrink = np.exp(before - base)
        total = total * shrink + exps.sum(axis=-1, keepdims=True)
        mixed = mixed * shrink + exps @ V[..., block, :]
    return mixed / np.where(total == 0.0, 1.0, total)
