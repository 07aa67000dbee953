"""The two halves of a search: each brings its best passages that the catalog lets through."""

from __future__ import annotations

import heapq
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, repeat
from math import inf
from typing import NamedTuple

from refdesk.embedding.model import Embedder, Vector
from refdesk.index.analysis import Word
from refdesk.index.bm25 import rarity
from refdesk.index.model import DIGEST, Candidate, Searchable, Statistics, Weighted
from refdesk.search.fusion import QuestionShape
from refdesk.search.guard import Guard

TEXT = DIGEST // 2
"""Bytes of a digest that are equal for passages of the same text (W9)."""
DEPTH = 100  # candidates of each half that are fused
SPARE = 8  # more than enough are asked for at once: some may not be let through, or share a text
SEVERAL = 8  # of each of many bases so many are fetched first, ...
EVEN_SHARES = 4  # ... and so many times its even share, since few bases hold most of the best
FREQUENT_SHARE = 0.2  # W7: common words in more of the passages than this are dropped ...
FREQUENT_FROM = 100  # ... where there are at least so many passages


_WHOLE = frozenset({"exact", "stem"})
_NO_VECTORS = "Base {} has no vectors, so keyword search answered."


@dataclass(frozen=True, slots=True)
class Searched:
    """One base of a question. ``fingerprint`` is its vectors' (``None``: it has none); ``languages`` are
    those of its documents; ``why_keyword`` is said where meaning was wanted and the base has no vectors,
    ``notes`` always; one that is ``wordy`` is to have no vectors."""

    id: str
    name: str
    index: Searchable
    languages: Sequence[str] = ("english",)
    fingerprint: str | None = None
    why_keyword: str | None = None
    notes: Sequence[str] = ()
    wordy: bool = False


@dataclass(frozen=True, slots=True)
class Meaning:
    """An embedding model with its calibration (a raw cosine in, a similarity 0-1 out), whether it was
    trained on the script that a question is in, and whether on many languages."""

    embedder: Embedder
    similarity: Callable[[float], float]
    reads: Callable[[str], bool] = lambda question: True
    multilingual: bool = True


class StaleVersion(Exception):
    """A candidate was of a version that has been replaced since: the new one may not have been seen."""


Proposed = tuple[Searched, Candidate]
"""With the base whose index proposed it."""
Fetch = Callable[[Searched, int, Candidate | None], list[Candidate]]


def gather(
    bases: Sequence[Searched],
    guard: Guard,
    fetch: Fetch,
    enough: int,
    deadline: float | None,
    *,
    strict: bool,
) -> list[Proposed]:
    """The best of all bases, best first, until ``enough`` distinct texts were let through or the deadline
    passes. With ``strict`` a replaced version raises ``StaleVersion``."""
    many = enough + SPARE
    each = min(many, SEVERAL + EVEN_SHARES * many // max(1, len(bases)))
    lists = [_proposals(base, fetch, each) for base in bases]
    # equal ones: bases in their order
    best = lists[0] if len(lists) == 1 else heapq.merge(*lists, key=lambda one: -one[1].score)
    seen: list[Proposed] = []
    texts: set[bytes] = set()
    while len(texts) < enough and (proposed := list(islice(best, many))):
        new = let_through(proposed, guard, strict=strict)
        seen += new
        texts.update([candidate.digest[:TEXT] for _, candidate in new])
        if deadline is not None and time.monotonic() >= deadline:
            break
        many *= 2
    return seen


def _proposals(base: Searched, fetch: Fetch, many: int) -> Iterator[Proposed]:
    """All that a base proposes, best first, fetched as it is needed; a text that thousands share is passed in
    a few steps."""
    after: Candidate | None = None
    while candidates := fetch(base, many, after):
        yield from zip(repeat(base), candidates)
        if len(candidates) < many:
            return
        after = candidates[-1]
        many *= 2


def let_through(proposed: Sequence[Proposed], guard: Guard, *, strict: bool) -> list[Proposed]:
    wanted: dict[str, set[str]] = defaultdict(set)
    for base, candidate in proposed:
        wanted[base.id].add(candidate.document)
    live = guard.live(wanted)
    kept = []
    for one in proposed:
        base, candidate = one
        document = live[base.id][candidate.document]
        if document is None:
            continue
        if candidate.version == document.version:
            kept.append(one)
        elif candidate.version > document.version:
            guard.doubt(base.id, candidate.document)
        elif strict:
            raise StaleVersion
    return kept


def by_text(seen: Sequence[Proposed]) -> dict[bytes, Proposed]:
    """The best passage of each distinct text, best first."""
    best: dict[bytes, Proposed] = {}
    for one in seen:
        best.setdefault(one[1].digest[:TEXT], one)
    return best


@dataclass(frozen=True, slots=True)
class Asked:
    """A question's words against the searched bases: what is looked up, and how rare each word is.
    ``holding`` has the passages that hold each word of the question in any form, in its order."""

    terms: Sequence[Weighted]
    statistics: Statistics
    shape: QuestionShape
    holding: Sequence[tuple[str, int]]


def ask(words: Sequence[Word], bases: Sequence[Searched]) -> Asked:
    every = list(dict.fromkeys([term.term for word in words for term in word.terms]))
    statistics, *others = [base.index.statistics(every) for base in bases] or [Statistics()]
    for other in others:
        statistics.add(other)
    passages = statistics.passages
    rare = {term: rarity(passages, held) for term, held in statistics.holding.items() if held}
    looked_up = [_LookedUp.of(word, rare, statistics.holding) for word in words]
    asked = _without_frequent([one for one in looked_up if one.terms], passages)
    return Asked(
        terms=[term for one in asked for term in one.terms],
        statistics=statistics,
        shape=QuestionShape(
            identifier=any(word.identifier for word in words), idf=sum([one.most for one in asked])
        ),
        holding=[(one.word.text, one.holding) for one in looked_up],
    )


class _LookedUp(NamedTuple):
    """A word of the question with those of its terms that occur, how many passages hold one of them at
    least, and what the word can add to a score at most."""

    word: Word
    terms: Sequence[Weighted]
    holding: int
    most: float

    @classmethod
    def of(cls, word: Word, rare: Mapping[str, float], holding: Mapping[str, int]) -> _LookedUp:
        """Terms that occur nowhere are not looked up, and do not count against the rest. A form that was not
        typed counts no rarer than the one that was, or it would come first where it is seldom (W2)."""
        occurring = [term for term in word.terms if term.term in rare]
        if not occurring:
            return cls(word, (), 0, 0.0)
        typed = min([rare[term.term] for term in occurring if term.kind == "exact"], default=inf)
        terms = [
            term
            if (its := rare[term.term]) <= typed
            else Weighted(term.term, term.weight * (typed / its), term.kind)
            for term in occurring
        ]
        weight = min(1.0, sum([term.weight for term in terms if term.kind in _WHOLE]))
        rarest_known = min([rare[term.term] for term in occurring])
        return cls(word, terms, max([holding[term.term] for term in occurring]), weight * rarest_known)


def _without_frequent(words: Sequence[_LookedUp], passages: int) -> Sequence[_LookedUp]:
    """W7: common words of the base's languages that many of its passages hold are dropped, where the base is
    not small and another word of the question occurs in it."""
    if passages < FREQUENT_FROM:
        return words
    most = passages * FREQUENT_SHARE
    return [one for one in words if not (one.word.common and one.holding > most)] or words


def by_keyword(
    asked: Asked, bases: Sequence[Searched], guard: Guard, enough: int, deadline: float | None
) -> list[Proposed]:
    if not asked.terms:
        return []

    def fetch(base: Searched, k: int, after: Candidate | None) -> list[Candidate]:
        return base.index.keyword(asked.terms, asked.statistics, k, deadline, after)

    return _twice_if_replaced(lambda strict: gather(bases, guard, fetch, enough, deadline, strict=strict))


def by_meaning(
    vector: Vector, bases: Sequence[Searched], guard: Guard, enough: int, deadline: float | None
) -> list[Proposed]:
    def fetch(base: Searched, k: int, after: Candidate | None) -> list[Candidate]:
        return base.index.nearest(vector, k, deadline, after)

    return _twice_if_replaced(lambda strict: gather(bases, guard, fetch, enough, deadline, strict=strict))


def _twice_if_replaced(run: Callable[[bool], list[Proposed]]) -> list[Proposed]:
    try:
        return run(True)
    except StaleVersion:
        return run(False)


def comparable(
    bases: Sequence[Searched], meaning: Meaning | None, *, asked: bool
) -> tuple[list[Searched], list[str]]:
    """The bases whose vectors this model can be compared with, and a sentence for each other. A base that is
    searched by keyword on purpose is told where meaning was ``asked`` for by name."""
    fit, notes = [], []
    for base in bases:
        if base.fingerprint is None:
            told = base.why_keyword or (_NO_VECTORS.format(base.name) if asked and not base.notes else None)
            notes += [told] if told else []
        elif meaning is None:
            notes.append(
                f"The embedding model of base {base.name} is not available, so its passages were searched "
                "by keyword: run `refdesk models pull`."
            )
        elif base.fingerprint != meaning.embedder.fingerprint.key:
            notes.append(
                f"Base {base.name} was indexed with another embedding model and cannot be compared until it "
                f'is indexed again: run `refdesk reindex --base "{base.name}"`.'
            )
        else:
            fit.append(base)
    return fit, notes


def deadline_from(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


def scores(best: Mapping[bytes, Proposed]) -> dict[bytes, float]:
    return {text: candidate.score for text, (_, candidate) in best.items()}
