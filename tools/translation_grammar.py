"""A small grammar of Chinese sentences with their English translations, for the trained example of the lesson.

`train_translation.py` draws its sentence pairs here. Word order differs between the two languages (在 家 stands before the
Chinese verb, "at home" after the English object), verbs agree with their subject, and 学习 is now a verb, now a noun.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

SUBJECTS = {"我": "I", "你": "you", "我们": "we", "他们": "they", "他": "he", "她": "she"}
SINGULAR = {"他", "她"}
FIELDS = {"深度 学习": "deep learning", "机器 学习": "machine learning", "数学": "mathematics", "物理": "physics", "音乐": "music"}
ADJECTIVES = {"新": "new", "旧": "old", "长": "long", "短": "short"}
THINGS = {"书": "books", "信": "letters", "诗": "poems", "小说": "novels"}
PLACES = {"学校": "school", "家": "home", "公司": "work"}
TIMES = {"今天": "today", "今晚": "tonight", "现在": "now"}
JOINTS = {"但是": "but", "因为": "because", "所以": "so"}
# Chinese verb -> English verb, its form after he and she, its form after "like", and what it can be done to.
VERBS = {
    "学习": ("learn", "learns", "learning", "field"),
    "教": ("teach", "teaches", "teaching", "field"),
    "读": ("read", "reads", "reading", "thing"),
    "写": ("write", "writes", "writing", "thing"),
}

LESSON = ("我 喜欢 学习 深度 学习", "I like learning deep learning")


@dataclass(frozen=True)
class Pair:
    """One sentence in both languages, as words, and for each Chinese word the English one that it stands for here."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    tags: tuple[str, ...]


def draw_pairs(rng: np.random.Generator, clauses: Sequence[int]) -> list[Pair]:
    """Different sentences, one for each entry of `clauses`, of that many clauses; the lesson's own is never among them."""
    seen = {tuple(LESSON[0].split())}
    pairs: list[Pair] = []
    for n_clauses in clauses:
        pair = sentence(rng, n_clauses)
        while pair.source in seen:
            pair = sentence(rng, n_clauses)
        seen.add(pair.source)
        pairs.append(pair)
    return pairs


def sentence(rng: np.random.Generator, n_clauses: int) -> Pair:
    """A random sentence of this many clauses, joined by 但是, 因为 or 所以."""
    source, target, tags = clause(rng)
    for _ in range(n_clauses - 1):
        joint = _pick(rng, JOINTS)
        more = clause(rng)
        source, target, tags = [*source, joint, *more[0]], [*target, JOINTS[joint], *more[1]], [*tags, JOINTS[joint], *more[2]]
    return Pair(tuple(source), tuple(target), tuple(tags))


def clause(rng: np.random.Generator) -> tuple[list[str], list[str], list[str]]:
    """Subject, perhaps a time, perhaps 不, perhaps 喜欢, perhaps a place, verb and object: source, target, tags."""
    subject = _pick(rng, SUBJECTS)
    singular = subject in SINGULAR
    negated, likes, timed, placed = rng.random(4) < (0.3, 0.4, 0.3, 0.35)
    with_verb = not likes or rng.random() < 0.6
    source, tags = [subject], [SUBJECTS[subject]]
    before, after = [SUBJECTS[subject]], []

    if timed and not likes:
        time = _pick(rng, TIMES)
        source, tags, after = [*source, time], [*tags, TIMES[time]], [TIMES[time]]
    if negated:
        source, tags, before = [*source, "不"], [*tags, "not"], [*before, "does" if singular else "do", "not"]
    if likes:
        like = "likes" if singular and not negated else "like"
        source, tags, before = [*source, "喜欢"], [*tags, like], [*before, like]
    if placed and with_verb:
        place = _pick(rng, PLACES)
        source, tags, after = [*source, "在", place], [*tags, "at", PLACES[place]], ["at", PLACES[place], *after]
    kind = ("field", "thing")[rng.integers(2)]
    if with_verb:
        verb = _pick(rng, VERBS)
        plain, third, after_like, kind = VERBS[verb]
        form = after_like if likes else third if singular and not negated else plain
        source, tags, before = [*source, verb], [*tags, form], [*before, form]

    if kind == "field":
        field = _pick(rng, FIELDS)
        object_source, object_target = field.split(), FIELDS[field].split()
    else:
        thing = _pick(rng, THINGS)
        adjective = [_pick(rng, ADJECTIVES)] if rng.random() < 0.6 else []
        object_source, object_target = [*adjective, thing], [*(ADJECTIVES[a] for a in adjective), THINGS[thing]]
    return [*source, *object_source], [*before, *object_target, *after], [*tags, *object_target]


def _pick(rng: np.random.Generator, words: Collection[str]) -> str:
    return list(words)[rng.integers(len(words))]
