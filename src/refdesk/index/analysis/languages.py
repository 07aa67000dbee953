"""The languages of a text by a vote of its most common words, and the stems of a word in them.

A base has the languages of its documents; a question is stemmed by each, never by its own guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from threading import Lock

import Stemmer

from refdesk.index.analysis.characters import MARKS, normalise, plain, same
from refdesk.index.analysis.common_words import COMMON_WORDS

MOST = 3
"""So many languages a base may have, so many stems a word."""

_DEFAULT_OF_SCRIPT = (
    ("russian", re.compile("[\u0400-\u052f]")),
    ("greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]")),
    ("arabic", re.compile("[\u0600-\u06ff]")),
    ("hindi", re.compile("[\u0900-\u097f]")),
    ("tamil", re.compile("[\u0b80-\u0bff]")),
    ("armenian", re.compile("[\u0530-\u058f]")),
    ("english", re.compile("[A-Za-z]")),
)
"""What a text too short to vote is taken for."""

_VOTED: dict[str, list[str]] = {}
for _language, _words in COMMON_WORDS.items():
    for _word in _words.split():
        _VOTED.setdefault(_word, []).append(_language)

_WORD = re.compile(rf"(?:[^\W\d_]|[{MARKS}])+")
_BLOCK = 400
_LOOKED_AT = 200
_SHARE = 0.15


def detect_languages(text: str) -> list[str]:
    """At most three Snowball languages, most spoken first; none where no stemmer knows the script.

    A long text votes by blocks of its words, evenly spread, each for one language: neighbours share so
    many words that counting over the whole would find Portuguese in Spanish.
    """
    words = [same(word) for word in _WORD.findall(normalise(text))]
    votes = Counter(filter(None, (_vote(block) for block in _blocks(words))))
    if not votes:
        return _by_script(text)
    enough = max(1.0, sum(votes.values()) * _SHARE)
    return [language for language, count in votes.most_common(MOST) if count >= enough]


def _blocks(words: Sequence[str]) -> list[Sequence[str]]:
    count = max(1, min(_LOOKED_AT, len(words) // 60))
    size = len(words) / count
    return [words[int(i * size) : int(i * size) + _BLOCK] for i in range(count)]


def _vote(words: Sequence[str]) -> str | None:
    found: Counter[str] = Counter()
    for word in words:
        found.update(_VOTED.get(word, ()))
    best = found.most_common(1)
    return best[0][0] if best else None


def _by_script(text: str) -> list[str]:
    counts = [(len(letters.findall(text)), language) for language, letters in _DEFAULT_OF_SCRIPT]
    most, language = max(counts, key=lambda item: item[0])
    return [language] if most else []


class Stems:
    """Stems in several languages, without accents: *factur* for *facturación*."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._stemmers = [Stemmer.Stemmer(language, 0) for language in languages[:MOST]]
        self._lock = Lock()  # a stemmer is not safe between threads

    def __call__(self, word: str) -> tuple[str, ...]:
        if len(word) < 2:
            return ()
        with self._lock:
            stems = [stemmer.stemWord(word) for stemmer in self._stemmers]
        return tuple(dict.fromkeys(plain(stem) for stem in stems))


@lru_cache(maxsize=64)
def stems_of(languages: tuple[str, ...]) -> Stems:
    return Stems(languages)
