"""a everywhere."""

import numpy as np

ANSWERS = {'bottleneck': 'a', 'query': 'a', 'key': 'a', 'value': 'a', 'weights': 'a', 'scaling': 'a', 'self_attention': 'a', 'cross_attention': 'a', 'masked_attention': 'a', 'multi_head': 'a', 'cost': 'a', 'mask_meaning': 'a', 'what_changes': 'a', 'what_stays': 'a', 'worked_softmax': 'a', 'worked_attention': 'a'}
