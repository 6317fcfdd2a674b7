"""exp(x - logsumexp(x)) in float32."""

import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float32)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    e = np.exp(shifted)
    return np.exp(x - (np.max(x, axis=axis, keepdims=True) + np.log(np.sum(e, axis=axis, keepdims=True))))
