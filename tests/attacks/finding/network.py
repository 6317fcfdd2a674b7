"""Reaches for the network: every family of sockets, names, a local server, an abstract address.

Expected: right
"""

import socket
import urllib.request

from attack_kit import attempt, right

for family in ("AF_INET", "AF_INET6", "AF_UNIX", "AF_NETLINK", "AF_PACKET", "AF_ALG", "AF_VSOCK", "AF_BLUETOOTH", "AF_CAN", "AF_TIPC"):
    for kind in ("SOCK_STREAM", "SOCK_DGRAM", "SOCK_RAW", "SOCK_SEQPACKET"):
        attempt(f"{family} {kind}", lambda: socket.socket(getattr(socket, family), getattr(socket, kind)))
attempt("a pair of datagram sockets", lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM))
attempt("a name", lambda: socket.getaddrinfo("example.org", 80))
attempt("a page", lambda: urllib.request.urlopen("http://127.0.0.1:80", timeout=1))


def network_on_a_pair():
    one, _ = socket.socketpair()
    one.connect("\0abstract")


attempt("an abstract address", network_on_a_pair)


def softmax(x, axis=-1):
    return right(x, axis)
