"""A list."""

import numpy as np

ANSWERS = ['c', 'b', 'a', 'd', 'a', 'd', 'b', 'c', 'a', 'd', 'c', 'b', 'd', 'a', 'b', 'c']
