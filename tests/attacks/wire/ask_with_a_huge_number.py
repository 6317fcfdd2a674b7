"""Asks a question whose number has more bits than the wire can answer with.

Expected: crashed
"""

from attack_kit import SERVER, body, frame, question, send


def softmax(x, axis=-1):
    send(frame(body(question("softmax.softmax", (x,), number=1 << 4095))))
    SERVER.connection.recv(100)
    return SERVER.connection.recv(1 << 20)
