"""Letters as NumPy strings."""

import numpy as np

ANSWERS = {k: str(v) for k, v in zip(['bottleneck', 'query', 'key', 'value', 'weights', 'scaling', 'self_attention', 'cross_attention', 'masked_attention', 'multi_head', 'cost', 'mask_meaning', 'what_changes', 'what_stays', 'worked_softmax', 'worked_attention'], np.array(list("cbadadbcadcbdabc")))}
