"""Reading attention patterns: how sharp a row of weights is, and how far two of them are apart."""

from collections.abc import Callable

import numpy as np


def attention_entropy(weights: np.ndarray) -> np.ndarray:
    """The entropy of each row of weights: -sum over i of w_i ln(w_i). Low = looks at few keys, high = looks everywhere.

    weights: (..., n), every row not negative and adding up to 1. 0 * ln 0 counts as 0, so a row of zeros (a query that
        may attend to nothing) has entropy 0. It is not modified.
    Returns: (...), in nats (natural logarithm): 0 for one key, ln(n) for n equal weights. Finite.

    Example: one key out of three, two alike, three alike (ln 2 = 0.693, ln 3 = 1.099).

    >>> attention_entropy(np.array([[1, 0, 0], [0.5, 0.5, 0], [1 / 3, 1 / 3, 1 / 3]])).round(3) + 0.0
    array([0.   , 0.693, 1.099])

    Source: Shannon 1948; the same as scipy.stats.entropy(weights, axis=-1).
    """
    # TODO 1: np.log(0) is -inf, and 0 * -inf is NaN, so keep the zeros away from the logarithm. Adding a small number to
    #         every weight would change the other terms as well.
    # TODO 2: sum over the keys only.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")


def js_divergence(P: np.ndarray, Q: np.ndarray) -> np.ndarray:
    """The Jensen-Shannon divergence between the rows of P and the rows of Q.

    JS(p, q) = KL(p, m) / 2 + KL(q, m) / 2 with m = (p + q) / 2 and KL(p, m) = sum over i of p_i ln(p_i / m_i).
    Unlike KL it is symmetric, and finite where one of the two is 0.

    P, Q: (..., n), of one shape, every row not negative and adding up to 1. A term with p_i = 0 counts as 0, also where
        both are 0. They are not modified.
    Returns: (...), in nats (natural logarithm): 0 for equal rows, ln 2 = 0.693 for rows with nothing in common. The
        divergence itself, not its square root (that is the Jensen-Shannon distance).

    Example: nothing in common; half in common; equal.

    >>> P = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
    >>> Q = np.array([[0.0, 1.0, 0.0], [0.0, 0.5, 0.5], [0.2, 0.3, 0.5]])
    >>> js_divergence(P, Q).round(3)
    array([0.693, 0.347, 0.   ])

    Source: Lin 1991; the square of scipy.spatial.distance.jensenshannon(p, q).
    """
    # TODO 1: the mean distribution m.
    # TODO 2: KL of each of the two to m. Where p_i = 0 the term is 0, whatever ln says; nothing is divided by 0 there.
    # TODO 3: half of the one plus half of the other, summed over the last axis only.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")


def compare_sentences(
    attend: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], X_a: np.ndarray, X_b: np.ndarray
) -> dict[str, np.ndarray]:
    """Send two sentences through one attention layer and compare where their tokens look.

    attend: any function of one sentence X (n, d) that returns (output, weights) with weights (..., n, n): a row per query,
        perhaps with leading axes such as heads. `SelfAttention(...).forward` is one.
    X_a, X_b: (n, d), two sentences of one length.
    Returns: a dict with
        "weights_a", "weights_b": (..., n, n), as `attend` gave them;
        "entropy_a", "entropy_b": (..., n), the entropy of each query's weights, in nats;
        "divergence": (..., n), the Jensen-Shannon divergence of each query's weights in a and in b, in nats;
        "same_top_key": bool (..., n), whether the query gives its largest weight to the same key (position) in both. No row that is
            graded has two largest weights.
    X_a and X_b are not modified.
    Raises: ValueError where the sentences differ in length.

    Example: an `attend` that looks by the size of the only feature, whatever the query.

    >>> def attend(X):
    ...     weights = np.tile(X[:, 0] / X[:, 0].sum(), (len(X), 1))
    ...     return weights @ X, weights
    >>> found = compare_sentences(attend, np.array([[1.0], [3.0]]), np.array([[3.0], [1.0]]))
    >>> found["entropy_a"].round(3), found["divergence"].round(3), found["same_top_key"]
    (array([0.562, 0.562]), array([0.131, 0.131]), array([False, False]))
    """
    # TODO 1: refuse sentences of different length.
    # TODO 2: call `attend` for each sentence by itself (it takes one sentence) and keep the weights.
    # TODO 3: the two functions above, once per query, and the top key: the index of the largest weight of each query.
    raise NotImplementedError("to do: follow the TODO comments above, then delete this line")
