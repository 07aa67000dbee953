"""The facade: what every door calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from refdesk.access import LOCAL, Principal
from refdesk.desk.house import House
from refdesk.desk.parts import Parts
from refdesk.desk.searching import find
from refdesk.embedding.model import Embedder
from refdesk.ingest.context import Progress, silent
from refdesk.policy import Policy, PolicyLine, lines_in_force
from refdesk.policy.model import Grounding, Mode
from refdesk.search import Found
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.answer.model import Reference, Run
    from refdesk.desk.accounts import Accounts
    from refdesk.desk.agents import Agents
    from refdesk.desk.audit import Audit
    from refdesk.desk.bases import Base, Bases
    from refdesk.desk.calls import Calls
    from refdesk.desk.documents import Documents
    from refdesk.desk.intake import Intake
    from refdesk.desk.keys import Keys
    from refdesk.desk.lookups import Lookups
    from refdesk.desk.people import People
    from refdesk.desk.pool import WorkerPool
    from refdesk.desk.projects import Projects
    from refdesk.desk.replies import Replies
    from refdesk.desk.runs import Runs
    from refdesk.desk.sessions import Sessions


class Desk:
    """One project of one home, for one principal. A context manager; ``close`` ends its reading children.
    Every method asks once whether the principal may, and raises ``NotFound`` or ``NotPermitted``."""

    def __init__(self, parts: Parts, *, opened: bool = False) -> None:
        self._parts = parts
        self._opened = opened

    @cached_property
    def accounts(self) -> Accounts:
        from refdesk.desk.accounts import Accounts

        return Accounts(self._parts)

    @cached_property
    def agents(self) -> Agents:
        from refdesk.desk.agents import Agents

        return Agents(self._parts)

    @cached_property
    def bases(self) -> Bases:
        from refdesk.desk.bases import Bases

        return Bases(self._parts)

    @cached_property
    def documents(self) -> Documents:
        from refdesk.desk.documents import Documents

        return Documents(self._parts)

    @cached_property
    def runs(self) -> Runs:
        from refdesk.desk.runs import Runs

        return Runs(self._parts)

    @cached_property
    def calls(self) -> Calls:
        from refdesk.desk.calls import Calls

        return Calls(self._parts)

    @cached_property
    def keys(self) -> Keys:
        from refdesk.desk.keys import Keys

        return Keys(self._parts)

    @cached_property
    def lookups(self) -> Lookups:
        from refdesk.desk.lookups import Lookups

        return Lookups(self._parts)

    @cached_property
    def people(self) -> People:
        from refdesk.desk.people import People

        return People(self._parts)

    @cached_property
    def sessions(self) -> Sessions:
        from refdesk.desk.sessions import Sessions

        return Sessions(self._parts)

    @cached_property
    def audit(self) -> Audit:
        from refdesk.desk.audit import Audit

        return Audit(self._parts)

    @cached_property
    def replies(self) -> Replies:
        from refdesk.desk.replies import Replies

        return Replies(self._parts)

    @cached_property
    def projects(self) -> Projects:
        from refdesk.desk.projects import Projects

        return Projects(self._parts.house, self._parts.principal)

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
        house.settle()
        return cls(Parts(house, house.project(project, policy, "packs"), LOCAL), opened=True)

    def acting(self, principal: Principal, project: str | None = None) -> Desk:
        """The same desk for somebody else, sharing everything that is open: it needs no closing, and closes
        nothing. ``project`` by slug or id; else the principal's own, or this desk's. Raises ``NotFound``
        where it is outside the principal's reach."""
        from refdesk.desk.projects import reached

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
        metadata must have. A base that does not exist, or that the agent of a bound key does not read, is
        ``NotFound``; an empty one finds nothing."""
        self._parts.authorize("search", agent=self.principal.agent)
        options = {"mode": mode, "top_k": top_k, "min_score": min_score, "deadline": deadline}
        return find(self._parts, question, bases, filter, **options)

    def ask(
        self,
        question: str,
        bases: Sequence[Base | str] = (),
        *,
        agent: str | None = None,
        grounding: Grounding | None = None,
        model: str | None = None,
        issued: Callable[[Sequence[Reference]], None] | None = None,
        said: Callable[[str | None], None] | None = None,
    ) -> Run:
        """One run, kept as a receipt: of an agent (name or id), which answers from the bases that it reads at
        the time, or of ``bases``. Grounding and model are the agent's unless told; without one, preferred and
        the quoting model. ``issued`` is told the references before the model is asked, and again where it
        looks up more; ``said`` each piece of the answer as it comes, and ``None`` where what came so far is
        not the answer."""
        from refdesk.answer.ground import unheard  # a search needs none of this layer
        from refdesk.desk.asking import Asked, ask_agent, ask_bases

        asked = Asked(question, grounding, model, issued or unheard, said)
        if agent is None:
            return ask_bases(self._parts, asked, bases)
        return ask_agent(self._parts, asked, agent, bases)

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

    def intake(self) -> Intake:
        """A process that accepts what is uploaded to this desk, or to one that acts for somebody else, for as
        long as the context manager that this gives is open: a server's searches do not wait for it."""
        from refdesk.desk.intake import Intake

        self._parts.authorize_installation("queue.work")
        return Intake(self._parts.house)

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
