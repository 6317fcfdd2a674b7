"""dict() with keywords, made by a function."""

import numpy as np

def mine():
    return dict(bottleneck="c", query="b", key="a", value="d", weights="a", scaling="d", self_attention="b", cross_attention="c", masked_attention="a", multi_head="d", cost="c", mask_meaning="b", what_changes="d", what_stays="a", worked_softmax="b", worked_attention="c")


ANSWERS = mine()
