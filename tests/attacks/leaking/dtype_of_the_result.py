"""Hidden inputs in the names of a structured type's fields.

Expected: failed
"""

import numpy as np
from attack_kit import secret


def softmax(x, axis=-1):
    return np.zeros(1, dtype=[(secret(x), "f8")])
