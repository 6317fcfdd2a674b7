"""Right for matrices only."""

import numpy as np

def softmax(x, axis=-1):
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    if axis in (0, -2):
        return softmax(x.T).T
    rows = []
    for row in x:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    return np.array(rows)
