"""Extra optional parameters, prints and warns."""

import numpy as np

import warnings


def softmax(x, axis=-1, temperature=1.0, verbose=True):
    """With a temperature."""
    x = np.asarray(x).astype("float64") / temperature
    if verbose:
        print("softmax of", x.shape)
        warnings.warn("just so that you know")
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


print(softmax([1, 2, 3]))
if __name__ == "__main__":
    softmax(np.ones(3))
