"""Sleeps before it can be asked anything.

Expected: error
"""

import time

time.sleep(10_000)
