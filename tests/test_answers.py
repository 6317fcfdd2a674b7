"""What the grader answers to code in the jail: earlier exercises as the reference has them, at the sizes of the course and no larger."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from autograder.course import find
from autograder.grading.answers import Answers
from autograder.grading.conversation import Refused
from autograder.grading.grader import Grader
from autograder.grading.reference import reference
from autograder.inside import wire
from autograder.limits import DEFAULT
from tests.conftest import submission

BOUNDS = wire.Bounds(DEFAULT.answer, DEFAULT.depth, DEFAULT.containers)
zeros = np.zeros
SDPA, CAUSAL, PADDING = "attention.scaled_dot_product_attention", "masking.causal_mask", "masking.padding_mask"
FORWARD, MULTI_HEAD = "self_attention.SelfAttention.forward", "multi_head.multi_head_attention"
SQUARE = {name: zeros((4, 4)) for name in ("W_Q", "W_K", "W_V")}


def ask(what: Any, *args: Any, **kwargs: Any) -> Any:
    """The answer that the last exercise which builds on all of these gets."""
    answer = Answers(find("torch_parity"), BOUNDS).during({})(wire.encode([what, args, kwargs]))
    return wire.decode(answer, BOUNDS)


TOO_LARGE = {
    "batches that broadcast": (SDPA, zeros((256, 1, 256, 1)), zeros((1, 256, 256, 1)), zeros((1, 1, 256, 1))),
    "many long sentences": (SDPA, *[zeros((64, 1024, 1))] * 3),
    "lists that broadcast": (SDPA, zeros((40, 1, 200, 1)).tolist(), zeros((40, 200, 1)), zeros((200, 1))),
    "one huge array": ("softmax.softmax", zeros(1 << 17)),
    "one long axis": ("softmax.softmax", zeros((1, 2000))),
    "a long list": ("softmax.softmax", [0.0] * 2000),
    "a long text": ("softmax.softmax", "1" * 2000),
    "a huge count": (CAUSAL, 10**9),
    "a count beyond 64 bits": (CAUSAL, 2**200),
    "a float as a count": (CAUSAL, 1e9),
    "infinity as a count": (CAUSAL, float("inf")),
    "NaN as a count": (CAUSAL, float("nan")),
    "an array as a count": (CAUSAL, 5, np.array(10**6)),
    "an array of one number as a count": (CAUSAL, np.array([10**6])),
    "a NumPy number as a count": (CAUSAL, np.float64(1e8)),
    "a count by keyword": (PADDING, [1, 2]),
    "wide weights": ("self_attention.SelfAttention", 1024, 1024, 10**6),
    "an object with other weights": (FORWARD, {**SQUARE, "W_Q": zeros((200, 1, 4, 1)), "W_K": zeros((200, 4, 1))}, (zeros((2, 64, 4)),)),
    "many heads": (MULTI_HEAD, zeros((2, 256, 64)), 64, *[zeros((64, 64))] * 4),
}


@pytest.mark.parametrize("question", TOO_LARGE.values(), ids=TOO_LARGE)
def test_a_question_that_would_cost_the_grader_much_is_refused(question: tuple[Any, ...]) -> None:
    kwargs = {"n_k": 10**9} if question[0] == PADDING else {}
    start = time.monotonic()
    with pytest.raises(Refused) as refused:
        ask(*question, **kwargs)
    assert time.monotonic() - start < 0.5
    assert refused.value.kind == "ValueError"
    assert "too large" in refused.value.text


ORDINARY = {
    "a batch": (SDPA, *[zeros((4, 8, 12, 16))] * 3),
    "large scores in an array of one": ("softmax.softmax", np.array([8192.0])),
    "large integers in a list": ("softmax.softmax", [2000, 1]),
    "an axis": ("softmax.softmax", zeros((3, 3, 3)), 2),
    "wide weights": ("self_attention.SelfAttention", 64, 170, 320, 64),
    "a long mask": (CAUSAL, 500, 600),
    "a seed of any size": ("self_attention.SelfAttention", 4, 4, 4, None, 2**40),
    "many heads": (MULTI_HEAD, zeros((3, 20, 32)), 8, *[zeros((32, 32))] * 4),
    "a list of matrices": ("multi_head.fuse_heads", [zeros((6, 2))] * 3),
    "a list of lengths": (PADDING, [3, 1], 4),
}


@pytest.mark.parametrize("question", ORDINARY.values(), ids=ORDINARY)
def test_a_question_of_ordinary_size_is_answered(question: tuple[Any, ...]) -> None:
    ask(*question)


def test_methods_of_an_earlier_class_answer_as_the_reference_does(rng: np.random.Generator) -> None:
    model = reference().SelfAttention(5, 4, 3)
    X, mask = rng.normal(size=(2, 6, 5)), reference().causal_mask(6)
    for args, kwargs in (((X,), {}), ((X, mask), {}), ((), {"X": X, "mask": mask})):
        result, state = ask(FORWARD, dict(vars(model)), args, **kwargs)
        for got, want in zip(result, model.forward(*args, **kwargs), strict=True):
            np.testing.assert_array_equal(got, want)
        assert state.keys() == vars(model).keys()


def test_an_earlier_class_works_in_the_jail(grader: Grader) -> None:
    code = """
        import numpy as np
        from exercises.self_attention import SelfAttention

        model = SelfAttention(3, 2, 2)
        output, weights = model.forward(np.ones((4, 3)))
        again, _ = model.forward(X=np.ones((4, 3)), mask=np.ones((4, 4), dtype=bool))
        assert output.shape == (4, 2) and np.allclose(weights, 0.25) and np.allclose(again, output)
        model.W_V = np.zeros((3, 2))
        assert not model.forward(np.ones((4, 3)))[0].any()


        def attention_entropy(weights):
            raise LookupError
        """
    source = "\n".join(line.removeprefix("        ") for line in code.splitlines())
    report = grader.grade(submission({"patterns.py": source}), 3, exercises=["patterns"])
    entropy = next(test for test in report.exercises[0].tests if test.id == "entropy")
    assert "LookupError" in entropy.message, entropy.message  # the module was imported, so all that it asserts held


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)
