"""Blockwise attention: the same output, computed a block of keys at a time, so that long sequences fit into memory."""

import numpy as np


def blockwise_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block_size: int = 128, causal: bool = False) -> np.ndarray:
    """softmax(Q K^T / sqrt(d_k)) V without ever holding a matrix (n_q, n_k), neither of scores nor of weights nor a mask.

    Q: (..., n_q, d_k). K: (..., n_k, d_k). V: (..., n_k, d_v). The leading axes are the same in all three.
    block_size: how many keys to take at a time, 1 or more. It need not divide n_k, and may be larger. It changes the memory
        that is used, not the output.
    causal: True = query i attends to the keys up to its own position. The LAST query is aligned with the last key, as in
        `causal_mask(n_q, n_k)`; where n_q > n_k the first n_q - n_k queries see nothing, and their output is 0.
    Returns: output (..., n_q, d_v), floats. Scores up to ±1e4 are handled without NaN. The arguments are not modified.
    Memory: with n_q = n_k = 4096 and block_size = 64 everything beside the arguments takes less than a matrix of 4096 x 4096
        booleans, which is 16 MiB. Any method that stays below will do.

    Nothing of the earlier exercises is needed: softmax and masks come in a form of their own here.

    Example: one query over three keys, two at a time; the same output as in `scaled_dot_product_attention`.

    >>> Q = np.array([[1.0, 0.0, 0.0]])
    >>> K = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
    >>> V = np.array([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]])
    >>> blockwise_attention(Q, K, V, block_size=2).round(2)
    array([[27.83, 37.83]])

    Source: Milakov & Gimelshein 2018, "Online normalizer calculation for softmax", algorithm 3; Rabe & Staats 2021,
    "Self-attention Does Not Need O(n^2) Memory"; Dao et al. 2022, "FlashAttention", algorithm 1.
    """
    # TODO 1: for each query keep three things while the blocks go by: the largest score so far (at first -inf), the sum of
    #         exp(score - largest) so far, and the sum of exp(score - largest) * value so far.
    # TODO 2: a block's scores, with the usual division. Where causal, a key after the query's position is out: its exp is 0.
    #         Compare positions for the keys of this block only; a whole mask would be the matrix that does not fit.
    # TODO 3: a block can bring a new largest score. Both sums were made with the old one: what must they be multiplied with?
    #         Mind a query that has seen nothing so far: -inf minus -inf is NaN.
    # TODO 4: after the last block divide the one sum by the other. A query that saw nothing has 0 in both, and output 0.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
