"""Many processes, each of which stays below the limit.

Expected: crashed or timeout
"""

import os
import time

from attack_kit import name_process


def softmax(x, axis=-1):
    for _ in range(5):
        if os.fork() == 0:
            name_process("attack-left")
            break
    held = bytearray(b"x") * (60 << 20)
    time.sleep(600)
    return held
