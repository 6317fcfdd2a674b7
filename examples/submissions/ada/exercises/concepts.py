"""Item by item, as in the stub."""

import numpy as np

ANSWERS: dict[str, str] = {}
ANSWERS["bottleneck"] = "c"
ANSWERS["query"] = "b"
ANSWERS["key"] = "a"
ANSWERS["value"] = "d"
ANSWERS["weights"] = "a"
ANSWERS["scaling"] = "d"
ANSWERS["self_attention"] = "b"
ANSWERS["cross_attention"] = "c"
ANSWERS["masked_attention"] = "a"
ANSWERS["multi_head"] = "d"
ANSWERS["cost"] = "c"
ANSWERS["mask_meaning"] = "b"
ANSWERS["what_changes"] = "d"
ANSWERS["what_stays"] = "a"
ANSWERS["worked_softmax"] = "b"
ANSWERS["worked_attention"] = "c"
