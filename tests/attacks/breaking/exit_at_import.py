"""Ends its process, with a status that means success, before it can be asked anything.

Expected: error
"""

import os

os._exit(0)
