"""Whether what was found is acceptable as the ground of an answer (RUN2, A3).

A passage is weighed by two things: the share of the question's telling words that it holds, rare words
counting more and codes twice, and its similarity. Everyday words, and words in more than a fifth of the
passages, count for nothing; a word that occurs nowhere counts against every passage. Where vectors were
compared, a passage is acceptable from 0.4 · words + 0.6 · similarity = 0.4 on; where none were, from words =
0.4 on.

Measured on five bases (a manual, a forum, error messages, tables, abstracts) with 60 of their own questions
each and 60 of each of five other sets: of its own a base accepts 97.3 %, of the others it turns away 97.2 %;
by keyword alone 91.3 % and 87.6 %, short questions in everyday nouns being the hardest. The optimum is flat:
shares of similarity from 0.5 to 0.7 and thresholds from 0.38 to 0.44 differ by a point. That the words stand
close together in the passage told nothing more. `benchmarks/grounding.py` measures it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from refdesk.answer.model import Coverage
from refdesk.answer.words import Word, held, telling_words
from refdesk.index.bm25 import rarity
from refdesk.search import Found, Hit

MEANING_SHARE = 0.6
ENOUGH = 0.4
ENOUGH_WORDS = 0.4
IDENTIFIER_WEIGHT = 2.0  # a passage about another code is near in meaning, and wrong
FREQUENT_SHARE = 0.2
FEW_PASSAGES = 100  # in a smaller base a word is not frequent by its share


def coverage(question: str, found: Found) -> Coverage:
    if not found.passages:
        return "empty"
    if not found.hits:
        return "nothing"
    return "found" if acceptable(question, found) else "doubtful"


def acceptable(question: str, found: Found) -> bool:
    """Whether any hit is an acceptable ground for an answer to ``question``."""
    weights = _weights(telling_words(question, found.languages), found)
    compared = found.answered_by != "keyword"
    return any(_acceptable(hit, weights, found.languages, compared=compared) for hit in found)


def _acceptable(hit: Hit, weights: Mapping[Word, float], languages: Sequence[str], *, compared: bool) -> bool:
    words = _share(hit, weights, languages)
    if not compared:
        return words >= ENOUGH_WORDS
    return (1 - MEANING_SHARE) * words + MEANING_SHARE * (hit.similarity or 0.0) >= ENOUGH


def _share(hit: Hit, weights: Mapping[Word, float], languages: Sequence[str]) -> float:
    text = "\n".join((hit.title, hit.section or "", hit.text))
    there = held(weights, text, languages)
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word.text in there) / whole if whole else 0.0


def _weights(words: Sequence[Word], found: Found) -> dict[Word, float]:
    holding = {word.word: word.holding for word in found.words}
    frequent = FREQUENT_SHARE * max(found.passages, FEW_PASSAGES)
    rare = [word for word in words if holding.get(word.text, 0) <= frequent]
    return {
        word: rarity(found.passages, holding.get(word.text, 0))
        * (IDENTIFIER_WEIGHT if word.identifier else 1.0)
        for word in rare or words
    }
