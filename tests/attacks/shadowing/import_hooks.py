"""Puts finders in front of every import, and stand-ins in the place of modules that are there.

Expected: right
"""

import sys

from attack_kit import right


class Finder:
    def find_spec(self, name, path=None, target=None):
        raise ImportError(name)


sys.meta_path.insert(0, Finder())
for name in ("autograder", "autograder.inside", "autograder.inside.wire", "msgpack", "pytest"):
    sys.modules[name] = type(sys)(name)

def softmax(x, axis=-1):
    return right(x, axis)
