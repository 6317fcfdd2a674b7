"""The same numbers as PyTorch: your multi-head attention with the parameters of an nn.MultiheadAttention."""

from collections.abc import Mapping

import numpy as np

from solutions.masking import masked_attention
from solutions.multi_head import concat_heads, split_heads


def multi_head_from_torch(
    X: np.ndarray, state: Mapping[str, np.ndarray], n_heads: int, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Self-attention as torch.nn.MultiheadAttention(d_model, n_heads, batch_first=True) computes it, in NumPy.

    X: (..., n, d_model), with any number of leading axes, also none.
    state: the module's parameters as arrays, by the names of its state_dict():
        "in_proj_weight": (3*d_model, d_model), the matrices for queries, keys and values, one below the other;
        "in_proj_bias": (3*d_model,), their biases in the same order;
        "out_proj.weight": (d_model, d_model). "out_proj.bias": (d_model,).
        PyTorch stores a matrix as (out, in) and computes x W^T + b.
    n_heads: divides d_model; head h has the features h*d_head to (h+1)*d_head - 1.
    mask: broadcasts to (..., n, n), like (n, n) or (batch, 1, n); bool or integers 0 and 1. It has no head axis, and True (1) = MAY
        ATTEND, as everywhere in this course. PyTorch's module wants the opposite of it as `attn_mask`, where True = blocked.
    Returns: (output, weights), floats. output: (..., n, d_model). weights: (..., n, n), the mean of the heads' weights,
        which is what the module returns by default. Every token may attend to one at least. Scores up to ±1e4 are handled
        without NaN. No argument is modified.

    Example: with all parameters 0 but the biases, every token attends evenly, and the output is a bias whatever X is.

    >>> state = {"in_proj_weight": np.zeros((6, 2)), "in_proj_bias": np.array([0.0, 0.0, 0.0, 0.0, 1.0, 2.0]),
    ...          "out_proj.weight": np.array([[1.0, 1.0], [0.0, 3.0]]), "out_proj.bias": np.array([0.5, 0.0])}
    >>> output, weights = multi_head_from_torch(np.ones((3, 2)), state, n_heads=2)
    >>> output
    array([[3.5, 6. ],
           [3.5, 6. ],
           [3.5, 6. ]])
    >>> weights.round(3)[0]
    array([0.333, 0.333, 0.333])

    Source: torch.nn.MultiheadAttention and torch.nn.functional.multi_head_attention_forward, PyTorch 2.
    """
    # TODO 1: cut the packed weight and the packed bias into those of the queries, the keys and the values.
    # TODO 2: three projections, each with its bias, in the (out, in) convention.
    # TODO 3: split into heads, attend with the mask, concatenate: you have all three. `multi_head_attention` itself knows
    #         no biases. The mask again needs an axis for the heads.
    # TODO 4: the output projection, with its bias, and the mean of the weights over the heads' axis.
    ### BEGIN SOLUTION
    matrices = np.split(state["in_proj_weight"], 3)
    biases = np.split(state["in_proj_bias"], 3)
    Q, K, V = (split_heads(X @ W.T + b, n_heads) for W, b in zip(matrices, biases, strict=True))
    if mask is not None:
        mask = np.expand_dims(mask, -3)
    per_head, weights = masked_attention(Q, K, V, mask)
    output = concat_heads(per_head) @ state["out_proj.weight"].T + state["out_proj.bias"]
    return output, weights.mean(axis=-3)
    ### END SOLUTION
