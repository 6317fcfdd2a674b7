"""Asks questions whose parts are of all kinds.

Expected: failed or crashed
"""

import itertools

from attack_kit import SERVER, WIRE, body, frame, send, wrong

questions = itertools.cycle(
    [
        ["ask", 1, ["softmax"], (), {}],
        ["ask", 1, {"softmax": 1}, (), {}],
        ["ask", 1, "softmax.softmax", ([1.0, 2.0],), {7: 8}],
        ["ask", 1, WIRE.FunctionRef(99), (), {}],
        ["ask", 1, WIRE.Handle(99), (), {}],
        ["ask", -1, None, (), {"self": 1}],
        ["ask", 1, "__class__", (), {}],
        ["ask", 1, "softmax.softmax", ("x" * (1 << 20),) * 20, {"axis": {"a": 1}}],
    ]
)


def softmax(x, axis=-1):
    send(frame(body(next(questions))))
    SERVER._receive()
    return wrong(x, axis)
