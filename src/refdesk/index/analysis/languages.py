"""The languages of a text by a vote of its most common words, and the stems of a word in them.

A base has the languages of its documents; a question is stemmed by each, never by its own guess.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from threading import Lock

import Stemmer

from refdesk.index.analysis.characters import MARKS, beyond_ascii, normalise, plain, same
from refdesk.index.analysis.common_words import COMMON_PAIRS, COMMON_WORDS, FALSE_FRIENDS, OWN_LETTERS
from refdesk.index.memory import Memory

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

_WORD = re.compile(rf"(?:[^\W\d_]+|[{MARKS}]+)+")
_LETTERS = re.compile(r"[^\W\d_]+")
_MARK = re.compile(f"[{MARKS}]")
_NOT_ENGLISH = re.compile(rf"\w|[{MARKS}]")
"""Letters, digits and marks, of what is not ASCII."""
_SMALL_LETTERS = str.maketrans({chr(c): chr(c).lower() if chr(c).isalpha() else " " for c in range(128)})
_SAMPLE = 800
_MOST_SAMPLES = 60
_SHARE = 0.15
_LIKELY = 2
"""So many languages a text too short to vote may have, ..."""
_AS_LIKELY = 0.95
"""... where so much speaks for each as for the likeliest."""
_OWN = {language: frozenset(letters) for language, letters in OWN_LETTERS.items()}
_SPECIAL = frozenset().union(*_OWN.values())
_SPELLED = Memory(same, 1 << 15)


def detect_languages(text: str) -> list[str]:
    """At most three Snowball languages, most spoken first; none where no stemmer knows the script.

    A text votes by samples of it, evenly spread, each for one language: neighbours share so many words
    that counting over the whole would find Portuguese in Spanish.
    """
    return _voted(text) or _by_words_and_letters(text) or _by_script(text)


def _voted(text: str) -> list[str]:
    votes = Counter(filter(None, map(_vote, _samples(text))))
    enough = votes.total() * _SHARE
    return [language for language, count in votes.most_common(MOST) if count >= enough]


@lru_cache(maxsize=1)
def _voters() -> dict[str, list[str]]:
    """The languages that a word is common in."""
    voters: dict[str, list[str]] = {}
    for language, words in COMMON_WORDS.items():
        for word in words.split():
            voters.setdefault(same(word), []).append(language)
    return voters


def _samples(text: str) -> list[str]:
    count = min(_MOST_SAMPLES, -(-len(text) // _SAMPLE))
    return [text[start : start + _SAMPLE] for start in (i * len(text) // count for i in range(count))]


def _vote(text: str) -> str | None:
    """A word that several languages have counts for each in part; one word alone decides nothing."""
    voters = _voters()
    counts = Counter(filter(voters.__contains__, _words(normalise(text))))
    scores: defaultdict[str, float] = defaultdict(float)
    for word, count in counts.items():
        languages = voters[word]
        share = count / len(languages)
        for language in languages:
            scores[language] += share
    best = max(scores, key=scores.__getitem__, default="")
    return best if sum(voters[word].count(best) for word in counts) > 1 else None


def _by_words_and_letters(text: str) -> list[str]:
    """Of a text too short to vote: by words that are common, and by words that are written with letters of
    few languages. One alone decides nothing here either, and no more than two are as likely."""
    scores: defaultdict[str, float] = defaultdict(float)
    distinct: defaultdict[str, int] = defaultdict(int)
    for word in dict.fromkeys(_LETTERS.findall(normalise(text).lower())):
        common, written = _telling().get(same(word), []), _written_with(word)
        for languages in (common, written):
            for language in languages:
                scores[language] += 1 / len(languages)
        for language in {*common, *written}:
            distinct[language] += 1
    most = max(scores.values(), default=0.0) * _AS_LIKELY
    likely = [one for one, score in scores.items() if score >= most and distinct[one] > 1]
    return likely if len(likely) <= _LIKELY else []


@lru_cache(maxsize=1)
def _telling() -> dict[str, list[str]]:
    """The languages of common words that do not stand in English texts as well."""
    english = {*FALSE_FRIENDS.split(), *map(same, COMMON_WORDS["english"].split())}
    return {word: languages for word, languages in _voters().items() if len(word) > 1 and word not in english}


def _written_with(word: str) -> list[str]:
    """The languages that have all of a word's letters beyond those of its script, where it has any."""
    special = _SPECIAL.intersection(word)
    return [language for language, own in _OWN.items() if special <= own] if special else []


def _words(text: str) -> Iterable[str]:
    """As they are compared."""
    beyond = beyond_ascii(text)
    if _NOT_ENGLISH.search(beyond):
        return map(_SPELLED.__getitem__, (_WORD if _MARK.search(beyond) else _LETTERS).findall(text))
    if beyond:
        text = text.encode("ascii", "replace").decode()
    return text.translate(_SMALL_LETTERS).split()


def _by_script(text: str) -> list[str]:
    counts = [(len(letters.findall(text)), language) for language, letters in _DEFAULT_OF_SCRIPT]
    most, language = max(counts, key=lambda item: item[0])
    return [language] if most else []


class Stems:
    """Stems in several languages, without accents: *factur* for *facturación*."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._stemmers = [Stemmer.Stemmer(language, 0) for language in languages[:MOST]]
        self._lock = Lock()  # a stemmer is not safe between threads

    def each(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """As of each word, which has two letters at least, at half the cost."""
        with self._lock:
            stems = [map(plain, stemmer.stemWords(words)) for stemmer in self._stemmers]
            each = list(zip(*stems, strict=True)) or [()] * len(words)
        return each if len(stems) == 1 else [tuple(dict.fromkeys(some)) for some in each]

    def __call__(self, word: str) -> tuple[str, ...]:
        if len(word) < 2:
            return ()
        with self._lock:
            stems = [stemmer.stemWord(word) for stemmer in self._stemmers]
        if len(stems) == 1:
            return (plain(stems[0]),)
        return tuple({plain(stem): None for stem in stems})


@lru_cache(maxsize=64)
def common_words(languages: tuple[str, ...]) -> frozenset[str]:
    """Those of the languages, also without accents, and the pairs of characters that are as common."""
    words = {same(word) for language in languages for word in COMMON_WORDS[language].split()}
    return frozenset(words | set(map(plain, words)) | set(COMMON_PAIRS.split()))


class KnownStems(Memory[str, tuple[str, ...]]):
    """The stems of each word that was met."""

    def __init__(self, languages: Sequence[str]) -> None:
        self._stems = Stems(languages)
        super().__init__(self._stems, 1 << 14)

    def meet(self, tokens: Sequence[str]) -> None:
        """Those of the words in these at once, which takes less time than one by one."""
        words = _LETTERS.findall(" ".join(tokens).lower())
        self.each([word for word in words if len(word) > 1], self._stems.each)


@lru_cache(maxsize=64)
def known_stems(languages: tuple[str, ...]) -> KnownStems:
    return KnownStems(languages)


def stems_of(languages: tuple[str, ...]) -> Callable[[str], tuple[str, ...]]:
    return known_stems(languages).__getitem__
