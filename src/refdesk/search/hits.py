"""The ranking's best as hits: only what is issued has its text fetched."""

from __future__ import annotations

from collections.abc import Sequence

from refdesk.index.model import Stored
from refdesk.search.budget import within
from refdesk.search.guard import Guard
from refdesk.search.halves import Seen, same_text, scores
from refdesk.search.model import Hit
from refdesk.search.run import Run


def hits_of(
    ranking: Sequence[tuple[bytes, float]],
    by_words: Sequence[Seen],
    by_sense: Sequence[Seen],
    run: Run,
    guard: Guard,
) -> list[Hit]:
    wanted = {key for key, _ in ranking}
    first: dict[bytes, Seen] = {}
    for one in (*by_words, *by_sense):
        if one.text in wanted:
            first.setdefault(one.text, one)
    texts = _texts([first[key] for key, _ in ranking])
    there = [(key, score) for key, score in ranking if first[key].key in texts]
    if len(there) < len(ranking):
        guard.gone()
    ranking = there
    stored = [texts[first[key].key] for key, _ in ranking]
    # the k come before their spares, which may have the better score and take its place among the issued
    issued = list(within([one.text for one in stored], run.k, run.most))
    issued.sort(key=lambda one: -ranking[one[0]][1])
    others = _others([ranking[index][0] for index, _, _ in issued], run, guard)
    words = {one.text for one in by_words}
    cosines = scores([one for one in by_sense if one.text in wanted])
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


def _others(texts: Sequence[bytes], run: Run, guard: Guard) -> dict[bytes, dict[str, str]]:
    """The documents that hold each text, their names by id (W9)."""
    names: dict[bytes, dict[str, str]] = {}
    for one in same_text(texts, run.bases, guard):
        names.setdefault(one.text, {})[one.live.id] = one.live.name
    return names


def _texts(seen: Sequence[Seen]) -> dict[tuple[str, int], Stored]:
    texts: dict[tuple[str, int], Stored] = {}
    for base in {one.base.id: one.base for one in seen}.values():
        keys = [one.candidate.key for one in seen if one.base.id == base.id]
        texts |= {(base.id, key): stored for key, stored in base.index.stored(keys).items()}
    return texts
