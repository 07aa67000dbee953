"""The facade: what every door calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from refdesk.access import LOCAL, Principal
from refdesk.catalog.bases import BaseRow, Located
from refdesk.catalog.common import Actor
from refdesk.desk.accounts import Accounts
from refdesk.desk.audit import Audit
from refdesk.desk.bases import Base, Bases
from refdesk.desk.documents import Documents
from refdesk.desk.embedding import account_in_force
from refdesk.desk.house import House
from refdesk.desk.keys import Keys
from refdesk.desk.parts import Parts
from refdesk.desk.people import People, Sessions
from refdesk.desk.projects import Projects, reached
from refdesk.desk.replies import Replies
from refdesk.desk.runs import Runs, keep
from refdesk.desk.visible import Granted
from refdesk.embedding.calibration import similarity
from refdesk.embedding.model import Embedder
from refdesk.embedding.scripts import multilingual, reads
from refdesk.errors import Failed, UsageError
from refdesk.index.analysis import VERSION
from refdesk.ingest.context import Progress, silent
from refdesk.ingest.removals import settle
from refdesk.ingest.settings import IndexSettings
from refdesk.policy import Policy, PolicyLine, lines_in_force
from refdesk.policy.model import Grounding, Mode
from refdesk.search import Found, Meaning, Searched, search
from refdesk.search.question import checked_question
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.answer.model import Run
    from refdesk.desk.pool import WorkerPool


class Desk:
    """One project of one home, for one principal. A context manager; ``close`` ends its reading children.
    Every method asks once whether the principal may, and raises ``NotFound`` or ``NotPermitted``."""

    def __init__(self, parts: Parts, *, opened: bool = False) -> None:
        self._parts = parts
        self._opened = opened
        self.accounts = Accounts(parts)
        self.bases = Bases(parts)
        self.documents = Documents(parts)
        self.runs = Runs(parts)
        self.projects = Projects(parts.house, parts.principal)
        self.keys = Keys(parts)
        self.people = People(parts)
        self.sessions = Sessions(parts)
        self.audit = Audit(parts)
        self.replies = Replies(parts)

    @classmethod
    def open(
        cls,
        home: str | Path | None = None,
        *,
        project: str = "default",
        policy: str | None = None,
        settings: Settings | None = None,
        embedders: Mapping[str, Embedder] | None = None,
    ) -> Self:
        """Makes the home and the project on first use (policy packs unless told). ``embedders`` are embedding
        models of your own by the name of their account. Raises ``UsageError`` (``policy_fixed``) where the
        project has another policy. Whoever can open the home is its administrator, recorded as ``local``."""
        house = House.open(home, settings, embedders)
        settle(house.context)  # what a crash cut is finished here
        local = Actor(LOCAL.name, None, None)
        its = house.catalog.projects.open(project, policy, "packs", local)
        return cls(Parts(house, its, LOCAL), opened=True)

    def acting(self, principal: Principal, project: str | None = None) -> Desk:
        """The same desk for somebody else, sharing everything that is open: it needs no closing, and closes
        nothing. ``project`` by slug or id; else the principal's own, or this desk's. Raises ``NotFound``
        where it is outside the principal's reach."""
        house = self._parts.house
        wanted = project or principal.project or self._parts.project.id
        return Desk(Parts(house, reached(house, principal, wanted), principal))

    @property
    def principal(self) -> Principal:
        return self._parts.principal

    @property
    def policy(self) -> Policy:
        return self._parts.policy

    @property
    def settings(self) -> Settings:
        return self._parts.settings

    @property
    def home(self) -> Path:
        return self._parts.home

    @property
    def project(self) -> str:
        return self._parts.project.slug

    def search(
        self,
        question: str,
        bases: Sequence[Base | str],
        *,
        mode: Mode | None = None,
        top_k: int | None = None,
        min_score: float | None = None,
        deadline: float | None = None,
        filter: Mapping[str, str] | None = None,  # noqa: A002
    ) -> Found:
        """``bases`` by object, name or id; ``deadline`` in seconds; ``filter``: values that a document's
        metadata must have. A base that does not exist is
        ``NotFound``; an empty one finds nothing."""
        self._parts.authorize("search")
        return self._search(
            question, bases, filter, mode=mode, top_k=top_k, min_score=min_score, deadline=deadline
        )

    def _search(
        self,
        question: str,
        bases: Sequence[Base | str],
        wanted: Mapping[str, str] | None = None,
        **options: Any,
    ) -> Found:
        located = self._located(bases)
        searched = [self._searched(base) for base in located]
        found = search(
            question,
            searched,
            Granted(self._parts.catalog, [base.id for base in searched], wanted),
            self.policy.search,
            meaning=self._meaning(located, searched),
            **options,
        )
        return found if found.hits else replace(found, notes=self._with_nothing_ready(located, found))

    def ask(
        self,
        question: str,
        bases: Sequence[Base | str],
        *,
        grounding: Grounding | None = None,
        model: str | None = None,
    ) -> Run:
        """One run, kept as a receipt. Grounding is preferred unless told; the model is the quoting model."""
        from refdesk.answer.models import open_model  # a search needs none of this layer
        from refdesk.answer.run import answer

        self._parts.authorize("base.ask")
        question = checked_question(question, self.policy.search)  # as it is searched, so it is kept
        chat = open_model(model)
        found = self._search(question, bases, top_k=self.policy.answers.references)
        run = answer(
            question,
            found,
            grounding=grounding or self.policy.agents.grounding,
            model=chat,
            policy=self.policy,
            person=self.principal.name,
        )
        keep(self._parts, run)
        return run

    def work(self, *, progress: Progress = silent) -> int:
        """Works the queue of every project until nothing can be claimed; returns how many were done."""
        from refdesk.desk.adding import work

        self._parts.authorize_installation("queue.work")
        return work(self._parts, progress)

    def workers(self, processes: int | None = None) -> WorkerPool:
        """Processes that work the queue of every project beside this one, for as long as the context manager
        that this gives is open; as many as the settings say unless told."""
        from refdesk.desk.pool import WorkerPool

        self._parts.authorize_installation("queue.work")
        house = self._parts.house
        return WorkerPool(house, house.settings.workers if processes is None else processes)

    def limits(self) -> Sequence[PolicyLine]:
        """Every limit in force, with the requirement that it comes from."""
        self._parts.authorize("limits.read")
        return lines_in_force(self._parts.project.policy, self._parts.project.overrides)

    def check(self) -> None:
        """Raises ``Failed`` where the catalog does not answer."""
        self._parts.authorize_installation("sign_in")
        self._parts.catalog.database.check()

    def close(self) -> None:
        if self._opened:
            self._parts.house.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _located(self, bases: Sequence[Base | str]) -> list[Located]:
        if not bases:
            raise UsageError("No base was named: name at least one to search.")
        wanted = [base.id if isinstance(base, Base) else base for base in bases]
        found = [self._parts.catalog.bases.locate(self._parts.project, name) for name in wanted]
        return list({base.id: base for base in found}.values())

    def _row(self, base: Located) -> BaseRow:
        return self._parts.catalog.bases.get(self._parts.project, base.id)

    def _searched(self, base: Located) -> Searched:
        index = self._parts.index(base.id)
        settings = IndexSettings(index)
        empty = index.statistics(()).passages == 0
        its = self._embedding(base) if settings.fingerprint else None
        why = its if isinstance(its, str) else None
        if its is None and not empty:
            why = self._why_keyword(base)
        return Searched(
            id=base.id,
            name=base.name,
            index=index,
            languages=settings.languages,
            fingerprint=None if its is None or isinstance(its, str) else settings.fingerprint,
            why_keyword=None if empty else why,
            notes=[self._nothing_ready(base)] if empty else self._outdated(base, settings),
        )

    def _why_keyword(self, base: Located) -> str | None:
        """Of a base without vectors; ``None`` where keyword search was chosen."""
        account = base.embedding_account_id
        wanted = account or (base.follows_policy and self.policy.embedding.default_account)
        if not wanted:
            return None
        if account and (waiting := self._parts.catalog.documents.waiting(base.id)):
            return f"Base {base.name} has no vectors yet, so keyword search answered: {waiting} pending."
        pull = "" if account else "`refdesk models pull`, then "
        return (
            f"Base {base.name} has no vectors, so keyword search answered: "
            f'run {pull}`refdesk reindex --base "{base.name}"`.'
        )

    def _embedding(self, base: Located) -> Embedder | str | None:
        """The model that a question to the base is asked with, or why it cannot be used."""
        account = account_in_force(self._parts, base)
        if account is None:
            return None
        try:
            return self._parts.embedder(account)
        except Failed as error:
            return f"Base {base.name} was searched by keyword. {error.message}"

    def _with_nothing_ready(self, located: Sequence[Located], found: Found) -> tuple[str, ...]:
        """The index may hold what is reprocessed just now and seen by nobody (A4)."""
        bare = [base for base in located if self._row(base).ready_chars == 0]
        return tuple(dict.fromkeys((*map(self._nothing_ready, bare), *found.notes)))

    def _nothing_ready(self, base: Located) -> str:
        documents = self._row(base).documents
        return f"Base {base.name} {'has no document that is ready' if documents else 'is empty'}."

    @staticmethod
    def _outdated(base: Located, settings: IndexSettings) -> Sequence[str]:
        if settings.analyzer in {None, VERSION}:
            return []
        return [
            f"Base {base.name} was indexed by another version of the analyzer: "
            f'run `refdesk reindex --base "{base.name}"`.'
        ]

    def _meaning(self, located: Sequence[Located], searched: Sequence[Searched]) -> Meaning | None:
        """The model of the first base with vectors whose account can be used here."""
        for base, its in zip(located, searched, strict=True):
            if its.fingerprint is not None:
                embedder = self._embedding(base)
                if embedder is not None and not isinstance(embedder, str):
                    return _calibrated(embedder)
        return None


def _calibrated(embedder: Embedder) -> Meaning:
    fingerprint = embedder.fingerprint
    return Meaning(
        embedder, partial(similarity, fingerprint), partial(reads, fingerprint), multilingual(fingerprint)
    )
