"""Finds the object that talks to the grader, reads its setup and all that it holds.

Expected: right
"""

from attack_kit import SERVER, WIRE, check, right

ALLOWED = {"exercise", "stand_ins", "hollow", "cells", "entry_points", "bounds", "root"}


def softmax(x, axis=-1):
    own = SERVER
    check("keys of the setup", sorted(set(own.setup) - ALLOWED))
    check("what softmax can ask", own.setup["stand_ins"])
    check("secrets of the codec", [name for name in vars(WIRE) if "key" in name.lower() and name != "_key"])
    return right(x, axis)
