"""Sliding-window attention: a query sees the newest keys alone, so that the cost grows with the text and not with its square."""

import numpy as np

from solutions.masking import masked_attention


def sliding_window_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, window: int) -> tuple[np.ndarray, np.ndarray]:
    """Causal attention in which each query sees the `window` newest keys up to its own position, itself included.

    Q: (..., n_q, d_k). K: (..., n_k, d_k). V: (..., n_k, d_v). The leading axes are the same in all three.
    window: how many keys a query may see, 1 or more; a window of n_k or more gives plain causal attention.
    Returns: (output, weights), floats. output: (..., n_q, d_v). weights: (..., n_q, n_k). The LAST query is aligned with the
        last key, as in `causal_mask`; a query before the first key has weights 0 and output 0. No argument is modified.

    Example: scores of 0, so that each token averages what it sees: itself and the one before it.

    >>> sliding_window_attention(np.zeros((3, 1)), np.zeros((3, 1)), np.array([[2.0], [4.0], [8.0]]), window=2)[0]
    array([[2.],
           [3.],
           [6.]])

    Source: Beltagy et al. 2020, "Longformer", section 3.1; Jiang et al. 2023, "Mistral 7B", section 2.
    """
    # TODO 1: how many places key j lies behind query i, (n_q, n_k). Query i stands at position i + (n_k - n_q).
    # TODO 2: which of these distances are inside of the window? Two bounds: nothing after the query, nothing too old.
    # TODO 3: you have written an attention that takes such a mask.
    ### BEGIN SOLUTION
    n_q, n_k = Q.shape[-2], K.shape[-2]
    behind = np.arange(n_q)[:, np.newaxis] + (n_k - n_q) - np.arange(n_k)
    return masked_attention(Q, K, V, (behind >= 0) & (behind < window))
    ### END SOLUTION
