"""Raises its own limits, and lowers those that others would stumble over.

Expected: right
"""

import resource

from attack_kit import attempt, right

for name in ("AS", "NPROC", "NOFILE", "CPU", "FSIZE", "CORE", "MEMLOCK", "MSGQUEUE", "NICE", "RTPRIO"):
    kind = getattr(resource, f"RLIMIT_{name}")
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        attempt(f"more of {name}", lambda: resource.setrlimit(kind, (hard + 1, hard + 1)))
resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def softmax(x, axis=-1):
    return right(x, axis)
