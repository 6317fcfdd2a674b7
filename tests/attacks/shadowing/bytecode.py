"""Brings compiled files in the place of its sources.

Expected: right
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis)

# --- file: exercises/__pycache__/softmax.cpython-311.pyc ---
no byte code at all

# --- file: exercises/helper.pyc ---
no byte code at all
