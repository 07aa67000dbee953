"""What exists and who may see it. The catalog decides; everything else proposes."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.catalog.asked import Debts, KnownBases, KnownProjects
from refdesk.catalog.connect import Database
from refdesk.catalog.visible import Visible

if TYPE_CHECKING:
    from refdesk.catalog.accounts import Accounts
    from refdesk.catalog.agents import Agents
    from refdesk.catalog.audit import Audit
    from refdesk.catalog.bases import Bases
    from refdesk.catalog.calls import Calls
    from refdesk.catalog.documents import Documents
    from refdesk.catalog.figures import Figures
    from refdesk.catalog.keys import Keys
    from refdesk.catalog.people import People
    from refdesk.catalog.progress import Progress
    from refdesk.catalog.projects import Projects
    from refdesk.catalog.queue import Queue
    from refdesk.catalog.ratings import Ratings
    from refdesk.catalog.removals import Removals
    from refdesk.catalog.replies import Replies
    from refdesk.catalog.runs import Runs
    from refdesk.catalog.sessions import Links, Sessions
    from refdesk.catalog.slots import Slots
    from refdesk.catalog.texts import Texts


class Asked:
    """What every search asks, beside ``Visible``."""

    def __init__(self, database: Database) -> None:
        self.projects = KnownProjects(database)
        self.bases = KnownBases(database)
        self.removals = Debts(database)


class Catalog:
    """One database, one object per aggregate; the SQL of each stands in its module, which is imported with
    its first use: with SQLAlchemy they take as much memory as all that a search needs."""

    def __init__(self, where: Path | str) -> None:
        self.database = Database(where)
        self.asked = Asked(self.database)
        self.visible = Visible(self.database)

    @cached_property
    def accounts(self) -> Accounts:
        from refdesk.catalog.accounts import Accounts

        return Accounts(self.database)

    @cached_property
    def agents(self) -> Agents:
        from refdesk.catalog.agents import Agents

        return Agents(self.database)

    @cached_property
    def audit(self) -> Audit:
        from refdesk.catalog.audit import Audit

        return Audit(self.database)

    @cached_property
    def bases(self) -> Bases:
        from refdesk.catalog.bases import Bases

        return Bases(self.database)

    @cached_property
    def calls(self) -> Calls:
        from refdesk.catalog.calls import Calls

        return Calls(self.database)

    @cached_property
    def documents(self) -> Documents:
        from refdesk.catalog.documents import Documents

        return Documents(self.database)

    @cached_property
    def figures(self) -> Figures:
        from refdesk.catalog.figures import Figures

        return Figures(self.database)

    @cached_property
    def keys(self) -> Keys:
        from refdesk.catalog.keys import Keys

        return Keys(self.database)

    @cached_property
    def people(self) -> People:
        from refdesk.catalog.people import People

        return People(self.database)

    @cached_property
    def progress(self) -> Progress:
        from refdesk.catalog.progress import Progress

        return Progress(self.database)

    @cached_property
    def projects(self) -> Projects:
        from refdesk.catalog.projects import Projects

        return Projects(self.database)

    @cached_property
    def queue(self) -> Queue:
        from refdesk.catalog.queue import Queue

        return Queue(self.database)

    @cached_property
    def ratings(self) -> Ratings:
        from refdesk.catalog.ratings import Ratings

        return Ratings(self.database)

    @cached_property
    def removals(self) -> Removals:
        from refdesk.catalog.removals import Removals

        return Removals(self.database)

    @cached_property
    def replies(self) -> Replies:
        from refdesk.catalog.replies import Replies

        return Replies(self.database)

    @cached_property
    def runs(self) -> Runs:
        from refdesk.catalog.runs import Runs

        return Runs(self.database)

    @cached_property
    def sessions(self) -> Sessions:
        from refdesk.catalog.sessions import Sessions

        return Sessions(self.database)

    @cached_property
    def links(self) -> Links:
        from refdesk.catalog.sessions import Links

        return Links(self.database)

    @cached_property
    def slots(self) -> Slots:
        from refdesk.catalog.slots import Slots

        return Slots(self.database)

    @cached_property
    def texts(self) -> Texts:
        from refdesk.catalog.texts import Texts

        return Texts(self.database)

    def close(self) -> None:
        self.database.close()


__all__ = ["Catalog"]
