"""The ranking's best as hits: only what is issued has its text fetched."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from refdesk.index.model import DIGEST, Stored
from refdesk.search.budget import within
from refdesk.search.guard import Guard
from refdesk.search.halves import Proposed, Searched, Seen, let_through, scores
from refdesk.search.model import Hit
from refdesk.search.run import Run


def hits_of(
    ranking: Sequence[tuple[bytes, float]],
    by_words: Sequence[Seen],
    by_sense: Sequence[Seen],
    compared: Sequence[Seen],
    *,
    run: Run,
    guard: Guard,
) -> list[Hit]:
    """``compared`` are ``by_sense`` and what ``min_score`` took out of it."""
    wanted = {key for key, _ in ranking}
    first: dict[bytes, Seen] = {}
    for one in (*by_words, *by_sense):
        if one.text in wanted:
            first.setdefault(one.text, one)
    texts, same = _read([first[key] for key, _ in ranking], run.bases)
    there = [(key, score) for key, score in ranking if first[key].key in texts]
    if len(there) < len(ranking):
        guard.gone()
    ranking = there
    stored = [texts[first[key].key] for key, _ in ranking]
    # the k come before their spares, which may have the better score and take its place among the issued
    issued = list(within([one.text for one in stored], run.k, run.most))
    issued.sort(key=lambda one: -ranking[one[0]][1])
    others = _others({ranking[index][0] for index, _, _ in issued}, same, guard)
    words, senses = {one.text for one in by_words}, {one.text for one in by_sense}
    cosines = scores([one for one in compared if one.text in wanted])
    hits = []
    for number, (index, text, truncated) in enumerate(issued, start=1):
        key, score = ranking[index]
        one, kept = first[key], stored[index]
        live = one.live
        cosine = cosines.get(key)
        hits.append(
            Hit(
                number=number,
                base=one.base.name,
                document=live.id,
                name=live.name,
                title=live.title,
                source_url=live.source_url,
                metadata=live.metadata,
                section=kept.section or None,
                page=kept.page,
                position=kept.position,
                text=text,
                similarity=run.similarity(cosine),
                cosine=None if cosine is None else round(cosine, 4),
                found_by=(("keyword",) if key in words else ()) + (("meaning",) if key in senses else ()),
                also_in=tuple(name for other, name in others.get(key, {}).items() if other != live.id),
                truncated=truncated,
                score=score,
                version=live.version,
            )
        )
    return hits


def _read(
    ranked: Sequence[Seen], bases: Sequence[Searched]
) -> tuple[Mapping[tuple[str, int], Stored], Sequence[Proposed]]:
    """What was ranked, as it is kept, by base and key; and every passage with one of its texts."""
    texts: dict[tuple[str, int], Stored] = {}
    same: list[Proposed] = []
    for base in bases:
        wanted = [(one.text, one.candidate.key if one.base is base else None) for one in ranked]
        stored, candidates = base.index.issued(wanted)
        texts |= {(base.id, key): kept for key, kept in stored.items()}
        same += [(base, candidate) for candidate in candidates]
    return texts, same


def _others(texts: Collection[bytes], same: Sequence[Proposed], guard: Guard) -> dict[bytes, dict[str, str]]:
    """The visible documents that hold each text which several passages have, their names by id (W9)."""
    names: dict[bytes, dict[str, str]] = {}
    shared = [one for one in same if one[1].digest[: DIGEST // 2] in texts]
    if len(shared) > len(texts):
        for one in let_through(shared, guard, strict=False):
            names.setdefault(one.text, {})[one.live.id] = one.live.name
    return names
