"""A question to bases of a project: which bases, with which model, and what is said where one has less."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from refdesk.catalog.asked import Located
from refdesk.catalog.common import name_key
from refdesk.desk.embedding import account_in_force
from refdesk.desk.naming import as_stored
from refdesk.desk.parts import Parts
from refdesk.desk.visible import Granted
from refdesk.embedding.calibration import similarity
from refdesk.embedding.model import Embedder
from refdesk.embedding.scripts import multilingual, reads
from refdesk.errors import Failed, NotFound, UsageError
from refdesk.index.analysis import VERSION
from refdesk.ingest.settings import IndexSettings
from refdesk.search import Found, Meaning, Searched, search

if TYPE_CHECKING:
    from refdesk.desk.bases import Base


def find(
    parts: Parts,
    question: str,
    bases: Sequence[Base | str],
    wanted: Mapping[str, str] | None = None,
    **options: Any,
) -> Found:
    """As ``Desk.search``; ``wanted`` is its filter."""
    return find_in(parts, question, located(parts, bases), wanted, **options)


def find_in(
    parts: Parts,
    question: str,
    located: Sequence[Located],
    wanted: Mapping[str, str] | None = None,
    **options: Any,
) -> Found:
    """As ``find``, in bases that are known to be within reach; where there is none, nothing is found."""
    meaning, searched = _asked_with_one(parts, located, [_searched(parts, base) for base in located])
    found = search(
        question,
        searched,
        Granted(parts.catalog, [base.id for base in searched], wanted),
        parts.policy.search,
        meaning=meaning,
        **options,
    )
    return found if found.hits else replace(found, notes=_with_nothing_ready(parts, located, found))


def located(parts: Parts, bases: Sequence[Base | str]) -> list[Located]:
    """``bases`` by object, name or id, each once. Raises ``NotFound``, ``UsageError`` where there is none."""
    if not bases:
        raise UsageError("No base was named: name at least one to search.")
    wanted = [as_stored(base) if isinstance(base, str) else base.id for base in bases]
    if (agent := parts.principal.agent) is not None:
        found = _of_agent(parts, agent, wanted)
    else:
        found = [parts.catalog.asked.bases.locate(parts.project, name) for name in wanted]
    return list({base.id: base for base in found}.values())


def _of_agent(parts: Parts, agent: str, wanted: Sequence[str]) -> list[Located]:
    granted = parts.catalog.asked.bases.granted(parts.project, agent)
    known = {base.id: base for base in granted} | {name_key(base.name): base for base in granted}
    found = []
    for name in wanted:
        base = known.get(name) or known.get(name_key(name))
        if base is None:
            names = ", ".join(one.name for one in granted) or "none"
            raise NotFound(f"The agent reads no base {name!r}; the bases that it reads: {names}.")
        found.append(base)
    return found


def _searched(parts: Parts, base: Located) -> Searched:
    index = parts.index(base.id)
    settings = IndexSettings(index)
    empty = index.statistics(()).passages == 0
    its = _embedding(parts, base) if settings.fingerprint else None
    why = its if isinstance(its, str) else None
    if its is None and not empty:
        why = _why_keyword(parts, base)
    return Searched(
        id=base.id,
        name=base.name,
        index=index,
        languages=settings.languages,
        fingerprint=None if its is None or isinstance(its, str) else settings.fingerprint,
        why_keyword=None if empty else why,
        notes=[_nothing_ready(parts, base)] if empty else _outdated(base, settings),
        wordy=_wanted(parts, base) is None,
    )


def _wanted(parts: Parts, base: Located) -> str | None:
    """The account that its vectors are of, or will be once its model is there; ``None``: keyword was
    chosen."""
    return base.embedding_account_id or (
        parts.policy.embedding.default_account if base.follows_policy else None
    )


def _why_keyword(parts: Parts, base: Located) -> str | None:
    """Of a base without vectors; ``None`` where keyword search was chosen."""
    account = base.embedding_account_id
    if _wanted(parts, base) is None:
        return None
    if account and (waiting := parts.catalog.documents.waiting(base.id)):
        return f"Base {base.name} has no vectors yet, so keyword search answered: {waiting} pending."
    pull = "" if account else "`refdesk models pull`, then "
    return (
        f"Base {base.name} has no vectors, so keyword search answered: "
        f'run {pull}`refdesk reindex --base "{base.name}"`.'
    )


def _embedding(parts: Parts, base: Located) -> Embedder | str | None:
    """The model that a question to the base is asked with, or why it cannot be used."""
    account = account_in_force(parts, base)
    if account is None:
        return None
    try:
        return parts.embedder(account)
    except Failed as error:
        return f"Base {base.name} was searched by keyword. {error.message}"


def _with_nothing_ready(parts: Parts, located: Sequence[Located], found: Found) -> tuple[str, ...]:
    """The index may hold what is reprocessed just now and seen by nobody (A4)."""
    bare = [base for base in located if parts.catalog.bases.counts(base.id).ready_chars == 0]
    return tuple(dict.fromkeys((*(_nothing_ready(parts, base) for base in bare), *found.notes)))


def _nothing_ready(parts: Parts, base: Located) -> str:
    documents = parts.catalog.bases.counts(base.id).documents
    return f"Base {base.name} {'has no document that is ready' if documents else 'is empty'}."


def _outdated(base: Located, settings: IndexSettings) -> Sequence[str]:
    if settings.analyzer in {None, VERSION}:
        return []
    return [
        f"Base {base.name} was indexed by another version of the analyzer: "
        f'run `refdesk reindex --base "{base.name}"`.'
    ]


def _asked_with_one(
    parts: Parts, located: Sequence[Located], searched: Sequence[Searched]
) -> tuple[Meaning | None, Sequence[Searched]]:
    """The model of the first base with vectors whose account can be used here, and the bases as this question
    can be put to them: scores of two models do not compare."""
    asked: tuple[str, Embedder] | None = None
    put: list[Searched] = []
    for base, its in zip(located, searched, strict=True):
        embedder = _embedding(parts, base) if its.fingerprint is not None else None
        if embedder is None or isinstance(embedder, str):
            put.append(its)
            continue
        asked = asked or (base.name, embedder)
        key = embedder.fingerprint.key
        if key == asked[1].fingerprint.key or key != its.fingerprint:
            put.append(its)
        else:
            why = (
                f"Base {base.name} was searched by keyword: it has another embedding model than base "
                f"{asked[0]}, and a question is asked with one. Ask it by itself to search it by meaning."
            )
            put.append(replace(its, fingerprint=None, why_keyword=why))
    return (None if asked is None else _calibrated(asked[1])), put


def _calibrated(embedder: Embedder) -> Meaning:
    fingerprint = embedder.fingerprint
    return Meaning(
        embedder, partial(similarity, fingerprint), partial(reads, fingerprint), multilingual(fingerprint)
    )
