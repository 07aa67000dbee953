"""Every public method of the facade asks the access table, once, before anything else happens."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from refdesk import Desk, access
from refdesk.access import LOCAL, Principal, Resource
from refdesk.answer.model import Run
from refdesk.catalog.connect import Database
from refdesk.desk import Base
from refdesk.desk.replies import Known
from refdesk.errors import NotPermitted
from refdesk.settings import Settings
from refdesk.testing import FakeProvider, WordEmbedder

ASKED_NOTHING = {
    "Desk.open",
    "Desk.acting",
    "Desk.close",
    "Base.to_dict",
}  # who opens, who acts, and what was already given


@dataclass
class World:
    """A desk with one of everything."""

    desk: Desk
    folder: Path
    provider: FakeProvider
    base: Base
    document: str
    pictured: str
    run: Run
    numbers: Iterator[int]

    def name(self) -> str:
        return f"new-{next(self.numbers)}"

    def new_base(self) -> Base:
        return self.desk.bases.create(self.name())

    def new_file(self) -> Path:
        path = self.folder / f"{self.name()}.md"
        path.write_text(f"# {path.stem}\n\nOf no interest.")
        return path

    def new_folder(self) -> Path:
        folder = self.folder / self.name()
        folder.mkdir()
        (folder / "notes.md").write_text(f"# {folder.name}\n\nOf no interest.")
        return folder

    def new_document(self) -> str:
        return str(self.base.add(self.new_file(), wait=True).documents[0].id)

    def new_cancelled(self) -> str:
        document = self.new_queued()
        self.desk.documents.cancel(document)
        return document

    def new_queued(self) -> str:
        path = self.folder / f"{self.name()}.md"
        path.write_text(f"# {path.stem}\n\nOf no interest.")
        return str(self.base.add(path).documents[0].id)

    def new_person(self) -> str:
        return self.desk.people.create(f"{self.name()}@example.org", roles=["Member"]).email

    def new_account(self) -> str:
        url = f"{self.provider.url}/v1"
        made = self.desk.accounts.create(self.name(), "openai-compatible", model="words", base_url=url)
        return made.id

    def new_key(self) -> str:
        return self.desk.keys.create().key.id

    def new_call(self) -> str:
        return self.desk.calls.start(self.new_agent()).call.id

    def pictured_run(self) -> Run:
        run = self.desk.ask("what does the door look like?", [self.base], grounding="open")
        [door] = [one for one in run.references if one.document == self.pictured]
        assert door.number == 1
        return run

    def new_agent(self) -> str:
        return self.desk.agents.create(self.name(), bases=[self.base]).id


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("world")
    (folder / "hours.md").write_text("# Hours\n\nWe open at nine on Saturday.\n")
    Image.new("RGB", (64, 64), (200, 30, 30)).save(folder / "door.png")
    settings = Settings(cache=folder / "cache", allow_private_hosts=True)
    opened = Desk.open(folder / "desk", settings=settings, embedders={"local": WordEmbedder()})
    with FakeProvider() as provider, opened as desk:
        base = desk.bases.create("Handbook")
        added = base.add(folder / "hours.md", folder / "door.png", wait=True)
        ids = {document.name: str(document.id) for document in added.documents}
        run = desk.ask("when do you open on Saturday?", [base])
        yield World(desk, folder, provider, base, ids["hours.md"], ids["door.png"], run, count(1))


Prepared = tuple[Callable[..., Any], tuple[Any, ...]]

# method: (the method, its arguments) of a world, made ready outside of what is watched
CALLS: dict[str, Callable[[World], Prepared]] = {
    "Desk.search": lambda w: (w.desk.search, ("Saturday", [w.base])),
    "Desk.ask": lambda w: (w.desk.ask, ("when do you open on Saturday?", [w.base])),
    "Desk.work": lambda w: (w.desk.work, ()),
    "Desk.check": lambda w: (w.desk.check, ()),
    "Desk.intake": lambda w: (w.desk.intake, ()),
    "Desk.workers": lambda w: (w.desk.workers, (0,)),
    "Desk.limits": lambda w: (w.desk.limits, ()),
    "Bases.create": lambda w: (w.desk.bases.create, (w.name(),)),
    "Bases.get": lambda w: (w.desk.bases.get, ("Handbook",)),
    "Bases.find": lambda w: (w.desk.bases.find, ("nothing of that name",)),
    "Bases.list": lambda w: (w.desk.bases.list, ()),
    "Base.add": lambda w: (w.base.add, (w.new_file(),)),
    "Base.upload": lambda w: (w.base.upload, (w.new_file(), f"{w.name()}.md")),
    "Base.put": lambda w: (w.base.put, (w.new_file(), f"{w.name()}.md")),
    "Base.sync": lambda w: (w.new_base().sync, (w.new_folder(),)),
    "Bases.sync": lambda w: (w.desk.bases.sync, (w.name(), w.new_folder())),
    "Base.page": lambda w: (w.base.page, ()),
    "Base.list_documents": lambda w: (w.base.list_documents, ()),
    "Base.progress": lambda w: (w.base.progress, ()),
    "Base.reindex": lambda w: (w.base.reindex, ()),
    "Base.update": lambda w: (partial(w.base.update, description="Of the house"), ()),
    "Base.delete": lambda w: (w.new_base().delete, ()),
    "Agents.create": lambda w: (w.desk.agents.create, (w.name(),)),
    "Agents.get": lambda w: (w.desk.agents.get, (w.new_agent(),)),
    "Agents.list": lambda w: (w.desk.agents.list, ()),
    "Agents.history": lambda w: (w.desk.agents.history, (w.new_agent(),)),
    "Agents.update": lambda w: (partial(w.desk.agents.update, bases=[]), (w.new_agent(),)),
    "Agents.delete": lambda w: (w.desk.agents.delete, (w.new_agent(),)),
    "Documents.get": lambda w: (w.desk.documents.get, (w.document,)),
    "Documents.find": lambda w: (w.desk.documents.find, (w.document,)),
    "Documents.check_upload": lambda w: (w.desk.documents.check_upload, ("a.md", None, 1)),
    "Documents.text": lambda w: (w.desk.documents.text, (w.document,)),
    "Documents.passages": lambda w: (w.desk.documents.passages, (w.document,)),
    "Documents.original": lambda w: (w.desk.documents.original, (w.document,)),
    "Documents.figures": lambda w: (w.desk.documents.figures, (w.pictured,)),
    "Documents.figure": lambda w: (w.desk.documents.figure, (w.pictured, 1)),
    "Documents.update": lambda w: (partial(w.desk.documents.update, title="Another"), (w.new_document(),)),
    "Documents.retry": lambda w: (w.desk.documents.retry, (w.new_cancelled(),)),
    "Documents.reingest": lambda w: (w.desk.documents.reingest, (w.new_document(),)),
    "Documents.cancel": lambda w: (w.desk.documents.cancel, (w.new_queued(),)),
    "Documents.delete": lambda w: (w.desk.documents.delete, (w.new_document(),)),
    "Lookups.bases": lambda w: (w.desk.lookups.bases, ()),
    "Lookups.document": lambda w: (w.desk.lookups.document, (w.document,)),
    "Runs.get": lambda w: (w.desk.runs.get, (w.run.id,)),
    "Runs.list": lambda w: (w.desk.runs.list, ()),
    "Calls.start": lambda w: (w.desk.calls.start, (w.new_agent(),)),
    "Calls.get": lambda w: (w.desk.calls.get, (w.new_call(),)),
    "Calls.search": lambda w: (w.desk.calls.search, (w.new_call(), "when do you open on Saturday?")),
    "Runs.open_document": lambda w: (w.desk.runs.open_document, (w.run.id, 1)),
    "Runs.figure": lambda w: (w.desk.runs.figure, (w.pictured_run().id, 1, 1)),
    "Runs.erase": lambda w: (w.desk.runs.erase, (w.run.id,)),
    "Runs.rate": lambda w: (partial(w.desk.runs.rate, helpful=False), (w.run.id,)),
    "Runs.feedback": lambda w: (w.desk.runs.feedback, ()),
    "Projects.create": lambda w: (w.desk.projects.create, (w.name(),)),
    "Projects.get": lambda w: (w.desk.projects.get, ("default",)),
    "Projects.list": lambda w: (w.desk.projects.list, ()),
    "Keys.create": lambda w: (w.desk.keys.create, ()),
    "Keys.list": lambda w: (w.desk.keys.list, ()),
    "Keys.revoke": lambda w: (w.desk.keys.revoke, (w.new_key(),)),
    "Keys.resolve": lambda w: (w.desk.keys.resolve, (w.desk.keys.create().secret,)),
    "People.create": lambda w: (
        partial(w.desk.people.create, roles=["Member"]),
        (f"{w.name()}@example.org",),
    ),
    "People.list": lambda w: (w.desk.people.list, ()),
    "People.get": lambda w: (w.desk.people.get, (w.new_person(),)),
    "People.set_roles": lambda w: (w.desk.people.set_roles, (w.new_person(), ["Auditor"])),
    "People.disable": lambda w: (w.desk.people.disable, (w.new_person(),)),
    "People.link": lambda w: (w.desk.people.link, (w.new_person(),)),
    "People.sessions": lambda w: (w.desk.people.sessions, (w.new_person(),)),
    "People.sign_out": lambda w: (w.desk.people.sign_out, (w.new_person(),)),
    "People.first_link": lambda w: (w.desk.people.first_link, ()),
    "People.find_by_email": lambda w: (w.desk.people.find_by_email, (w.new_person(),)),
    "Sessions.open": lambda w: (w.desk.sessions.open, (w.desk.people.get(w.new_person()),)),
    "Sessions.redeem": lambda w: (w.desk.sessions.redeem, (w.desk.people.link(w.new_person()).token,)),
    "Sessions.resolve": lambda w: (w.desk.sessions.resolve, ("no session",)),
    "Sessions.revoke": lambda w: (w.desk.sessions.revoke, ("no session",)),
    "Sessions.seal": lambda w: (w.desk.sessions.seal, ("kept",)),
    "Sessions.unseal": lambda w: (w.desk.sessions.unseal, ("not sealed here",)),
    "Accounts.create": lambda w: (partial(w.desk.accounts.create, secret="sk-none"), (w.name(), "openai")),
    "Accounts.list": lambda w: (w.desk.accounts.list, ()),
    "Accounts.get": lambda w: (w.desk.accounts.get, ("local",)),
    "Accounts.verify": lambda w: (w.desk.accounts.verify, (w.new_account(),)),
    "Accounts.update": lambda w: (partial(w.desk.accounts.update, secret="sk-new"), (w.new_account(),)),
    "Accounts.delete": lambda w: (w.desk.accounts.delete, (w.new_account(),)),
    "Replies.begin": lambda w: (w.desk.replies.begin, ("POST /v2/knowledge-bases", w.name())),
    "Replies.keep": lambda w: (w.desk.replies.keep, ("POST /v2/x", w.name(), Known("0" * 64, 201, "{}"))),
    "Replies.forget": lambda w: (w.desk.replies.forget, ("POST /v2/x", w.name())),
    "Audit.list": lambda w: (w.desk.audit.list, ()),
}


def public_methods(world: World) -> set[str]:
    parts = [name for name, one in vars(Desk).items() if isinstance(one, cached_property)]
    faces = [world.desk, world.base, *(getattr(world.desk, name) for name in parts)]
    named = {
        f"{type(face).__name__}.{name}"
        for face in faces
        for name, _ in inspect.getmembers(type(face), callable)
        if not name.startswith("_")
    }
    return named - ASKED_NOTHING


def test_every_public_method_is_walked(world: World) -> None:
    assert public_methods(world) == set(CALLS)


@pytest.mark.req("RUN7")
@pytest.mark.parametrize("name", CALLS)
def test_a_method_asks_once_and_a_refusal_stops_it(
    name: str, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    method, arguments = CALLS[name](world)
    asked: list[tuple[Principal, str, Resource]] = []

    def refuse(*question: Any) -> None:
        asked.append(question)
        raise NotPermitted("no")

    def write(*_: Any, **__: Any) -> None:
        pytest.fail(f"{name} writes before it asks")

    with monkeypatch.context() as refusing:
        refusing.setattr(access, "authorize", refuse)
        refusing.setattr(Database, "write", write)
        with pytest.raises(NotPermitted):
            method(*arguments)
    with monkeypatch.context() as watching:
        watching.setattr(access, "authorize", lambda *question: asked.append(question))
        method(*arguments)
    assert len(asked) == 2
    assert asked[0] == asked[1]
    assert asked[0][0] == LOCAL


# Actions that change nothing, or leave a record of another kind: a run is its own.
SILENT = {
    *(
        "agent.read",
        "base.read",
        "base.ask",
        "document.read",
        "document.original",
        "search",
        "run.read",
        "run.list",
        "run.create",
        "call.search",
        "feedback.read",
    ),
    *("account.read", "limits.read", "project.read", "key.read", "person.read", "audit.read"),
    *("request.repeat", "queue.work", "sign_in"),
}
CHECKS = {"Documents.check_upload"}
SIGNS_IN = {"People.first_link", "Sessions.open", "Sessions.redeem"}


@pytest.mark.parametrize("name", CALLS)
def test_every_change_is_on_record(name: str, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    method, arguments = CALLS[name](world)
    before = world.desk.audit.list(limit=1)[0].id
    actions: list[str] = []
    with monkeypatch.context() as watching:
        watching.setattr(access, "authorize", lambda _, action, __: actions.append(action))
        method(*arguments)
    lines = [line for line in world.desk.audit.list(limit=5) if line.id > before]
    assert {line.person for line in lines} <= {"local"}
    [action] = actions
    assert bool(lines) == ((action not in SILENT or name in SIGNS_IN) and name not in CHECKS)
