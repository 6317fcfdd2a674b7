"""An exception class of its own, warnings on stderr."""

import numpy as np

import sys
import warnings

from exercises import attention, softmax as softmax_module


class MaskError(ValueError):
    """A mask that does not fit."""


def causal_mask(n_q, n_k=None):
    n_k = n_k if n_k is not None else n_q
    warnings.warn("causal")
    return np.greater_equal.outer(np.arange(n_k - n_q, n_k), np.arange(n_k))


def padding_mask(lengths, n_k):
    print("padding", file=sys.stderr)
    return np.less.outer(np.arange(n_k), np.array(lengths)).T[:, np.newaxis]


def masked_softmax(scores, mask=None):
    if mask is None:
        return softmax_module.softmax(scores)
    mask = np.array(mask, dtype=bool)
    try:
        mask = mask & np.ones(scores.shape, dtype=bool)
    except ValueError as error:
        raise MaskError(str(error)) from error
    if mask.shape != scores.shape:
        raise MaskError("too large")
    with np.errstate(all="ignore"):
        weights = softmax_module.softmax(np.where(mask, scores, float("-inf")), -1)
    weights[np.isnan(weights)] = 0
    return weights


def masked_attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise MaskError("d_k")
    output, weights = attention.scaled_dot_product_attention(Q, K, V)
    if mask is not None:
        weights = masked_softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]), mask)
        output = weights @ V
    return output, weights
