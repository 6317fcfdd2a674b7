"""Leaves another program running, with right answers.

Expected: right
"""

import subprocess
import sys

from attack_kit import right

subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(600)", "attack-left"], start_new_session=False)


def softmax(x, axis=-1):
    return right(x, axis)
