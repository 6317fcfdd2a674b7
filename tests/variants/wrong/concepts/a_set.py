"""Sets of letters."""

import numpy as np

ANSWERS = {'bottleneck': ['a', 'b', 'c', 'd'], 'query': ['a', 'b', 'c', 'd'], 'key': ['a', 'b', 'c', 'd'], 'value': ['a', 'b', 'c', 'd'], 'weights': ['a', 'b', 'c', 'd'], 'scaling': ['a', 'b', 'c', 'd'], 'self_attention': ['a', 'b', 'c', 'd'], 'cross_attention': ['a', 'b', 'c', 'd'], 'masked_attention': ['a', 'b', 'c', 'd'], 'multi_head': ['a', 'b', 'c', 'd'], 'cost': ['a', 'b', 'c', 'd'], 'mask_meaning': ['a', 'b', 'c', 'd'], 'what_changes': ['a', 'b', 'c', 'd'], 'what_stays': ['a', 'b', 'c', 'd'], 'worked_softmax': ['a', 'b', 'c', 'd'], 'worked_attention': ['a', 'b', 'c', 'd']}
