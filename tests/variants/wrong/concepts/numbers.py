"""Numbers for letters."""

import numpy as np

ANSWERS = {'bottleneck': 3, 'query': 2, 'key': 1, 'value': 4, 'weights': 1, 'scaling': 4, 'self_attention': 2, 'cross_attention': 3, 'masked_attention': 1, 'multi_head': 4, 'cost': 3, 'mask_meaning': 2, 'what_changes': 4, 'what_stays': 1, 'worked_softmax': 2, 'worked_attention': 3}
