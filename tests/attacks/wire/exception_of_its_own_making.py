"""Says that an exception was raised, of a size and with a line that no exception has.

Expected: failed or crashed
"""

from attack_kit import body, frame, reply, secret, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("raised", [secret(x)] * 1000, "x" * (30 << 20), secret(x), 10**9))))
    return wrong(x, axis)
