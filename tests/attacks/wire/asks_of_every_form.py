"""Asks questions whose parts are of all kinds.

Expected: failed or crashed
"""

import itertools

from attack_kit import SERVER, WIRE, body, frame, question, send, wrong

questions = itertools.cycle(
    [
        question(["softmax"]),
        question({"softmax": 1}),
        question("softmax.softmax", ([1.0, 2.0],), {7: 8}),
        question(WIRE.FunctionRef(99)),
        question(WIRE.Handle(99)),
        question(None, (), {"self": 1}, number=-1),
        question("__class__"),
        question("softmax.softmax", ("x" * (1 << 20),) * 20, {"axis": {"a": 1}}),
        question("softmax.softmax", [1.0, 2.0]),
        ["ask", 1, "softmax.softmax", []],
        ["ask", 1, body(["softmax.softmax", (), {}])],
        ["ask", 1, body(["softmax.softmax", (), {}]), [7]],
        ["ask", 1, b"\xc1", []],
    ]
)


def softmax(x, axis=-1):
    send(frame(body(next(questions))))
    SERVER._receive()
    return wrong(x, axis)
