"""Softmax: scores become weights that are positive and add up to 1. Every later exercise calls it."""

import numpy as np


def softmax(x: np.ndarray, axis: int = -1) -> np.ndarray:
    """Softmax of `x` along one axis: exp(x_i) / sum over j of exp(x_j).

    x: (...), any number of axes, floats or integers, finite; scores may be as large as ±1e308.
    axis: the axis along which the weights add up to 1; it may be negative, -1 is the last one.
    Returns: floats in the shape of x. Never NaN or infinity, and `x` itself is left as it was.

    Example: along the last axis each row adds up to 1, along axis 0 each column does.

    >>> scores = np.array([2.1, 0.3, 0.1, 0.8, 0.2])
    >>> softmax(scores).round(3)
    array([0.58 , 0.096, 0.079, 0.158, 0.087])
    >>> softmax(np.array([[1000, 1000], [1000, 0]]), axis=0)
    array([[0.5, 1. ],
           [0.5, 0. ]])

    Source: the same as torch.softmax(x, dim=axis).
    """
    # TODO 1: work in floats, whatever came in: an integer array cannot hold a weight of 0.25. Do not write into `x`.
    # TODO 2: exp(1000) is infinite in floating point. Adding one number to all scores along `axis` changes no weight
    #         (why?), so shift them until the largest one is 0. Each row (along `axis`) needs its own shift.
    # TODO 3: take exp, and divide by the sum along `axis`. An axis that is summed away no longer lines up with the
    #         array it came from, unless it is kept with length 1.
    ### BEGIN SOLUTION
    x = np.asarray(x, dtype=np.float64)
    with np.errstate(over="ignore"):  # -1e308 - 1e308 is -inf, and exp(-inf) is the 0 that we want
        exps = np.exp(x - x.max(axis=axis, keepdims=True))
    return exps / exps.sum(axis=axis, keepdims=True)
    ### END SOLUTION
