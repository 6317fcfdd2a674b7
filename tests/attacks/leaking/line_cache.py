"""Hidden inputs in the cache of lines that tracebacks are printed from.

Expected: failed
"""

import linecache

from attack_kit import secret


def softmax(x, axis=-1):
    linecache.cache[__file__] = (1, None, [secret(x) + "\n"] * 99, __file__)
    linecache.updatecache = linecache.checkcache = lambda *args: None
    raise ValueError
