"""Goes with every hostile submission of tests/attacks, as a file of the student's own: right answers, and what attacks share.

It prints HELD for each attempt that failed as it must and BREACH for one that did not; tests/test_attacks.py reads both.
"""

import sys

import numpy as np

# Stands in front of everything that an attack tries to bring out to the student. No line of an attack holds the word itself.
MARK = "LE" + "AK"


def right(x, axis=-1):
    """A right softmax."""
    x = np.asarray(x, dtype=np.float64)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def wrong(x, axis=-1):
    """A wrong softmax: no maximum is subtracted, nothing is summed along the axis."""
    return np.full(np.shape(x), 0.125)


def secret(*values):
    """Hidden inputs as a text that is worth bringing out."""
    return MARK + " " + " ".join(repr(value) for value in values)


def attempt(what, action):
    """Try what must not work."""
    try:
        got = action()
    except Exception as error:
        print(f"HELD {what}: {type(error).__name__}")
        return None
    print(f"BREACH {what}: {got!r}"[:500])
    return got


def check(what, breached):
    """State whether something was found that must not be there."""
    print(f"{'BREACH' if breached else 'HELD'} {what}: {breached!r}"[:500])


def frames():
    """The frames below this one, the kit's own among them: student code is called by them."""
    frame = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


# What talks to the grader, and the module that writes its format. `sys.modules` names neither.
SERVER = next(frame.f_locals["self"] for frame in frames() if frame.f_code.co_name == "run" and "self" in frame.f_locals)
WIRE = type(SERVER).run.__globals__["wire"]


def request():
    """The number of the message whose requests are open, which a forged reply must carry."""
    return SERVER.number


def send(raw):
    """Bytes straight into the connection."""
    SERVER.connection.sendall(raw)


def body(value):
    """A value in the kit's own format."""
    return WIRE.encode(value, 100)


def reply(*facts):
    """A message with a reply to the request that is open."""
    return replies(body(list(facts)))


def replies(*raw):
    """A message with replies as bodies."""
    return ["replies", request(), list(raw)]


def question(what, args=(), kwargs=None, number=1):
    """A message with a question to the grader."""
    return ["ask", number, body([what, args, {} if kwargs is None else kwargs]), []]


def frame(raw):
    """Bytes with the length that the wire puts in front."""
    return len(raw).to_bytes(4, "big") + raw


def name_process(name):
    """Name this process, so that the test can look for what is left of it."""
    import ctypes

    ctypes.CDLL(None).prctl(15, name.encode(), 0, 0, 0)
