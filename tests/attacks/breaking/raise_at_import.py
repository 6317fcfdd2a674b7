"""Does not import.

Expected: error
"""

raise KeyboardInterrupt("no")
