"""Whether what was found is acceptable as the ground of an answer (RUN2, A3).

A passage is weighed by two things: the share of the question's telling words that it holds, rare words
counting more and identifiers twice, and its similarity, which reads alike for every calibrated model.
Everyday words, and words in more than a fifth of the passages, count for nothing; a word that occurs
nowhere counts against every passage, and an identifier that no hit holds occurs nowhere.

From 0.5 · words + 0.5 · similarity = 0.5 on a passage is acceptable, and from similarity 0.88 on whatever its
words: an answer may be put in others altogether. Where no vector was compared, or by a
model that does not know the documents' language, words decide alone, from 0.42 on. Where the question is in
another language than the documents, they meet by chance: similarity decides alone, from 0.05 on, since a
model sees two languages as farther apart.

How that was chosen and what it is worth is in docs/answers.md; `benchmarks/grounding.py` measures it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refdesk.answer.model import Coverage
from refdesk.answer.words import Word, held, telling_words
from refdesk.index.bm25 import rarity
from refdesk.search import Found, Hit

MEANING_SHARE = 0.5
ENOUGH = 0.5
ALONE = 0.88  # a similarity that needs no word in common
ENOUGH_WORDS = 0.42
ENOUGH_MEANING = 0.05
IDENTIFIER_WEIGHT = 2.0  # a passage about another code is near in meaning, and wrong
FREQUENT_SHARE = 0.2
FEW_PASSAGES = 100  # a smaller base is weighed as if it had so many: its counts tell little


def coverage(question: str, found: Found) -> Coverage:
    if not found.passages:
        return "empty"
    if not found.hits:
        return "nothing"
    return "found" if acceptable(question, found) else "doubtful"


def acceptable(question: str, found: Found) -> bool:
    """Whether any hit is an acceptable ground for an answer to ``question``."""
    return strength(question, found) >= 1.0


def strength(question: str, found: Found) -> float:
    """Of the best hit: 1 and more is enough, 0 nothing."""
    if found.telling == "meaning":
        return max((hit.similarity or 0.0 for hit in found), default=0.0) / ENOUGH_MEANING
    words = telling_words(question, found.languages)
    holding = [held(words, _whole(hit), found.languages) for hit in found]
    weights = _weights(words, found, holding)
    shares = [_share(has, weights) for has in holding]
    if found.telling == "words":
        return max(shares, default=0.0) / ENOUGH_WORDS
    each = (_both(share, hit.similarity or 0.0) for share, hit in zip(shares, found, strict=True))
    return max(each, default=0.0)


def _both(words: float, similarity: float) -> float:
    return max(((1 - MEANING_SHARE) * words + MEANING_SHARE * similarity) / ENOUGH, similarity / ALONE)


def _whole(hit: Hit) -> str:
    return "\n".join((hit.title, hit.section or "", hit.text))


def _share(has: set[str], weights: Mapping[str, float]) -> float:
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in has) / whole if whole else 0.0


def _weights(words: Sequence[Word], found: Found, hits: Sequence[set[str]]) -> dict[str, float]:
    """By rarity. What a search counts for an identifier includes its relatives, so the hits tell of it."""
    counted = {word.word: word.holding for word in found.words}
    holding = {
        word.text: sum(word.text in has for has in hits) if word.identifier else counted.get(word.text, 0)
        for word in words
    }
    passages = max(found.passages, FEW_PASSAGES)
    frequent = FREQUENT_SHARE * passages
    rare = [word for word in words if holding[word.text] <= frequent]
    return {
        word.text: rarity(passages, holding[word.text]) * (IDENTIFIER_WEIGHT if word.identifier else 1.0)
        for word in rare or words
    }
