"""Hidden inputs themselves.

Expected: failed
"""



def softmax(x, axis=-1):
    return x
