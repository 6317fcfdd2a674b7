"""A worker for tests/test_jail.py: runs the Python source that it is sent and answers with its variable `result`."""

from __future__ import annotations

import json
import socket
import struct
import traceback
from typing import Any


def main(connection: socket.socket, setup: dict[str, Any]) -> None:
    """Frames both ways: a length of four bytes, then JSON."""
    while head := connection.recv(4, socket.MSG_WAITALL):
        source = connection.recv(struct.unpack(">I", head)[0], socket.MSG_WAITALL)
        space: dict[str, Any] = {"setup": setup}
        try:
            exec(source, space)
            answer = {"result": space.get("result")}
        except BaseException as error:
            answer = {"raised": type(error).__name__, "trace": traceback.format_exc()}
        body = json.dumps(answer, default=repr).encode()
        connection.sendall(struct.pack(">I", len(body)) + body)
