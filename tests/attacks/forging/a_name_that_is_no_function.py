"""Has no function where one is due, but something that is callable in its own way.

Expected: failed
"""

from attack_kit import wrong


class Callable:
    def __call__(self, *args, **kwargs):
        return wrong(*args, **kwargs)

    def __getattr__(self, name):
        return self


softmax = Callable()
