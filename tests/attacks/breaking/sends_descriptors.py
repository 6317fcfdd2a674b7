"""Sends open descriptors along with its answer, many of them.

Expected: crashed or failed
"""

import array
import os
import socket

from attack_kit import SERVER


def softmax(x, axis=-1):
    pipes = [end for _ in range(50) for end in os.pipe()]
    SERVER.connection.sendmsg([b"\0"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", pipes))])
    return x
