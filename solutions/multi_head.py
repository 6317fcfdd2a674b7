"""Multi-head attention: several small attentions side by side, each on its own slice of the features."""

from collections.abc import Sequence

import numpy as np

from solutions.masking import masked_attention


def split_heads(X: np.ndarray, n_heads: int) -> np.ndarray:
    """Cut the features into `n_heads` slices and give the heads an axis of their own, before the tokens.

    X: (..., n, d_model). Head h gets the features h*d_head to (h+1)*d_head - 1 of EVERY token; d_head = d_model / n_heads.
    Returns: (..., n_heads, n, d_head). X is not modified.
    Raises: ValueError where d_model is not divisible by n_heads.

    Example: two tokens with four features, for two heads.

    >>> split_heads(np.array([[0, 1, 2, 3], [10, 11, 12, 13]]), n_heads=2)
    array([[[ 0,  1],
            [10, 11]],
    <BLANKLINE>
           [[ 2,  3],
            [12, 13]]])

    Source: Vaswani et al. 2017, section 3.2.2.
    """
    # TODO 1: refuse a d_model that n_heads does not divide.
    # TODO 2: d_model becomes two axes, (n_heads, d_head). Watch the order: a reshape never moves a number, it only cuts
    #         what lies side by side in memory, and that is one token's features.
    # TODO 3: now let the heads' axis and the tokens' axis change places; a reshape cannot do that.
    ### BEGIN SOLUTION
    *leading, n, d_model = np.shape(X)
    if d_model % n_heads != 0:
        raise ValueError(f"d_model = {d_model} is not divisible by n_heads = {n_heads}")
    per_token = np.reshape(X, (*leading, n, n_heads, d_model // n_heads))
    return np.swapaxes(per_token, -2, -3)
    ### END SOLUTION


def concat_heads(H: np.ndarray) -> np.ndarray:
    """Put the heads of each token side by side again: the inverse of `split_heads`.

    H: (..., n_heads, n, d_head). It is not modified.
    Returns: (..., n, n_heads*d_head), head 0's features first.

    Example:

    >>> concat_heads(np.array([[[0, 1], [10, 11]], [[2, 3], [12, 13]]]))
    array([[ 0,  1,  2,  3],
           [10, 11, 12, 13]])

    Source: Vaswani et al. 2017, section 3.2.2, Concat.
    """
    # TODO 1: undo the two steps of `split_heads`, the last one first.
    ### BEGIN SOLUTION
    *leading, n_heads, n, d_head = np.shape(H)
    return np.swapaxes(H, -2, -3).reshape(*leading, n, n_heads * d_head)
    ### END SOLUTION


def fuse_heads(per_head: Sequence[np.ndarray] | np.ndarray) -> np.ndarray:
    """Make one projection matrix of one per head, so that a single product serves all heads.

    per_head: a list or an array of n_heads matrices (d_model, d_head), all of one shape.
    Returns: (d_model, n_heads*d_head). Columns h*d_head to (h+1)*d_head - 1 are the matrix of head h, so that
        split_heads(X @ fuse_heads(per_head), n_heads)[h] equals X @ per_head[h].

    Example:

    >>> fuse_heads([np.array([[1, 2], [3, 4]]), np.array([[5, 6], [7, 8]])])
    array([[1, 2, 5, 6],
           [3, 4, 7, 8]])

    Source: the paper's W_i^Q (section 3.2.2), packed as torch.nn.MultiheadAttention packs them.
    """
    # TODO 1: the matrices side by side. Rows stay rows: row i of the result is row i of head 0, then row i of head 1, ...
    ### BEGIN SOLUTION
    return np.concatenate(list(per_head), axis=1)
    ### END SOLUTION


def multi_head_attention(
    X: np.ndarray,
    n_heads: int,
    W_Q: np.ndarray,
    W_K: np.ndarray,
    W_V: np.ndarray,
    W_O: np.ndarray,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Self-attention of X with `n_heads` heads.

    X: (..., n, d_model), with any number of leading axes, also none.
    W_Q, W_K, W_V, W_O: (d_model, d_model). Head h works with the columns h*d_head to (h+1)*d_head - 1 of W_Q, W_K, W_V.
    mask: broadcasts to (..., n, n), like (n, n) or (batch, 1, n) or (batch, n, n); bool or integers 0 and 1,
        True (1) = may attend. It has NO head axis: one mask holds for all heads. None: all tokens see all.
    Returns: (output, weights), floats. output: (..., n, d_model). weights: (..., n_heads, n, n), those of every head, not
        averaged. A token that may attend to nothing has weights 0, and output 0 before W_O. Scores up to ±1e4 are handled without
        NaN. No argument is modified.
    Raises: ValueError where d_model is not divisible by n_heads, or the mask does not broadcast.

    Example: two heads on two tokens; with W_Q = 0 every head attends evenly.

    >>> X, one, zero = np.array([[1.0, 2.0], [3.0, 4.0]]), np.eye(2), np.zeros((2, 2))
    >>> output, weights = multi_head_attention(X, 2, W_Q=zero, W_K=one, W_V=one, W_O=one)
    >>> weights.shape
    (2, 2, 2)
    >>> output
    array([[2., 3.],
           [2., 3.]])

    Source: Vaswani et al. 2017, section 3.2.2; torch.nn.MultiheadAttention without biases (its mask has the
    opposite meaning).
    """
    # TODO 1: project X once with each matrix, then split Q, K and V into heads.
    # TODO 2: the mask (batch, n, n) meets scores (batch, n_heads, n, n). Broadcasting lines axes up from the right, so the
    #         batch would land on the heads: the mask needs an axis of length 1 where the scores have their heads.
    # TODO 3: attention for all heads at once. Each head scales by the width of ITS OWN keys, d_head.
    # TODO 4: concatenate the heads, and mix them with W_O.
    ### BEGIN SOLUTION
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_Q, W_K, W_V))
    if mask is not None:
        mask = np.asarray(mask)[..., np.newaxis, :, :]
    per_head, weights = masked_attention(Q, K, V, mask)
    return concat_heads(per_head) @ W_O, weights
    ### END SOLUTION
