"""d everywhere."""

import numpy as np

ANSWERS = {'bottleneck': 'd', 'query': 'd', 'key': 'd', 'value': 'd', 'weights': 'd', 'scaling': 'd', 'self_attention': 'd', 'cross_attention': 'd', 'masked_attention': 'd', 'multi_head': 'd', 'cost': 'd', 'mask_meaning': 'd', 'what_changes': 'd', 'what_stays': 'd', 'worked_softmax': 'd', 'worked_attention': 'd'}
