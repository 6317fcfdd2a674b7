"""Writes autograder/hidden/data/torch_parity.npz: what the real torch.nn.MultiheadAttention returns for drawn inputs.

Run by hand where PyTorch is installed: `pip install torch`, then `python tools/make_torch_parity.py`. The grader of exercise
`torch_parity` and tests/test_torch_parity.py read the file; nothing of the kit needs PyTorch itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

FILE = Path(__file__).resolve().parents[1] / "autograder" / "hidden" / "data" / "torch_parity.npz"
SEED = 20170612  # the day of "Attention Is All You Need"
STATE = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")


@dataclass(frozen=True)
class Case:
    """One call: X (n, d_model) or (batch, n, d_model), the module's parameters, and a mask in this kit's polarity, True = may attend.

    mask: (n, n), (batch, 1, n), (batch, n, n) or None; every query may attend to something.
    """

    n_heads: int
    X: np.ndarray
    state: dict[str, np.ndarray]
    mask: np.ndarray | None


def draw_cases() -> list[Case]:
    """The inputs, the same in every run: several sizes, biases that are not 0, with and without a batch and a mask."""
    rng = np.random.default_rng(SEED)
    sizes = [  # leading axes, n, d_model, n_heads, mask
        ((), 5, 6, 2, None),
        ((), 7, 12, 4, "causal"),
        ((3,), 4, 8, 1, None),
        ((2,), 6, 9, 3, "causal"),
        ((4,), 5, 6, 3, "padding"),
        ((3,), 7, 10, 5, "per sentence"),
        ((2,), 2, 4, 2, "padding"),  # batch, n, n_heads and d_head alike
        ((3,), 3, 9, 3, "per sentence"),
    ]
    return [_draw(rng, *size) for size in sizes]


def _draw(rng: np.random.Generator, leading: tuple[int, ...], n: int, d_model: int, n_heads: int, kind: str | None) -> Case:
    state = {
        "in_proj_weight": rng.normal(size=(3 * d_model, d_model)) / np.sqrt(d_model),
        "in_proj_bias": rng.normal(size=3 * d_model),
        "out_proj.weight": rng.normal(size=(d_model, d_model)) / np.sqrt(d_model),
        "out_proj.bias": rng.normal(size=d_model),
    }
    mask = None
    if kind == "causal":
        mask = np.tri(n, dtype=bool)
    elif kind == "padding":
        mask = np.arange(n) < rng.integers(1, n + 1, size=leading)[:, np.newaxis, np.newaxis]
        mask[0, 0, 1:] = False
    elif kind == "per sentence":
        mask = (rng.random((*leading, n, n)) < 0.5) | np.eye(n, dtype=bool)
    return Case(n_heads, 1.5 * rng.normal(size=(*leading, n, d_model)), state, mask)


def run(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Output and weights of the real module, in float64. Raises ImportError without PyTorch."""
    import torch

    def blocked(mask: np.ndarray) -> torch.Tensor:  # the module's polarity: True = may not attend
        return torch.from_numpy(~mask)

    module = torch.nn.MultiheadAttention(case.X.shape[-1], case.n_heads, batch_first=True, dtype=torch.float64)
    module.load_state_dict({name: torch.from_numpy(case.state[name]) for name in STATE})
    options = {}
    if case.mask is not None and case.mask.ndim == 2:
        options["attn_mask"] = blocked(case.mask)
    elif case.mask is not None and case.mask.shape[1] == 1:
        options["key_padding_mask"] = blocked(case.mask[:, 0])
    elif case.mask is not None:  # (batch * n_heads, n, n), the heads of one sentence next to each other
        options["attn_mask"] = blocked(np.repeat(case.mask, case.n_heads, axis=0))
    X = torch.from_numpy(case.X)
    with torch.no_grad():
        output, weights = module.eval()(X, X, X, **options)
    return output.numpy(), weights.numpy()


def main() -> None:
    """Write the file."""
    import torch

    arrays: dict[str, np.ndarray] = {"torch": np.array(torch.__version__)}
    for i, case in enumerate(draw_cases()):
        output, weights = run(case)
        arrays |= {f"{i}/{name}": case.state[name] for name in STATE}
        arrays |= {f"{i}/n_heads": np.array(case.n_heads), f"{i}/X": case.X, f"{i}/output": output, f"{i}/weights": weights}
        if case.mask is not None:
            arrays[f"{i}/mask"] = case.mask
    FILE.parent.mkdir(exist_ok=True)
    np.savez_compressed(FILE, **arrays)
    print(f"{FILE.name}: {len(draw_cases())} cases, {FILE.stat().st_size} bytes, PyTorch {torch.__version__}")


if __name__ == "__main__":
    main()
