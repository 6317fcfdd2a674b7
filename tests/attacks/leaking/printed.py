"""Hidden inputs printed, on both streams and into files.

Expected: failed
"""

import sys

from attack_kit import secret, wrong


def softmax(x, axis=-1):
    print(secret(x), flush=True)
    print(secret(x), file=sys.stderr, flush=True)
    with open("leak.txt", "a") as file:
        file.write(secret(x))
    return wrong(x)
