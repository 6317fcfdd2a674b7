"""An object whose attributes are larger than the lesson's and change whenever they are read.

Exercise: self_attention
Expected: failed
"""

import numpy as np


class SelfAttention:
    def __init__(self, *args, **kwargs):
        pass

    def __setattr__(self, name, value):
        pass

    def __getattr__(self, name):
        if name.startswith("W_"):
            return np.random.rand(1000, 1, 4, 1)
        raise AttributeError(name)

    def forward(self, X, mask=None):
        return np.zeros((*X.shape[:-1], 2)), np.zeros((*X.shape[:-1], X.shape[-2]))
