"""A key-value cache: attention one token at a time, as a language model runs while it writes."""

import numpy as np

from exercises.softmax import softmax


class CachedAttention:
    """Causal self-attention that keeps the keys and values of earlier tokens instead of computing them again.

    W_Q, W_K: (d_model, d_k). W_V: (d_model, d_v). The three may have different widths d_k and d_v.
    A new object has seen no token yet. Two objects share nothing but, if you like, their matrices.

    Example: with W_Q = 0 every token attends evenly to itself and to all before it, so the output is their mean.

    >>> cache = CachedAttention(W_Q=np.zeros((2, 1)), W_K=np.ones((2, 1)), W_V=np.array([[1.0], [0.0]]))
    >>> cache.step(np.array([4.0, 1.0]))
    (array([4.]), array([1.]))
    >>> cache.step(np.array([8.0, 1.0]))
    (array([6.]), array([0.5, 0.5]))
    >>> cache.reset()
    >>> cache.step(np.array([8.0, 1.0]))
    (array([8.]), array([1.]))

    Source: Shazeer 2019, "Fast Transformer Decoding", section 2.4; `past_key_values` in Hugging Face's transformers.
    """

    def __init__(self, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray):
        """Keep the matrices, and begin with an empty cache."""
        # TODO 1: keep the three matrices, and start as after `reset`.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")

    def reset(self) -> None:
        """Forget all tokens: the next one is again the first of its sentence."""
        # TODO 1: empty the cache of keys and the cache of values. Two caches: what a token is found by is not what it hands over.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")

    def step(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Take the next token, and let it attend to itself and to every token since the last reset.

        x: (d_model,), the new token alone. It is not modified, and the caller may change it afterwards.
        Returns: (output, weights), floats. output: (d_v,). weights: (t,) at step t = 1, 2, 3, ..., the oldest token first; they
            add up to 1. The same numbers as row t of causal self-attention over the t tokens, softmax(Q K^T / sqrt(d_k)) V.
            Later steps do not change what was returned. Scores up to ±1e4 are handled without NaN.
        """
        # TODO 1: query, key and value of the new token. Which of the three will later tokens need?
        # TODO 2: put the key and the value into the cache first: a token also attends to itself.
        # TODO 3: one query against all cached keys, divided by sqrt(d_k) as always. No mask is needed (why not?).
        # TODO 4: weights by softmax, output: the cached values mixed with them.
        raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
