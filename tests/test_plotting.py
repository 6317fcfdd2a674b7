"""The pictures of exercises/plotting.py: what they show, and what becomes of labels that no font can draw."""

from __future__ import annotations

import subprocess
import sys
import warnings
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from exercises import plotting

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # after the choice of the backend

WEIGHTS = np.array([[0.1, 0.2, 0.7], [0.5, 0.25, 0.25]])
QUERIES, KEYS = ["deep", "learning"], ["我", "深度", "ok"]


@pytest.fixture(autouse=True)
def nothing_is_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(plt, "show", lambda *args, **kwargs: pytest.fail("plt.show was called"))
    yield
    assert plt.get_fignums() == [], "a notebook would show the figure twice"


@pytest.fixture
def fonts(monkeypatch: pytest.MonkeyPatch):
    """Pretend that these fonts are installed, each with these characters besides ASCII; nothing is remembered."""

    def pretend(**characters: str) -> None:
        ascii_too = {name.replace("_", " "): frozenset(text) | set(map(chr, range(128))) | {"□", "−"} for name, text in characters.items()}
        monkeypatch.setattr(plotting, "_files", lambda: dict.fromkeys(ascii_too, ""))
        monkeypatch.setattr(plotting, "_characters_of", lambda family: ascii_too.get(family, ascii_too["DejaVu Sans"]))
        plotting._fonts_for.cache_clear()
        plotting._say_once.cache_clear()

    yield pretend
    plotting._fonts_for.cache_clear()
    plotting._say_once.cache_clear()


def matrices(figure):
    """The matrices in a figure, from left to right and from top to bottom, each with its axes."""
    return [(axes, np.asarray(axes.images[0].get_array())) for axes in figure.axes if axes.images]


def labels(axis):
    return [label.get_text() for label in axis.get_ticklabels()]


def test_one_matrix_has_the_queries_as_rows_and_the_keys_as_columns(tmp_path: Path):
    figure = plotting.draw_attention(WEIGHTS, QUERIES, ["a", "b", "c"], title="where they look")
    [(axes, shown)] = matrices(figure)
    assert np.array_equal(shown, WEIGHTS)
    assert (labels(axes.yaxis), labels(axes.xaxis)) == (QUERIES, ["a", "b", "c"])
    assert axes.images[0].get_clim() == (0.0, 0.7)
    assert axes.get_title() == "where they look"
    assert sorted(text.get_text() for text in axes.texts) == sorted(f"{w:.2f}" for w in WEIGHTS.ravel())
    figure.savefig(tmp_path / "one.png")
    assert (tmp_path / "one.png").stat().st_size > 5000


def test_the_keys_are_the_queries_where_none_are_given():
    [(axes, _)] = matrices(plotting.draw_attention(np.eye(2), QUERIES))
    assert labels(axes.xaxis) == QUERIES


def test_a_matrix_of_zeros_can_be_drawn():
    [(axes, _)] = matrices(plotting.draw_attention(np.zeros((2, 2)), QUERIES))
    assert axes.images[0].get_clim() == (0.0, 1.0)


def test_the_difference_is_the_second_less_the_first_and_zero_is_in_the_middle():
    a, b = np.array([[0.9, 0.1], [0.5, 0.5]]), np.array([[0.6, 0.4], [0.5, 0.5]])
    figure = plotting.draw_difference(a, b, ["the", "cat"], ["the", "dog"], titles=("cat", "dog"))
    (first, shown_a), (second, shown_b), (third, difference) = matrices(figure)
    assert np.array_equal(shown_a, a)
    assert np.array_equal(shown_b, b)
    assert np.allclose(difference, [[-0.3, 0.3], [0.0, 0.0]])
    assert first.images[0].get_clim() == second.images[0].get_clim() == (0.0, 0.9)
    assert np.allclose(third.images[0].get_clim(), (-0.3, 0.3))
    assert labels(third.xaxis) == ["the", "cat/dog"]


@pytest.mark.parametrize("n_heads", [1, 2, 5, 6, 8])
def test_all_heads_are_on_one_scale(n_heads: int):
    weights = np.random.default_rng(0).dirichlet(np.ones(3), size=(n_heads, 2))
    shown = matrices(plotting.draw_heads(weights, QUERIES, ["a", "b", "c"], title="heads"))
    assert [axes.get_title() for axes, _ in shown] == [f"head {h}" for h in range(n_heads)]
    assert np.array_equal([matrix for _, matrix in shown], weights)
    assert {axes.images[0].get_clim() for axes, _ in shown} == {(0.0, weights.max())}


def test_a_font_that_has_the_characters_is_found(fonts):
    fonts(DejaVu_Sans="", SimHei="我", Unknown_Hei="深度学习")
    [(axes, _)] = matrices(plotting.draw_attention(WEIGHTS, QUERIES, KEYS, title="深度"))
    assert labels(axes.xaxis) == KEYS
    assert axes.get_title() == "深度"
    for label in [*axes.get_xticklabels(), axes.title]:
        assert label.get_fontfamily()[-2:] == ["SimHei", "Unknown Hei"]


def test_the_usual_font_is_kept_where_it_is_enough(fonts):
    fonts(DejaVu_Sans="é", SimHei="我深度é")
    [(axes, _)] = matrices(plotting.draw_attention(np.eye(2), ["café", "x"]))
    assert axes.get_xticklabels()[0].get_fontfamily() == list(matplotlib.rcParams["font.family"])


def test_labels_that_no_font_has_show_their_position_and_it_is_said_once(fonts, tmp_path: Path):
    fonts(DejaVu_Sans="")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        figure = plotting.draw_attention(WEIGHTS, QUERIES, KEYS, title="深度 deep")
        heads = plotting.draw_heads(WEIGHTS[np.newaxis], QUERIES, KEYS)
        figure.savefig(tmp_path / "one.png")  # matplotlib itself warns of every glyph that is missing
        heads.savefig(tmp_path / "heads.png")
    for drawn in (figure, heads):
        [(axes, _)] = matrices(drawn)
        assert labels(axes.xaxis) == ["#1", "#2", "ok"]
        assert labels(axes.yaxis) == QUERIES
        assert "#1 is the first token" in drawn.get_supxlabel()
    assert matrices(figure)[0][0].get_title() == "□□ deep"
    [warning] = told
    assert "Noto Sans CJK" in str(warning.message)
    assert "字体" in str(warning.message)
    assert warning.filename == __file__


def test_a_font_of_mere_frames_is_no_font(fonts):
    fonts(DejaVu_Sans="", **{"Last Resort High-Efficiency": "我深度学习"})
    with pytest.warns(UserWarning, match="Noto Sans CJK"):
        [(axes, _)] = matrices(plotting.draw_attention(WEIGHTS, QUERIES, KEYS))
    assert labels(axes.xaxis) == ["#1", "#2", "ok"]


def test_no_difference_has_a_minus_sign_before_nothing():
    figure = plotting.draw_difference(np.array([[0.501, 0.499], [0.5, 0.5]]), np.array([[0.5, 0.5], [0.25, 0.75]]), ["a", "b"])
    assert sorted(text.get_text() for text in matrices(figure)[-1][0].texts) == ["-0.25", "0.00", "0.00", "0.25"]


def test_the_fonts_of_this_machine_are_read():
    families, missing = plotting._fonts_for(frozenset("abc" + chr(0xE000)))  # a private character, which no text font has
    assert families[0] == matplotlib.rcParams["font.family"][0]
    assert "a" not in missing


@pytest.mark.parametrize(
    ("draw", "says"),
    [
        (lambda: plotting.draw_attention(WEIGHTS, ["a"], ["b", "c", "d"]), "1 query tokens"),
        (lambda: plotting.draw_attention(WEIGHTS[np.newaxis], QUERIES, KEYS), "one sentence, one head"),
        (lambda: plotting.draw_heads(WEIGHTS, QUERIES, KEYS), "n_heads"),
        (lambda: plotting.draw_difference(np.eye(2), np.eye(3), ["a", "b"], ["a", "b", "c"]), "one size"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(draw, says: str):
    with pytest.raises(ValueError, match=says):
        draw()


def test_without_matplotlib_it_imports_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    code = "import sys; import exercises.plotting; sys.exit('matplotlib' in sys.modules)"
    root = Path(plotting.__file__).resolve().parents[1]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        plotting.draw_attention(WEIGHTS, QUERIES, ["a", "b", "c"])
