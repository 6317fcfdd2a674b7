import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(float)
    top = x.max(axis=axis, keepdims=True)
    powers = np.exp(x - top)
    return powers / powers.sum(axis=axis, keepdims=True)
