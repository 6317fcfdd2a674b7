"""Magics, shell escapes and help requests come out of a cell; every other line stays as it was, at its number."""

from __future__ import annotations

import ast
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.submissions.magics import without_magics


def plain(source):
    after, count = without_magics(source)
    assert after.count("\n") == source.count("\n")
    return after, count


@pytest.mark.parametrize(
    ("source", "after"),
    [
        ("%matplotlib inline\nx = 1", "pass\nx = 1"),
        ("!pip install numpy\nx = 1", "pass\nx = 1"),
        ("%load_ext autoreload\n%autoreload 2", "pass\npass"),
        ("pip install numpy\nx = 1", "pass\nx = 1"),
        ("?softmax\nsoftmax?\nsoftmax??  # help", "pass\npass\npass"),
        ("files = !ls *.py", "files = None"),
        ("t = %time f(2)", "t = None"),
        ("a, b = %foo", "a, b = None"),
        ("d[0] = !ls", "d[0] = None"),
        ("if x:\n    %time f()\nelse:\n    !ls", "if x:\n    pass\nelse:\n    pass"),
        ("!pip install \\\n   numpy \\\n   scipy\nx = 1", "pass\n\n\nx = 1"),
        ("!echo 'it\nx = 1", "pass\nx = 1"),
        ("%%time\nx = 1", "\nx = 1"),
        ("%%capture out\n%%timeit -n 3\nx = 1", "\n\nx = 1"),
        ("\n%%time\nx = 1", "\n\nx = 1"),
        ("    x = 1\n    y = 2", "x = 1\ny = 2"),
        ("%%bash\nrm -rf /\nls", "\n\n"),
        ("%%writefile helpers.py\ndef f(): pass", "\n"),
        ("%%unknown\nx = 1", "\n"),
        ("await f()\nx = 1", "pass\nx = 1"),
        ("x = await f(\n    1,\n)  # wait\ny = 2", "x = None\n\n\ny = 2"),
        ("a, b = await f()", "pass"),
    ],
)
def test_what_is_no_python_is_taken_out(source, after):
    got, count = plain(source)
    assert got == after
    assert count >= 1 or source.startswith("    ")


@pytest.mark.parametrize(
    "source",
    [
        "text = '''\n%not a magic\n!nor this\nwhat?\n'''",
        'text = """\n%%time\n"""\nx = 1',
        "x = 7 % 3\nx %= 2\ny = x != 3",
        "z = (a\n% b)",
        "z = a \\\n  % b",
        "s = 'a\\\n% b'\nx = 1",
        "s = 'really?'\nprint('%d' % 3)  # is it?",
        "f(fmt='%s')\ng(a=1)",
        "pip = 3\nprint(pip)",
        "# = !ls\nx = 1  # y = %time",
        "@decorator\ndef f(x):\n    return f'{x!r}?'",
        "x = {\n  'a': 1,\n}\n",
        r"s = '\''" + "\nt = '%' + \"!\"",
        "async def f():\n    await g()\n    x = await g()",
        'text = """\nawait f()\n"""',
        "awaited = 1\nx = awaited",
        "",
        "\n\n",
    ],
)
def test_python_stays_as_it_is(source):
    assert plain(source) == (source, 0)


@given(st.text(alphabet="ab=!%?'\"\\\n()[]# :xpi", max_size=60))
def test_the_number_of_lines_never_changes(source):
    plain(source)


@pytest.mark.filterwarnings("ignore")
@given(st.text(alphabet="ab1 =!%'\"\\\n()[]#:+,", max_size=40))
def test_whatever_parses_as_python_keeps_its_meaning(source):
    try:
        before = ast.dump(ast.parse(source))
    except (SyntaxError, ValueError):
        return
    assert ast.dump(ast.parse(plain(source)[0])) == before


@pytest.mark.parametrize(
    "piece",
    ["x", "(", "a =", " ", "'", "\\", '\\"', "a[", "x: = ", "= !", "=%a", "#", "\n", "%%time\n", "a?\n", '"""', "await ", "a,await"],
)
def test_no_text_takes_long(piece):
    start = time.perf_counter()
    without_magics(piece * (1_000_000 // len(piece)))
    assert time.perf_counter() - start < 10
