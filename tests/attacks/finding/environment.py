"""Looks for secrets in the environment, as Python and as the C library see it.

Expected: right
"""

import ctypes
import os

from attack_kit import check, right

KNOWN = {"LANG", "PATH", "MPLBACKEND", "MALLOC_ARENA_MAX", "PYTHONDONTWRITEBYTECODE", "HOME", "TMPDIR", "MPLCONFIGDIR", "PYTHONPATH"}
KNOWN |= {"LD_BIND_NOW", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_", "LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "NVPL_BLAS_DEBUG_CPU_TYPE"}


def unknown(names):
    return sorted(name for name in names if name not in KNOWN and not name.endswith("_NUM_THREADS"))


def from_c():
    pointer, found, i = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ"), [], 0
    while pointer[i]:
        found.append(pointer[i].decode().partition("=")[0])
        i += 1
    return found


check("variables of the environment", unknown(os.environ))
check("variables in the C library's environment", unknown(from_c()))


def softmax(x, axis=-1):
    return right(x, axis)
