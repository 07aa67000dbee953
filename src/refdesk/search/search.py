"""Search: a question in, numbered passages out, within a deadline.

The two halves run side by side. Each proposes candidates, the catalog decides which exist, fusion
orders them, and only the few that are issued have their text fetched.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from refdesk.errors import Failed
from refdesk.index.analysis import analyze_question
from refdesk.index.model import Stored
from refdesk.index.visibility import Visibility
from refdesk.policy.model import Mode
from refdesk.policy.model import Search as SearchPolicy
from refdesk.search.budget import within
from refdesk.search.deadline import Beside
from refdesk.search.fusion import fuse
from refdesk.search.halves import (
    DEPTH,
    Asked,
    Meaning,
    Searched,
    Seen,
    ask,
    by_keyword,
    by_meaning,
    comparable,
    deadline_from,
    same_text,
    scores,
)
from refdesk.search.model import Found, Hit, QuestionWord
from refdesk.search.question import checked_deadline, checked_min_score, checked_question, checked_top_k

log = logging.getLogger(__name__)

SPARE = 3  # with a budget of characters so many times more are ranked, to fill up what it skips


def search(
    question: str,
    bases: Sequence[Searched],
    visibility: Visibility,
    policy: SearchPolicy,
    *,
    meaning: Meaning | None = None,
    mode: Mode | None = None,
    top_k: int | None = None,
    min_score: float | None = None,
    deadline: float | None = None,
) -> Found:
    """``deadline`` is in seconds from now (the policy's where ``None``). Raises ``Refusal`` for a question
    that the policy does not accept, ``UsageError`` for numbers out of range."""
    started = time.monotonic()
    question = checked_question(question, policy)
    k = checked_top_k(top_k, policy)
    wanted = mode or policy.mode
    fit, notes = comparable(bases, meaning, asked=mode is not None) if wanted != "keyword" else ([], [])
    notes = [note for base in bases for note in base.notes] + notes
    asked_mode: Mode = mode or (wanted if fit else "keyword")
    floor = checked_min_score(min_score, asked_mode, policy)
    limit = deadline_from(checked_deadline(deadline, policy))

    spare = 0 if policy.max_characters is None else k * SPARE
    depth = max(DEPTH, k + spare) if fit and asked_mode == "hybrid" else k + spare
    run = _Run(bases, visibility, meaning, enough=depth, limit=limit)
    languages = _languages(bases)
    words = analyze_question(question, languages)
    asked = ask(words, bases)
    beside = Beside(lambda: run.meaning(question, meaning, fit)) if fit and meaning else None
    # what meaning can't be asked of is searched by keyword, and so is everything where meaning may be late
    unfit = [base for base in bases if base not in fit]
    wordy = bases if asked_mode != "meaning" or limit is not None else unfit
    by_words = run.keyword(asked, wordy)
    sensed, more = _in_time(beside, limit)
    notes += more
    if sensed is None:
        answered_by: Mode = "keyword"
        by_words = by_words if wordy is bases else run.keyword(asked, bases)
    else:
        answered_by = "meaning" if asked_mode == "meaning" and not unfit else "hybrid"
        by_words = [one for one in by_words if asked_mode != "meaning" or one.base in unfit]

    by_sense, dropped = _above(sensed or (), floor, meaning)
    shape = replace(asked.shape, readable=meaning is None or meaning.reads(question))
    ranking = fuse(scores(by_words), scores(by_sense), shape, k, spare)
    hits = _hits(ranking, by_words, by_sense, run=run, k=k, most=policy.max_characters)
    found = Found(
        mode=asked_mode,
        answered_by=answered_by,
        took_ms=(time.monotonic() - started) * 1000,
        hits=tuple(hits),
        notes=tuple(dict.fromkeys(notes)),
        dropped=dropped,
        passages=asked.statistics.passages,
        words=tuple(QuestionWord(word, count) for word, count in asked.holding),
        languages=tuple(languages),
    )
    if dropped:
        log.info("search dropped_by_min_score=%d", dropped)
    log.info(
        "search mode=%s answered_by=%s hits=%d ms=%.1f", asked_mode, answered_by, len(hits), found.took_ms
    )
    return found


class _Run:
    """What the steps of one search share."""

    def __init__(
        self,
        bases: Sequence[Searched],
        visibility: Visibility,
        meaning: Meaning | None,
        *,
        enough: int,
        limit: float | None,
    ) -> None:
        self._bases = bases
        self._visibility = visibility
        self._meaning = meaning
        self._enough = enough
        self._limit = limit

    def keyword(self, asked: Asked, bases: Sequence[Searched]) -> list[Seen]:
        return by_keyword(asked, bases, self._visibility, self._enough, self._limit)

    def meaning(self, question: str, meaning: Meaning, fit: Sequence[Searched]) -> list[Seen]:
        vector = meaning.embedder.question(question)
        return by_meaning(vector, fit, self._visibility, self._enough, self._limit)

    def similarity(self, cosine: float | None) -> float | None:
        if cosine is None or self._meaning is None:
            return None
        return round(self._meaning.similarity(cosine), 4)

    def others(self, texts: Sequence[bytes]) -> dict[bytes, dict[str, str]]:
        """The documents that hold each text, their names by id (W9)."""
        names: dict[bytes, dict[str, str]] = {}
        for one in same_text(texts, self._bases, self._visibility):
            names.setdefault(one.text_key, {})[one.live.id] = one.live.name
        return names


def _languages(bases: Sequence[Searched]) -> list[str]:
    return list(dict.fromkeys(language for base in bases for language in base.languages))


def _in_time(beside: Beside[list[Seen]] | None, limit: float | None) -> tuple[list[Seen] | None, list[str]]:
    """What the meaning half found, or ``None`` and a sentence that says why keyword answers."""
    if beside is None:
        return None, []
    try:
        return beside.wait(limit), []
    except TimeoutError:
        log.warning("search meaning=late")
        return None, ["Meaning search did not answer within the deadline, so keyword search did."]
    except Failed as error:
        log.warning("search meaning=%s cause=%r", error.code, error.message)
        return None, ["Meaning search is unavailable, so keyword search answered."]


def _above(seen: Sequence[Seen], floor: float | None, meaning: Meaning | None) -> tuple[Sequence[Seen], int]:
    """W12: ``min_score`` applies to the meaning half alone, before fusion."""
    if floor is None or meaning is None:
        return seen, 0
    kept = [one for one in seen if meaning.similarity(one.candidate.score) >= floor]
    return kept, len(seen) - len(kept)


def _hits(
    ranking: Sequence[tuple[bytes, float]],
    by_words: Sequence[Seen],
    by_sense: Sequence[Seen],
    *,
    run: _Run,
    k: int,
    most: int | None,
) -> list[Hit]:
    first: dict[bytes, Seen] = {}
    for one in (*by_words, *by_sense):
        first.setdefault(one.text_key, one)
    texts = _texts([first[key] for key, _ in ranking])
    # a passage that was deleted since it was found has no text any more
    ranking = [(key, score) for key, score in ranking if first[key].key in texts]
    stored = [texts[first[key].key] for key, _ in ranking]
    # the k come before their spares, which may have the better score and take its place among the issued
    issued = list(within([one.text for one in stored], k, most))
    issued.sort(key=lambda one: -ranking[one[0]][1])
    others = run.others([ranking[index][0] for index, _, _ in issued])
    words, cosines = scores(by_words), scores(by_sense)
    hits = []
    for number, (index, text, truncated) in enumerate(issued, start=1):
        key, score = ranking[index]
        one = first[key]
        cosine = cosines.get(key)
        hits.append(
            Hit(
                number=number,
                base=one.base.name,
                document=one.live.id,
                name=one.live.name,
                title=one.live.title,
                source_url=one.live.source_url,
                metadata=one.live.metadata,
                section=stored[index].section or None,
                page=stored[index].page,
                position=stored[index].position,
                text=text,
                similarity=run.similarity(cosine),
                cosine=None if cosine is None else round(cosine, 4),
                found_by=(("keyword",) if key in words else ()) + (("meaning",) if key in cosines else ()),
                also_in=tuple(name for other, name in others.get(key, {}).items() if other != one.live.id),
                truncated=truncated,
                score=score,
                version=one.live.version,
            )
        )
    return hits


def _texts(seen: Sequence[Seen]) -> dict[tuple[str, int], Stored]:
    texts: dict[tuple[str, int], Stored] = {}
    for base in {one.base.id: one.base for one in seen}.values():
        keys = [one.candidate.key for one in seen if one.base.id == base.id]
        texts |= {(base.id, key): stored for key, stored in base.index.stored(keys).items()}
    return texts
