"""The facade: what every door calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from refdesk.catalog.bases import Located
from refdesk.desk.bases import Base, Bases
from refdesk.desk.documents import Documents
from refdesk.desk.parts import Parts
from refdesk.desk.runs import Runs
from refdesk.desk.visible import Granted
from refdesk.embedding.calibration import similarity
from refdesk.embedding.model import Embedder
from refdesk.embedding.scripts import reads
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


class Desk:
    """One project of one home. A context manager; ``close`` ends its reading children."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.bases = Bases(parts)
        self.documents = Documents(parts)
        self.runs = Runs(parts)
        settle(parts.context)  # what a crash cut is finished here

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
        project has another policy."""
        settings = settings or Settings()
        folder = settings.home_folder() if home is None else Path(home).expanduser().absolute()
        return cls(Parts(folder, settings, project, policy, embedders or {}))

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
    ) -> Found:
        """``bases`` by object, name or id; ``deadline`` in seconds. A base that does not exist is
        ``NotFound``; an empty one finds nothing."""
        located = self._located(bases)
        searched = [self._searched(base) for base in located]
        found = search(
            question,
            searched,
            Granted(self._parts.catalog, [base.id for base in searched]),
            self.policy.search,
            meaning=self._meaning(located, searched),
            mode=mode,
            top_k=top_k,
            min_score=min_score,
            deadline=deadline,
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

        question = checked_question(question, self.policy.search)  # as it is searched, so it is kept
        chat = open_model(model)
        found = self.search(question, bases, top_k=self.policy.answers.references)
        run = answer(
            question,
            found,
            grounding=grounding or self.policy.agents.grounding,
            model=chat,
            policy=self.policy,
            person=self._parts.person,
        )
        self.runs.keep(run)
        return run

    def work(self, *, progress: Progress = silent) -> int:
        """Works the queue of every project until nothing can be claimed; returns how many were done."""
        from refdesk.desk.adding import work

        return work(self._parts, progress)

    def limits(self) -> Sequence[PolicyLine]:
        """Every limit in force, with the requirement that it comes from."""
        return lines_in_force(self._parts.project.policy, self._parts.project.overrides)

    def close(self) -> None:
        self._parts.close()

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

    def _searched(self, base: Located) -> Searched:
        index = self._parts.index(base.id)
        settings = IndexSettings(index)
        empty = index.statistics(()).passages == 0
        return Searched(
            id=base.id,
            name=base.name,
            index=index,
            languages=settings.languages,
            fingerprint=settings.fingerprint,
            why_keyword=None if empty else self._why_keyword(base),
            notes=[self._nothing_ready(base)] if empty else self._outdated(base, settings),
        )

    def _why_keyword(self, base: Located) -> str | None:
        if self.policy.embedding.default_account is None:
            return None
        pull = "" if base.embedding_account_id else "`refdesk models pull`, then "
        return (
            f"Base {base.name} has no vectors, so keyword search answered: "
            f'run {pull}`refdesk reindex --base "{base.name}"`.'
        )

    def _with_nothing_ready(self, located: Sequence[Located], found: Found) -> tuple[str, ...]:
        """The index may hold what is reprocessed just now and seen by nobody (A4)."""
        bare = [base for base in located if self.bases.get(base.id).ready_chars == 0]
        return tuple(dict.fromkeys((*map(self._nothing_ready, bare), *found.notes)))

    def _nothing_ready(self, base: Located) -> str:
        documents = self.bases.get(base.id).documents
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
            if its.fingerprint is None or base.embedding_account_id is None:
                continue
            try:
                embedder = self._parts.embedder(base.embedding_account_id)
            except Failed:
                continue
            return _calibrated(embedder)
        return None


def _calibrated(embedder: Embedder) -> Meaning:
    fingerprint = embedder.fingerprint
    return Meaning(embedder, partial(similarity, fingerprint), partial(reads, fingerprint))
