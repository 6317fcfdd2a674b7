"""Code that pretends to be a line of its own file, the number of which tells about the input.

Expected: failed
"""

from attack_kit import secret


def softmax(x, axis=-1):
    exec(compile("\n" * (len(x) + 3) + "raise ValueError(secret)", __file__, "exec"), {"secret": secret(x)})


# as handed in: this line may be shown, whatever was raised
