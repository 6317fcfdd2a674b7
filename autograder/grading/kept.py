"""A bounded memory for what is computed again and again with the same result: in a class, once for all submissions."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Kept(Generic[Key, Value]):
    """Values by their keys, as long as their sizes add up to no more than `most` bytes; the oldest make room for new ones."""

    def __init__(self, most: int):
        self.most, self.used = most, 0
        self.values: dict[Key, tuple[Value, int]] = {}

    def find(self, key: Key) -> Value | None:
        """The value kept for this key, None where there is none."""
        found = self.values.get(key)
        return None if found is None else found[0]

    def keep(self, key: Key, value: Value, size: int) -> None:
        """Keep a value of this size, key included, unless it alone would take a large part of what there is."""
        if size > self.most // 16 or key in self.values:
            return
        self.used += size
        self.values[key] = value, size
        while self.used > self.most:
            self.used -= self.values.pop(next(iter(self.values)))[1]
