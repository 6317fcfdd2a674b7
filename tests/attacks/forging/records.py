"""A structured array with a field of right numbers.

Expected: failed
"""

from attack_kit import right


def softmax(x, axis=-1):
    return right(x, axis).view([("weights", "f8")])
