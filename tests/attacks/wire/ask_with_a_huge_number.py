"""Asks a question whose number has more bits than the wire can answer with.

Expected: crashed
"""

from attack_kit import SERVER, body, frame, send


def softmax(x, axis=-1):
    send(frame(body(["ask", 1 << 4095, "softmax.softmax", (x,), {}])))
    SERVER.connection.recv(100)
    return SERVER.connection.recv(1 << 20)
