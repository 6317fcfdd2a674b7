"""Answers that are a text of a shape that is slow to normalize.

Exercise: concepts
Expected: failed or todo
"""

ANSWERS = dict.fromkeys(("query", "key", "weights", "scaling"), "a" + "\u0315\u0300" * 200_000)
