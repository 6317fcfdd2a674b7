"""Exercise `torch_parity` promises PyTorch's numbers: the stored ones are what its script makes, and the reference gives them."""

from __future__ import annotations

import numpy as np
import pytest

from solutions.torch_parity import multi_head_from_torch
from tools.make_torch_parity import FILE, STATE, Case, draw_cases, run

CASES = list(enumerate(draw_cases()))


def stored(i: int) -> dict[str, np.ndarray]:
    with np.load(FILE) as arrays:
        return {name.partition("/")[2]: arrays[name] for name in arrays.files if name.startswith(f"{i}/")}


def test_the_cases_differ_in_what_matters():
    cases = [case for _, case in CASES]
    assert {case.X.ndim for case in cases} == {2, 3}
    assert {None if case.mask is None else case.mask.ndim for case in cases} == {None, 2, 3}
    assert len({case.X.shape for case in cases}) == len(cases)
    assert all(np.all(case.state["in_proj_bias"] != 0) and np.all(case.state["out_proj.bias"] != 0) for case in cases)
    assert all(case.mask.any(axis=-1).all() and not case.mask.all() for case in cases if case.mask is not None)


@pytest.mark.parametrize(("i", "case"), CASES)
def test_the_stored_inputs_are_those_that_the_script_draws(i: int, case: Case):
    facts = stored(i)
    assert facts["n_heads"] == case.n_heads
    assert np.array_equal(facts["X"], case.X)
    assert all(np.array_equal(facts[name], case.state[name]) for name in STATE)
    assert ("mask" in facts) == (case.mask is not None)
    assert case.mask is None or np.array_equal(facts["mask"], case.mask)


@pytest.mark.parametrize(("i", "case"), CASES)
def test_the_reference_gives_the_stored_numbers(i: int, case: Case):
    facts = stored(i)
    output, weights = multi_head_from_torch(case.X, case.state, case.n_heads, case.mask)
    np.testing.assert_allclose(output, facts["output"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights, facts["weights"], rtol=0, atol=1e-12)


@pytest.mark.parametrize(("i", "case"), CASES)
def test_pytorch_gives_the_stored_numbers_again(i: int, case: Case):
    pytest.importorskip("torch", reason="PyTorch is not installed here; the numbers that it gave once are in the data file")
    facts = stored(i)
    output, weights = run(case)
    np.testing.assert_allclose(output, facts["output"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights, facts["weights"], rtol=0, atol=1e-12)
