"""Attention pooling: one vector for a whole sentence, in which the words that matter count more."""

import numpy as np

from solutions.masking import masked_softmax


class AttentionPooling:
    """A learned weighted average of the tokens of a sentence, for example to classify it.

    hidden_size: the width of a token's vector.
    seed: of the random generator that draws W.

    Attribute, a plain array that a caller may read and replace at any time:
        W: (hidden_size, 1), the one query that all sentences share: it scores how much a token matters.

    Example: a W that asks for the first feature; the second token has ln 3 more of it, so it counts three times as much.

    >>> pooling = AttentionPooling(hidden_size=2)
    >>> pooling.W = np.array([[1.0], [0.0]])
    >>> output, weights = pooling.forward(np.array([[0.0, 4.0], [np.log(3.0), 8.0]]))
    >>> weights
    array([0.25, 0.75])
    >>> output.round(3)
    array([0.824, 7.   ])

    Source: Yang et al. 2016, section 2.2, without its hidden layer.
    """

    def __init__(self, hidden_size: int, seed: int = 42):
        """Draw W: small random numbers, not all 0."""
        # TODO 1: W from a random generator with `seed`. It is a matrix with one column, not a vector.
        ### BEGIN SOLUTION
        self.W = 0.1 * np.random.default_rng(seed).normal(size=(hidden_size, 1))
        ### END SOLUTION

    def forward(self, H: np.ndarray, mask: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The weighted average of the tokens of each sentence.

        H: (..., n, hidden_size), a vector for every token; the leading axes (none, a batch, ...) are sentences of their own.
        mask: (..., n), bool or integers 0 and 1, True (1) = a real token, the rest is padding. It has an entry for each token
            and no other axis. None: all tokens are real.
        Returns: (output, weights), floats. weights: (..., n), the softmax over the tokens of the scores H @ W (not scaled: W is
            learned and may have any size); padding has weight 0. output: (..., hidden_size), the average of the tokens
            with these weights. A sentence without a real token has weights 0 and output 0. Scores up to ±1e4 are handled
            without NaN. No argument is modified.
        """
        # TODO 1: the scores. H @ W still has an axis of length 1 at its end; a softmax over that axis would make every
        #         weight 1.
        # TODO 2: the weights: a softmax over the tokens, without the padding where there is a mask. You have written one; it
        #         wants an axis for the queries, and here there is one query.
        # TODO 3: the average of the tokens: a sum over the tokens, never over the sentences.
        ### BEGIN SOLUTION
        scores = np.swapaxes(H @ self.W, -1, -2)  # (..., 1, n): one query
        one_query = None if mask is None else np.asarray(mask)[..., np.newaxis, :]
        weights = masked_softmax(scores, one_query)
        output = weights @ H
        return output[..., 0, :], weights[..., 0, :]
        ### END SOLUTION
