"""All letters at once."""

import numpy as np

ANSWERS = {'bottleneck': 'abcd', 'query': 'abcd', 'key': 'abcd', 'value': 'abcd', 'weights': 'abcd', 'scaling': 'abcd', 'self_attention': 'abcd', 'cross_attention': 'abcd', 'masked_attention': 'abcd', 'multi_head': 'abcd', 'cost': 'abcd', 'mask_meaning': 'abcd', 'what_changes': 'abcd', 'what_stays': 'abcd', 'worked_softmax': 'abcd', 'worked_attention': 'abcd'}
