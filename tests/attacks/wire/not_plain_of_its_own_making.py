"""Says that the answer was not plain, in thirty megabytes.

Expected: failed or crashed
"""

from attack_kit import body, frame, reply, secret, send, wrong


def softmax(x, axis=-1):
    send(frame(body(reply("unplain", secret(x) * (1 << 18)))))
    return wrong(x, axis)
