"""The ranking's best as hits: only what is issued has its text fetched."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from refdesk.index.model import Stored
from refdesk.search.budget import within
from refdesk.search.guard import Guard
from refdesk.search.halves import TEXT, Proposed, Searched, let_through
from refdesk.search.model import Hit
from refdesk.search.run import Run


def hits_of(
    ranking: Sequence[tuple[bytes, float]],
    words: Mapping[bytes, Proposed],
    senses: Mapping[bytes, Proposed],
    compared: Mapping[bytes, Proposed],
    *,
    run: Run,
    guard: Guard,
) -> list[Hit]:
    """The halves' best passages by text; ``compared`` are ``senses`` and what ``min_score`` took out."""
    ranked = [(words.get(text) or senses[text], text, score) for text, score in ranking]
    texts, same = _read([(one, text) for one, text, _ in ranked], run.bases)
    there = [one for one in ranked if _key(one[0]) in texts]
    if len(there) < len(ranked):
        guard.gone()
    stored = [texts[_key(one)] for one, _, _ in there]
    # the k come before their spares, which may have the better score and take its place among the issued
    issued = list(within([one.text for one in stored], run.k, run.most))
    issued.sort(key=lambda one: -there[one[0]][2])
    others = _others({there[index][1] for index, _, _ in issued}, same, guard)
    hits = []
    for number, (index, issued_text, truncated) in enumerate(issued, start=1):
        (base, candidate), text, score = there[index]
        kept = stored[index]
        live = guard.seen(base.id, candidate.document)
        cosine = compared[text][1].score if text in compared else None
        hits.append(
            Hit(
                number=number,
                base=base.name,
                document=live.id,
                name=live.name,
                title=live.title,
                source_url=live.source_url,
                metadata=dict(live.metadata),
                section=kept.section or None,
                page=kept.page,
                position=kept.position,
                text=issued_text,
                similarity=run.similarity(cosine),
                cosine=None if cosine is None else round(cosine, 4),
                found_by=(("keyword",) if text in words else ()) + (("meaning",) if text in senses else ()),
                also_in=tuple(name for other, name in others.get(text, {}).items() if other != live.id),
                truncated=truncated,
                score=score,
                version=live.version,
            )
        )
    return hits


def _key(one: Proposed) -> tuple[str, int]:
    base, candidate = one
    return base.id, candidate.key


def _read(
    ranked: Sequence[tuple[Proposed, bytes]], bases: Sequence[Searched]
) -> tuple[Mapping[tuple[str, int], Stored], Sequence[Proposed]]:
    """What was ranked, as it is kept, by base and key; and every passage with one of its texts."""
    texts: dict[tuple[str, int], Stored] = {}
    same: list[Proposed] = []
    for base in bases:
        wanted = [(text, candidate.key if its is base else None) for (its, candidate), text in ranked]
        stored, candidates = base.index.issued(wanted)
        texts |= {(base.id, key): kept for key, kept in stored.items()}
        same += [(base, candidate) for candidate in candidates]
    return texts, same


def _others(texts: Collection[bytes], same: Sequence[Proposed], guard: Guard) -> dict[bytes, dict[str, str]]:
    """The visible documents that hold each text which several passages have, their names by id (W9)."""
    names: dict[bytes, dict[str, str]] = {}
    shared = [one for one in same if one[1].digest[:TEXT] in texts]
    if len(shared) > len(texts):
        for base, candidate in let_through(shared, guard, strict=False):
            live = guard.seen(base.id, candidate.document)
            names.setdefault(candidate.digest[:TEXT], {})[live.id] = live.name
    return names
