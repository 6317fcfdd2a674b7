"""Right numbers as decimals and fractions.

Expected: failed
"""

from decimal import Decimal

from attack_kit import right


def softmax(x, axis=-1):
    return [Decimal(str(number)) for number in right(x, axis).ravel()]
