"""b everywhere."""

import numpy as np

ANSWERS = {'bottleneck': 'b', 'query': 'b', 'key': 'b', 'value': 'b', 'weights': 'b', 'scaling': 'b', 'self_attention': 'b', 'cross_attention': 'b', 'masked_attention': 'b', 'multi_head': 'b', 'cost': 'b', 'mask_meaning': 'b', 'what_changes': 'b', 'what_stays': 'b', 'worked_softmax': 'b', 'worked_attention': 'b'}
