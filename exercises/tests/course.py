"""The exercises in the order in which they are taught, for the board at the end of a run, and the lesson's section on each.

Written by `autograder build` from the course list and the notebooks; do not edit.
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

SECTIONS: dict[str, Text] = {
    "softmax": Text("1 Softmax: from scores to weights", "1 softmax：从分数到权重"),
    "attention": Text("2 Scaled dot-product attention", "2 缩放点积注意力"),
    "scaling": Text("3 Why the scores are scaled", "3 为什么要缩放"),
    "masking": Text("4 Masks: what a query must not see", "4 掩码：查询不能看的东西"),
    "self_attention": Text("5 Self-attention", "5 自注意力"),
    "multi_head": Text("6 Multi-head attention", "6 多头注意力"),
    "patterns": Text("7 Reading attention patterns", "7 读懂注意力模式"),
    "heatmap": Text("8 A heatmap for the terminal", "8 终端里的热力图"),
    "seq2seq": Text("9 Translation with attention", "9 带注意力的翻译模型"),
    "pooling": Text("10 Attention pooling", "10 注意力池化"),
    "torch_parity": Text("11 The same numbers as PyTorch", "11 与 PyTorch 结果一致"),
    "concepts": Text("12 What have you understood?", "12 你真的懂了吗？"),
    "kv_cache": Text("13 A key-value cache", "13 键值缓存"),
    "blockwise": Text("14 Blockwise attention", "14 分块注意力"),
    "backward": Text("15 The gradients of attention", "15 注意力的梯度"),
}
