"""Every answer belongs to the next question."""

import numpy as np

ANSWERS = {'bottleneck': 'b', 'query': 'c', 'key': 'b', 'value': 'a', 'weights': 'd', 'scaling': 'a', 'self_attention': 'd', 'cross_attention': 'b', 'masked_attention': 'c', 'multi_head': 'a', 'cost': 'd', 'mask_meaning': 'c', 'what_changes': 'b', 'what_stays': 'd', 'worked_softmax': 'a', 'worked_attention': 'b'}
