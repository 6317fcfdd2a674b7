"""Hidden inputs in warnings and in the log.

Expected: failed
"""

import logging
import warnings

from attack_kit import secret, wrong


def softmax(x, axis=-1):
    warnings.warn(secret(x), stacklevel=1)
    logging.error(secret(x))
    return wrong(x)
