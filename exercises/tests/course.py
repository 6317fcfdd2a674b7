"""The exercises in the order in which they are taught, for the board at the end of a run.

Written by `autograder build` from the course list; do not edit.
"""

from __future__ import annotations

from .language import Text

TITLES: dict[str, Text] = {
    "softmax": Text("A softmax that never overflows", "不会溢出的 softmax"),
    "attention": Text("Scaled dot-product attention", "缩放点积注意力"),
    "scaling": Text("Why the scores are scaled", "为什么要缩放"),
    "masking": Text("Masks: the future and the padding", "掩码：未来与填充"),
    "self_attention": Text("Self-attention with learned projections", "带投影矩阵的自注意力"),
    "multi_head": Text("Multi-head attention", "多头注意力"),
    "patterns": Text("Reading attention patterns", "读懂注意力模式"),
    "heatmap": Text("A heatmap for the terminal", "终端里的热力图"),
    "seq2seq": Text("Translation with attention", "带注意力的翻译模型"),
    "pooling": Text("Attention pooling", "注意力池化"),
    "torch_parity": Text("The same numbers as PyTorch", "与 PyTorch 结果一致"),
    "concepts": Text("Questions on the whole", "概念问答"),
    "kv_cache": Text("A key-value cache", "键值缓存"),
    "blockwise": Text("Blockwise attention for long sequences", "长序列的分块注意力"),
    "backward": Text("The gradients of attention", "注意力的梯度"),
}
