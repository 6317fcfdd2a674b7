"""Makes more files and deeper folders than anybody wants to remove.

Expected: right or crashed or error
"""

import os

from attack_kit import right

home = os.getcwd()
try:
    for number in range(7_000):
        open(f"attack-left-{number}", "w").close()
except OSError:
    pass
for name in os.listdir(home)[:500]:
    os.unlink(f"{home}/{name}")
try:
    for _ in range(500):
        os.mkdir("deep")
        os.chdir("deep")
except OSError:
    pass


def softmax(x, axis=-1):
    return right(x, axis)
