"""The exercises in the order in which they are taught, for the board at the end of a run.

Written by `autograder build` from the course list; do not edit.
"""

from __future__ import annotations

from .language import Text

TITLES: dict[str, Text] = {
    "softmax": Text("A softmax that never overflows", "不会溢出的 softmax"),
    "attention": Text("Scaled dot-product attention", "缩放点积注意力"),
    "masking": Text("Masks: the future and the padding", "掩码：未来与填充"),
    "self_attention": Text("Self-attention with learned projections", "带投影矩阵的自注意力"),
    "multi_head": Text("Multi-head attention", "多头注意力"),
    "patterns": Text("Reading attention patterns", "读懂注意力模式"),
}
