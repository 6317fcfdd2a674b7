"""`python -m autograder`. The current folder may hold a student's files: it is no place to import from, unless the kit lies there."""

import os
import sys

if os.path.realpath(sys.path[0]) == os.path.realpath(os.curdir) != os.path.dirname(os.path.dirname(os.path.realpath(__file__))):
    del sys.path[0]

from autograder.cli import main

sys.exit(main())
