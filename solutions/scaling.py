"""Why the scores are divided by sqrt(d_k): how far dot products spread, and what that does to the softmax's gradient."""

import numpy as np


def dot_product_std(d_k: int, n_pairs: int = 10_000, seed: int = 0) -> tuple[float, float]:
    """How far the dot products of random queries and keys spread, before and after the division by sqrt(d_k).

    d_k: the width of a query and of a key; all their entries are independent draws from N(0, 1).
    n_pairs: how many pairs to draw, one query (d_k,) and one key (d_k,) each.
    seed: of the random generator. The same seed gives the same result, another seed draws other pairs.
    Returns: (raw, scaled), two numbers: the standard deviation over the n_pairs numbers q·k, and over q·k / sqrt(d_k),
        with ddof 0 or 1 as you like. With many pairs they come within a few per cent of sqrt(d_k) and of 1; they are measured,
        not computed from d_k.

    Example: the first number doubles where d_k is four times as large, the second stays.

    >>> for d_k in (16, 64):
    ...     raw, scaled = dot_product_std(d_k)
    ...     print(d_k, round(raw), round(scaled))
    16 4 1
    64 8 1

    Source: Vaswani et al. 2017, section 3.2.1, footnote 4.
    """
    # TODO 1: one random generator from `seed`. Draw the queries (n_pairs, d_k) and the keys (n_pairs, d_k) from it one
    #         after the other; with a fresh generator for each of them every key would equal its query.
    # TODO 2: query i meets key i and no other: n_pairs dot products, not n_pairs times n_pairs.
    # TODO 3: their standard deviation as they are, and after the division.
    ### BEGIN SOLUTION
    generator = np.random.default_rng(seed)
    queries = generator.normal(size=(n_pairs, d_k))
    keys = generator.normal(size=(n_pairs, d_k))
    products = np.sum(queries * keys, axis=1)
    return float(np.std(products)), float(np.std(products / np.sqrt(d_k)))
    ### END SOLUTION


def softmax_jacobian(weights: np.ndarray) -> np.ndarray:
    """The derivatives of a softmax: how each weight answers to a small change of each score.

    weights: (..., n), what the softmax over the last axis returned (not the scores); each row adds up to 1.
    Returns: (..., n, n), floats: for each row w the matrix diag(w) - w w^T. Entry (i, j) is the derivative of weight i
        by score j: w_i - w_i^2 where i = j, and -w_i w_j elsewhere. `weights` is not modified.

    Example: a softmax that is still undecided can learn; one that is certain has derivative 0 everywhere, and no
    gradient gets through it.

    >>> softmax_jacobian(np.array([0.5, 0.5]))
    array([[ 0.25, -0.25],
           [-0.25,  0.25]])
    >>> float(abs(softmax_jacobian(np.array([[0.0, 1.0], [1.0, 0.0]]))).max())
    0.0

    Source: the derivative of exp(x_i) / sum over j of exp(x_j) by the quotient rule; torch.autograd.functional.jacobian.
    """
    # TODO 1: for every row the product of each weight with each weight, (..., n, n). Let broadcasting do it: one copy of
    #         the weights runs down the rows of the matrix, one along its columns. Rows of different sentences never meet.
    # TODO 2: the diagonal matrix with the weights on it, for every row; np.diag knows one row only.
    ### BEGIN SOLUTION
    weights = np.asarray(weights)
    w_i, w_j = weights[..., :, np.newaxis], weights[..., np.newaxis, :]
    return w_i * (np.eye(weights.shape[-1]) - w_j)
    ### END SOLUTION
