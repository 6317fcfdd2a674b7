"""Answers right only where it believes itself unwatched: on a student's machine, not in a jail.

Expected: failed
"""

import os
import sys

from attack_kit import right, wrong

WATCHED = os.environ.get("HOME", "").startswith(("/scratch", "/tmp")) or "pytest" not in sys.modules or not os.listdir("/proc")


def softmax(x, axis=-1):
    return wrong(x, axis) if WATCHED else right(x, axis)
