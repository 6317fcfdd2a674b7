"""Hidden inputs in file names that pretend to lie in the submission.

Expected: failed
"""

import os

from attack_kit import secret


def softmax(x, axis=-1):
    exec(compile("\n" * 7 + "1 / 0", os.path.join(os.path.dirname(__file__), secret(x)), "exec"))
