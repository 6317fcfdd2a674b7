"""c everywhere."""

import numpy as np

ANSWERS = {'bottleneck': 'c', 'query': 'c', 'key': 'c', 'value': 'c', 'weights': 'c', 'scaling': 'c', 'self_attention': 'c', 'cross_attention': 'c', 'masked_attention': 'c', 'multi_head': 'c', 'cost': 'c', 'mask_meaning': 'c', 'what_changes': 'c', 'what_stays': 'c', 'worked_softmax': 'c', 'worked_attention': 'c'}
