"""Loads the demo's packs and agents into a desk. Doing it again restores documents and the agents' grounding
modes, and touches nothing else."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.demo.catalog import Agent, Pack, agents, packs, sources
from refdesk.demo.make import write
from refdesk.desk import Base, Desk
from refdesk.errors import Failed, NotFound, Refusal
from refdesk.ingest.context import Progress, silent

POLL = 0.2  # seconds between looks at documents that another process works on


@dataclass(frozen=True, slots=True)
class Seeded:
    """``documents`` and ``passages`` count what the demo's packs hold now, ``by_meaning`` the packs that are
    searched by meaning as well."""

    packs: int
    documents: int
    passages: int
    agents: int
    by_meaning: int
    seconds: float


def seed(desk: Desk, progress: Progress = silent) -> Seeded:
    """``load``, then ``embed``: each document is ready when this returns."""
    loaded = load(desk, progress)
    return held(desk, loaded.seconds + embed(desk, progress))


def load(desk: Desk, progress: Progress = silent) -> Seeded:
    """Every document is found by keyword when this returns, those that came now not by meaning yet. Raises
    ``Refusal`` where the project's policy does not take the demo."""
    started = time.monotonic()
    _check_kinds(desk)
    made = set()
    files = [0, sum(1 for pack in packs() for _ in sources(pack))]

    def read(stage: str, name: str, done: int, total: int) -> None:
        if stage == "read":
            files[0] += 1
            progress("read", name, *files)

    for pack in packs():
        base = desk.bases.find(pack.name)
        if base is None:
            made.add(pack.name)
            base = desk.bases.create(
                pack.name, description=pack.description, kind=pack.kind, vectors_later=True
            )
        _restore(base, pack, read)
    for agent in agents():
        _agent(desk, agent, made)
    return held(desk, time.monotonic() - started)


def embed(desk: Desk, progress: Progress = silent) -> float:
    """Gives the packs the vectors that they lack, and tries again what failed; documents that have theirs are
    not embedded again. Returns the seconds that it took. Raises ``Failed`` where a document is not ready."""
    started = time.monotonic()
    bases = _bases(desk)
    if sum(base.reindex() for base in bases.values()):
        total = sum(document.passages or 0 for base in bases.values() for document in base.list_documents())
        told = _whole(progress, total)
        desk.work(progress=told)
        while any(_unfinished(base) for base in bases.values()):
            time.sleep(POLL)
            desk.work(progress=told)  # what a worker elsewhere had and gave up
    for pack in packs():
        _check_ready(bases[pack.name], {source.name for source in sources(pack)})
    return time.monotonic() - started


def reset(desk: Desk) -> None:
    """Removes the demo's packs, with what others added to them, and its agents."""
    for agent in agents():
        try:
            desk.agents.delete(agent.name)
        except NotFound:
            continue
    for base in _bases(desk).values():
        base.delete()


def held(desk: Desk, seconds: float) -> Seeded:
    bases = _bases(desk)
    documents = [document for base in bases.values() for document in base.list_documents()]
    return Seeded(
        packs=len(bases),
        documents=len(documents),
        passages=sum(document.passages or 0 for document in documents),
        agents=len(agents()),
        by_meaning=sum(base.embedding_account_id is not None for base in bases.values()),
        seconds=seconds,
    )


def _check_kinds(desk: Desk) -> None:
    missing = {source.format for pack in packs() for source in sources(pack)} - set(
        desk.policy.documents.kinds
    )
    if missing:
        raise Refusal(
            f"The demo has documents of the kinds {', '.join(sorted(missing))}, which the policy "
            f"{desk.policy.name} does not take: seed a project with the policy packs.",
            code="unsupported_type",
        )


def _bases(desk: Desk) -> Mapping[str, Base]:
    found = {pack.name: desk.bases.find(pack.name) for pack in packs()}
    return {name: base for name, base in found.items() if base is not None}


def _restore(base: Base, pack: Pack, progress: Progress) -> None:
    with TemporaryDirectory(prefix="refdesk-demo-") as folder:
        added = base.add(*write(pack, Path(folder)), wait=True, progress=progress)
    for document in added.documents:
        if document.state == "refused":
            raise Failed(f"The demo's {document.name} is refused: {document.error}")


def _check_ready(base: Base, names: set[str]) -> None:
    for document in base.list_documents():
        if document.state == "failed" and document.name in names:
            raise Failed(f"The demo's {document.name} is not ready: {document.error}", code=document.code)


def _agent(desk: Desk, agent: Agent, made: set[str]) -> None:
    """One that is there keeps its prompt and its grants; of packs that were gone it lost the grant, and is
    given it again."""
    try:
        there = desk.agents.get(agent.name)
    except NotFound:
        desk.agents.create(agent.name, prompt=agent.prompt, grounding=agent.grounding, bases=agent.packs)
        return
    again = [name for name in agent.packs if name in made]
    if again:
        desk.agents.update(agent.name, grounding=agent.grounding, bases=[*there.knowledge_base_ids, *again])
    else:
        desk.agents.update(agent.name, grounding=agent.grounding)


def _whole(progress: Progress, total: int) -> Progress:
    """Passages of all documents, where the desk tells those of one."""
    done: dict[str, int] = {}

    def told(stage: str, name: str, passages: int, of: int) -> None:
        if stage == "embed":
            done[name] = passages
            progress("embed", name, sum(done.values()), total)

    return told


def _unfinished(base: Base) -> int:
    now = base.progress()
    return now.queued + now.indexing
