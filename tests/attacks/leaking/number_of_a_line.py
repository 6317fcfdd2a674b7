"""A line number that is hidden inputs.

Expected: failed
"""



def softmax(x, axis=-1):
    exec(compile("\n" * int(abs(x.flat[0]) * 10**4 % 10**6) + "1 / 0", __file__, "exec"))
