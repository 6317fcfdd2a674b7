"""Full-width letters of a Chinese keyboard."""

import numpy as np

ANSWERS = {'bottleneck': 'ｃ\u3000', 'query': 'ｂ\u3000', 'key': 'ａ\u3000', 'value': 'ｄ\u3000', 'weights': 'ａ\u3000', 'scaling': 'ｄ\u3000', 'self_attention': 'ｂ\u3000', 'cross_attention': 'ｃ\u3000', 'masked_attention': 'ａ\u3000', 'multi_head': 'ｄ\u3000', 'cost': 'ｃ\u3000', 'mask_meaning': 'ｂ\u3000', 'what_changes': 'ｄ\u3000', 'what_stays': 'ａ\u3000', 'worked_softmax': 'ｂ\u3000', 'worked_attention': 'ｃ\u3000'}
