"""The one exception of this package."""

from __future__ import annotations


class JailUnavailable(Exception):
    """A jail cannot be had on this machine, or cannot be trusted; the text says why, and the way out."""
