"""What exists and who may see it. The catalog decides; everything else proposes."""

from __future__ import annotations

from pathlib import Path

from refdesk.catalog.accounts import Accounts
from refdesk.catalog.agents import Agents
from refdesk.catalog.audit import Audit
from refdesk.catalog.bases import Bases
from refdesk.catalog.calls import Calls
from refdesk.catalog.connect import Database
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
from refdesk.catalog.visible import Visible


class Catalog:
    """One database, one object per aggregate; the SQL of each stands in its module."""

    def __init__(self, where: Path | str) -> None:
        self.database = Database(where)
        self.projects = Projects(self.database)
        self.bases = Bases(self.database)
        self.agents = Agents(self.database)
        self.documents = Documents(self.database)
        self.visible = Visible(self.database)
        self.texts = Texts(self.database)
        self.figures = Figures(self.database)
        self.queue = Queue(self.database)
        self.progress = Progress(self.database)
        self.slots = Slots(self.database)
        self.removals = Removals(self.database)
        self.runs = Runs(self.database)
        self.ratings = Ratings(self.database)
        self.calls = Calls(self.database)
        self.people = People(self.database)
        self.keys = Keys(self.database)
        self.sessions = Sessions(self.database)
        self.links = Links(self.database)
        self.audit = Audit(self.database)
        self.accounts = Accounts(self.database)
        self.replies = Replies(self.database)

    def close(self) -> None:
        self.database.close()


__all__ = ["Catalog"]
