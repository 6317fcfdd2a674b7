"""Brings an `exercises` package that answers for every module.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: exercises/__init__.py ---
import sys

from . import attack_kit

sys.modules["exercises.softmax"] = sys.modules["softmax"] = attack_kit
attack_kit.softmax = attack_kit.wrong
