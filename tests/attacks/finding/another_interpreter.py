"""Starts another interpreter, which has forgotten nothing and promised nothing, and lets it look around.

Expected: right
"""

import subprocess
import sys

from attack_kit import right
from outside import PATHS

CODE = """
import os, sys
for path in sys.argv[1:]:
    try:
        print("BREACH", path, open(path, "rb").read(20))
    except OSError as error:
        print("HELD", path, type(error).__name__)
try:
    import autograder
    print("BREACH autograder")
except ImportError:
    print("HELD autograder")
"""
done = subprocess.run([sys.executable, "-c", CODE, "/etc/passwd", "/proc/self/environ", *PATHS], capture_output=True, text=True)
print(done.stdout, done.stderr)


def softmax(x, axis=-1):
    return right(x, axis)
