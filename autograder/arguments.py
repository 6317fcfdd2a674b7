"""What a command raises where its arguments cannot be used; the command line prints the sentence and exits with 2."""

from __future__ import annotations


class Unusable(Exception):
    """Arguments that cannot be used; the text says why and what to do instead."""
