"""Search: a question in, numbered passages out, within a deadline.

The question is embedded while keyword search runs, then vectors are compared. Each half proposes candidates,
the catalog decides which exist, fusion orders them, and only the few that are issued have their text fetched.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from refdesk.embedding.model import Vector
from refdesk.errors import Failed
from refdesk.index.analysis import analyze_question, detect_languages
from refdesk.index.visibility import Visibility
from refdesk.policy.model import Mode
from refdesk.policy.model import Search as SearchPolicy
from refdesk.search.deadline import Beside
from refdesk.search.fusion import QuestionShape, fuse
from refdesk.search.guard import Guard
from refdesk.search.halves import (
    Meaning,
    Proposed,
    Searched,
    ask,
    by_keyword,
    by_meaning,
    by_text,
    comparable,
    deadline_from,
    scores,
)
from refdesk.search.hits import hits_of
from refdesk.search.model import Found, QuestionWord, Telling
from refdesk.search.question import checked_deadline, checked_min_score, checked_question, checked_top_k
from refdesk.search.run import Run

log = logging.getLogger(__name__)

ENDING = 0.1  # of the time up to the deadline is left, when meaning is late, for what keyword search found
KNOWN_TO_ALL = "english"  # the language of the models that are not multilingual
RUNS = 3  # of one search, where versions are switched in the middle of it


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
    meant = asked_mode if all(base.wordy for base in bases) else wanted  # vectors may come
    floor = checked_min_score(min_score, meant, policy)
    seconds = checked_deadline(deadline, policy)
    limit = deadline_from(seconds)
    until = deadline_from(None if seconds is None else seconds * (1 - ENDING))

    vector = cache(lambda: _vector(question, meaning))  # made once, however often the search is run
    run = Run(
        question, bases, meaning, vector, fit, asked_mode, k, floor, policy.max_characters, limit, until
    )
    found = _found(run, visibility)
    notes += found.notes
    found = replace(found, took_ms=(time.monotonic() - started) * 1000, notes=tuple(dict.fromkeys(notes)))
    if found.dropped:
        log.info("search dropped_by_min_score=%d", found.dropped)
    log.info(
        "search mode=%s answered_by=%s hits=%d ms=%.1f",
        asked_mode,
        found.answered_by,
        len(found.hits),
        found.took_ms,
    )
    return found


def _found(run: Run, visibility: Visibility) -> Found:
    """Run again where a version was switched, written anew or deleted in the middle: its passages were seen
    neither before nor after."""
    for _ in range(RUNS - 1):
        guard = Guard(visibility)
        found = _once(run, guard)
        late = run.limit is not None and time.monotonic() >= run.limit
        if late or not guard.outdated():
            return found
        log.info("search again=switched")
    return _once(run, Guard(visibility))


def _once(run: Run, guard: Guard) -> Found:
    languages = _languages(run.bases)
    asked = ask(analyze_question(run.question, languages), run.bases)
    vector = Beside(run.vector) if run.fit else None
    fit = {base.id for base in run.fit}
    unfit = [base for base in run.bases if base.id not in fit]
    # what meaning can't be asked of is searched by keyword, and everything once meaning is late
    wordy = unfit if run.mode == "meaning" and fit else run.bases
    by_words = by_keyword(asked, wordy, guard, run.enough, run.limit)
    sensed, notes = _in_time(vector, run, guard)
    answered_by: Mode = "meaning" if run.mode == "meaning" and not unfit else "hybrid"
    if sensed is None:
        answered_by = "keyword"
        if wordy is not run.bases:
            by_words = by_keyword(asked, run.bases, guard, run.enough, run.limit)

    above, dropped = _above(sensed or (), run.floor, run.meaning)
    words, compared = by_text(by_words), by_text(sensed or ())
    senses = by_text(above) if dropped else compared
    shape = _shape(asked.shape, run, languages)
    ranking = fuse(scores(words), scores(senses), shape, run.k, run.spare)
    return Found(
        mode=run.mode,
        answered_by=answered_by,
        took_ms=0.0,
        hits=tuple(hits_of(ranking, words, senses, compared, run=run, guard=guard)),
        notes=tuple(notes),
        dropped=dropped,
        passages=asked.statistics.passages,
        words=tuple(QuestionWord(word, count) for word, count in asked.holding),
        languages=tuple(languages),
        telling=_telling(run, shape, languages, compared=sensed is not None),
    )


def _telling(run: Run, shape: QuestionShape, languages: Sequence[str], *, compared: bool) -> Telling:
    if run.meaning is None or not compared:
        return "words"
    if shape.foreign:
        return "meaning"
    return "both" if run.meaning.multilingual or KNOWN_TO_ALL in languages else "words"


def _shape(shape: QuestionShape, run: Run, languages: Sequence[str]) -> QuestionShape:
    """With what the embedding model makes of the question's script and language."""
    if run.meaning is None:
        return shape
    own = detect_languages(run.question) if run.meaning.multilingual else []
    foreign = bool(own) and not set(own).intersection(languages)
    return replace(shape, readable=run.meaning.reads(run.question), foreign=foreign)


def _vector(question: str, meaning: Meaning | None) -> Vector:
    assert meaning is not None
    return meaning.embedder.question(question)


def _languages(bases: Sequence[Searched]) -> list[str]:
    return list(dict.fromkeys(language for base in bases for language in base.languages))


def _in_time(
    vector: Beside[Vector] | None, run: Run, guard: Guard
) -> tuple[list[Proposed] | None, list[str]]:
    """What the meaning half found, or ``None`` and a sentence that says why keyword answers. Vectors are not
    compared beside keyword search: on two cores that takes half as much again of them, and no less time."""
    if vector is None:
        return None, []
    try:
        return by_meaning(vector.wait(run.until), run.fit, guard, run.enough, run.until), []
    except TimeoutError:
        log.warning("search meaning=late")
        return None, ["Meaning search did not answer within the deadline, so keyword search did."]
    except Failed as error:
        log.warning("search meaning=%s cause=%r", error.code, error.message)
        return None, ["Meaning search is unavailable, so keyword search answered."]


def _above(
    seen: Sequence[Proposed], floor: float | None, meaning: Meaning | None
) -> tuple[Sequence[Proposed], int]:
    """W12: ``min_score`` applies to the meaning half alone, before fusion; what keyword found keeps its
    similarity."""
    if floor is None or meaning is None:
        return seen, 0
    kept = [one for one in seen if meaning.similarity(one[1].score) >= floor]
    return kept, len(seen) - len(kept)
