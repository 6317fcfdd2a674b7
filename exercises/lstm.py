"""Provided, not an exercise: one LSTM cell, which reads a sequence one step at a time.

Exercise `seq2seq` builds its encoder and its decoder from it. Nothing is to be written here; when your work is
graded, the kit's own copy of this file is used.
"""

from __future__ import annotations

import numpy as np


class LSTMCell:
    """A long short-term memory cell: new state (h, c) from an input x and the old state.

    input_size: the width of x. hidden_size: the width of the state, of h and of c alike.
    seed: the same seed gives the same start weights, another seed gives others.

    Attributes, plain arrays that a caller may read and replace at any time:
        W: (input_size + hidden_size, 4*hidden_size), its rows for x first, then those for h.
        b: (4*hidden_size,).
        The columns of both belong to the gates in the order input, forget, candidate, output.

    Source: Hochreiter & Schmidhuber 1997, with the forget gate of Gers et al. 2000; the same as torch.nn.LSTMCell, whose
    two weight matrices and two biases are joined here.
    """

    def __init__(self, input_size: int, hidden_size: int, seed: int = 0):
        """Small random weights, and biases 0 but for the forget gate: 1, so that a fresh cell remembers."""
        bound = 1.0 / np.sqrt(hidden_size)
        self.W = np.random.default_rng(seed).uniform(-bound, bound, size=(input_size + hidden_size, 4 * hidden_size))
        self.b = np.zeros(4 * hidden_size)
        self.b[hidden_size : 2 * hidden_size] = 1.0

    def forward(self, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """One step: the new state after reading x.

        x: (..., input_size), the input of this step.
        h, c: (..., hidden_size), the state after the step before: h is what the cell shows, c what it remembers.
        Returns: (h, c), both (..., hidden_size). The arguments are not modified.

        Example: with weights and biases 0 every gate is half open and the candidate is 0, so half of c is kept.

        >>> cell = LSTMCell(input_size=3, hidden_size=1)
        >>> cell.W, cell.b = np.zeros((4, 4)), np.zeros(4)
        >>> h, c = cell.forward(np.ones(3), h=np.zeros(1), c=np.ones(1))
        >>> h.round(3), c.round(3)
        (array([0.231]), array([0.5]))
        """
        gates = np.concatenate([x, h], axis=-1) @ self.W + self.b
        write, keep, candidate, show = np.split(gates, 4, axis=-1)
        c = _sigmoid(keep) * c + _sigmoid(write) * np.tanh(candidate)
        return _sigmoid(show) * np.tanh(c), c


def _sigmoid(z: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-z)), written with tanh because exp(1000) overflows."""
    return (1.0 + np.tanh(z / 2.0)) / 2.0
