"""Self-attention: queries, keys and values are three projections of one sequence."""

import numpy as np

from exercises.masking import masked_attention


class SelfAttention:
    """One head of self-attention with its weight matrices.

    d_model: the width of the input. d_k: of queries and keys. d_v: of values. d_out: of the output, None = no projection.
    seed: the same seed gives the same matrices, another seed gives others.

    Attributes, plain arrays that a caller may read and replace at any time:
        W_Q, W_K: (d_model, d_k). W_V: (d_model, d_v). W_O: (d_v, d_out), or None where d_out is None.

    Example: with matrices of your own; token 0 and token 1 exchange half of their first feature.

    >>> model = SelfAttention(d_model=2, d_k=1, d_v=1)
    >>> model.W_Q.shape, model.W_O
    ((2, 1), None)
    >>> model.W_Q = model.W_K = np.zeros((2, 1))
    >>> model.W_V = np.array([[1.0], [0.0]])
    >>> output, weights = model.forward(np.array([[4.0, 1.0], [8.0, 1.0]]))
    >>> weights
    array([[0.5, 0.5],
           [0.5, 0.5]])
    >>> output
    array([[6.],
           [6.]])

    Source: Vaswani et al. 2017, section 3.2.3; Glorot & Bengio 2010, equation (16), for the start values.
    """

    def __init__(self, d_model: int, d_k: int, d_v: int, d_out: int | None = None, seed: int = 42):
        """Draw the weight matrices, each by Xavier's rule for its own shape.

        A matrix (fan_in, fan_out) has mean 0 and standard deviation sqrt(2 / (fan_in + fan_out)), so that neither
        signals nor gradients grow or fade; normal and uniform numbers are both right. W_Q, W_K, W_V all differ.
        """
        # TODO 1: one random generator from `seed`. Draw all matrices from it one after another: a fresh generator with the
        #         same seed for each of them would make W_Q and W_K equal.
        # TODO 2: the attributes W_Q, W_K, W_V, and W_O only where d_out is given (None otherwise).
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")

    def forward(self, X: np.ndarray, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Let every token of X attend to the tokens of X that the mask allows.

        X: (..., n, d_model).
        mask: broadcasts to (..., n, n), bool or integers 0 and 1, True (1) = may attend. None: all tokens see all.
        Returns: (output, weights), floats. weights: (..., n, n). output = weights @ V @ W_O: (..., n, d_out), or
            weights @ V: (..., n, d_v) where W_O is None. A token that may attend to nothing has weights 0 and output 0.
            Scores are scaled by sqrt(d_k), and up to ±1e4 handled without NaN. The arguments are not modified.
        Raises: ValueError where the mask does not broadcast to (..., n, n).
        """
        # TODO 1: queries, keys and values: X times the matrices as they are NOW (the caller may have replaced them).
        # TODO 2: attention with the mask: an earlier exercise does it.
        # TODO 3: the output projection, where there is one.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
