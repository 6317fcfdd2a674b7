"""An object that becomes an array when it is asked, another one each time.

Expected: failed
"""

import numpy as np


class Later:
    def __array__(self, *args, **kwargs):
        return np.zeros(3)

    @property
    def __array_interface__(self):
        return {"shape": (2**40,), "typestr": "<f8", "version": 3, "data": (0, False)}


def softmax(x, axis=-1):
    return Later()
