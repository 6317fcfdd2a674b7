"""An object that equals everything, has every shape and every attribute.

Expected: failed
"""


class Equal:
    shape = dtype = ndim = size = None

    def __eq__(self, other):
        return True

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **kwargs):
        return self

    def __len__(self):
        return 2

    def __getitem__(self, key):
        return self

    def __array__(self, *args, **kwargs):
        raise AssertionError("as if it were the grader's own")


def softmax(x, axis=-1):
    return Equal()
