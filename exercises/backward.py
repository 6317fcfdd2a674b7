"""The gradients of attention, by hand: what backpropagation sends through the formula, from the output to Q, K and V."""

import numpy as np

from exercises.masking import masked_attention


def attention_backward(
    d_output: np.ndarray, Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The gradients of a loss with respect to Q, K and V, where output, weights = masked_attention(Q, K, V, mask).

    d_output: (..., n_q, d_v), the gradient of the loss with respect to the output: how much the loss grows per unit of each.
    Q: (..., n_q, d_k). K: (..., n_k, d_k). V: (..., n_k, d_v). The leading axes are the same in all of these.
    mask: broadcasts to (..., n_q, n_k), bool or integers 0 and 1, True (1) = may attend. None: all keys are allowed.
    Returns: (dQ, dK, dV), floats, with the shapes of Q, K and V. A query that may attend to nothing has dQ = 0 and adds
        nothing to dK and dV; never NaN, with scores up to ±1e4. The arguments are not modified.

    Example: one query, two keys that it likes equally, so the output is (4 + 8) / 2 = 6. The loss is the output itself: dV
    holds the weights, and a key that moves towards the query draws the output towards its own value.

    >>> Q, K, V = np.array([[1.0, 0.0]]), np.array([[2.0, 1.0], [2.0, 3.0]]), np.array([[4.0], [8.0]])
    >>> dQ, dK, dV = attention_backward(np.array([[1.0]]), Q, K, V)
    >>> dV
    array([[0.5],
           [0.5]])
    >>> dK[:, 0].round(3), dQ.round(3)
    (array([-0.707,  0.707]), array([[0.   , 1.414]]))

    Source: Dao et al. 2022, "FlashAttention", appendix B.2; the same as autograd through
    torch.nn.functional.scaled_dot_product_attention.
    """
    # TODO 1: the weights that the forward pass had, (..., n_q, n_k). From here on the mask is in them: a blocked weight is 0.
    # TODO 2: output = weights @ V. For Y = A @ B the gradients are dA = dY @ B^T and dB = A^T @ dY: that gives dV and d_weights.
    #         With a batch ^T means that the last two axes change places.
    # TODO 3: through the softmax, row by row. One score moves ALL weights of its row, because they share a sum:
    #         d_scores_j = weights_j * (d_weights_j - sum over i of weights_i * d_weights_i).
    # TODO 4: scores = Q K^T / sqrt(d_k): again the rule of TODO 2, and the factor 1 / sqrt(d_k) stays in front.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
