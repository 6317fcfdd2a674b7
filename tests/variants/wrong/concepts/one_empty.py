"""One question is not answered."""

import numpy as np

ANSWERS = {'bottleneck': 'c', 'query': 'b', 'key': 'a', 'value': 'd', 'weights': 'a', 'scaling': 'd', 'self_attention': 'b', 'cross_attention': 'c', 'masked_attention': 'a', 'multi_head': 'd', 'cost': '', 'mask_meaning': 'b', 'what_changes': 'd', 'what_stays': 'a', 'worked_softmax': 'b', 'worked_attention': 'c'}
