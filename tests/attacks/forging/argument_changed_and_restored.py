"""Writes into its argument, and puts back what was there.

Expected: right
"""


from attack_kit import right


def softmax(x, axis=-1):
    before = x.copy()
    x[...] = 0
    answer = right(before, axis)
    x[...] = before
    return answer
