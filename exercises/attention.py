"""Scaled dot-product attention, the formula that everything else is made of."""

import numpy as np

from exercises.softmax import softmax


def scaled_dot_product_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Attention(Q, K, V) = softmax(Q K^T / sqrt(d_k)) V: each query gets a weighted average of the values.

    Q: (..., n_q, d_k), what each query looks for.
    K: (..., n_k, d_k), what each key offers to be found by.
    V: (..., n_k, d_v), what each key hands over when it is found.
    The leading axes `...` (none, a batch, a batch and heads) are the same in all three; n_q, n_k, d_k and d_v may all differ.
    Returns: (output, weights), floats. output: (..., n_q, d_v). weights: (..., n_q, n_k), each row adds up to 1.
        Scores up to ±1e4 are handled without NaN. The arguments are not modified.
    Raises: ValueError where Q and K have different d_k, or K and V different n_k.

    Example: one query over three keys, with scores 1, 0 and 0.5 before the scaling.

    >>> Q = np.array([[1.0, 0.0, 0.0]])
    >>> K = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.0]])
    >>> V = np.array([[10.0, 20.0], [30.0, 40.0], [50.0, 60.0]])
    >>> output, weights = scaled_dot_product_attention(Q, K, V)
    >>> weights.round(3)
    array([[0.433, 0.243, 0.324]])
    >>> output.round(2)
    array([[27.83, 37.83]])

    Source: Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1, equation (1);
    torch.nn.functional.scaled_dot_product_attention.
    """
    # TODO 1: refuse shapes that do not fit together, with a ValueError that says which axis: d_k of Q and K, n_k of K and V.
    # TODO 2: scores (..., n_q, n_k): every query times every key. K.T reverses all axes, the batch too; only the last two
    #         may change places.
    # TODO 3: divide the scores by sqrt(d_k). A sum of d_k products spreads like sqrt(d_k); without the division the
    #         softmax gives nearly all the weight to one key.
    # TODO 4: weights: softmax of the scores over the keys. output: the average of the values with these weights.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
