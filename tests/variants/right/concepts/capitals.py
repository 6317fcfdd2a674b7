"""Capital letters and blanks."""

import numpy as np

ANSWERS = {'bottleneck': ' C ', 'query': ' B ', 'key': ' A ', 'value': ' D ', 'weights': ' A ', 'scaling': ' D ', 'self_attention': ' B ', 'cross_attention': ' C ', 'masked_attention': ' A ', 'multi_head': ' D ', 'cost': ' C ', 'mask_meaning': ' B ', 'what_changes': ' D ', 'what_stays': ' A ', 'worked_softmax': ' B ', 'worked_attention': ' C '}
