"""Has faulthandler end the process while a call runs.

Expected: crashed
"""

import faulthandler


def softmax(x, axis=-1):
    faulthandler.dump_traceback_later(0.05, exit=True)
    while True:
        pass
