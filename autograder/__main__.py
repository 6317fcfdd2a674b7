"""`python -m autograder`. The current folder may hold a student's files: it is no place to import from."""

import sys

if sys.path and sys.path[0] == "":
    del sys.path[0]

from autograder.cli import main

sys.exit(main())
