"""What stands behind the sources of a run: the document as it is now, and the pictures that were issued."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.desk.test_figures import drawn, png

from refdesk import Desk
from refdesk.access import Principal
from refdesk.access.model import Role, Scope
from refdesk.answer.receipt import state
from refdesk.errors import NotFound, NotPermitted

Opener = Callable[..., Desk]
QUESTION = "when will a refund arrive?"


def person(desk: Desk, role: Role) -> Desk:
    return desk.acting(Principal("person", f"{role.lower()}@example.org", None, frozenset({role})))


@pytest.fixture
def desk(open_desk: Opener, folder: Path) -> Desk:
    opened = open_desk("packs")
    opened.bases.create("Returns").add(folder / "returns.md", wait=True)
    opened.agents.create("Reception", bases=["Returns"])
    return opened


@pytest.mark.req("RUN4")
def test_a_source_opens_its_document_at_the_passage(desk: Desk) -> None:
    run = desk.ask(QUESTION, agent="Reception")
    number = run.citations[0].number
    opened = desk.runs.open_document(run.id, number)
    assert (opened.state, opened.name, opened.number) == ("issued", "returns.md", number)
    assert opened.document is not None
    assert opened.document.id == run.references[number - 1].document
    assert opened.text == desk.documents.text(opened.document.id)
    assert opened.cited == run.references[number - 1].text
    assert opened.text[opened.start : opened.end].strip() in opened.cited
    with pytest.raises(NotFound, match="no source 9"):
        desk.runs.open_document(run.id, 9)


@pytest.mark.req("RUN4")
def test_a_source_says_what_has_become_of_its_document(desk: Desk, tmp_path: Path) -> None:
    run = desk.ask(QUESTION, agent="Reception")
    number = run.citations[0].number
    cited = run.references[number - 1].text
    base = desk.bases.get("Returns")
    again = tmp_path / "returns.md"
    again.write_text(f"# Before\n\nOf no interest at all.\n\n{cited}\n")
    base.add(again, wait=True)
    changed = desk.runs.open_document(run.id, number)
    assert (changed.state, changed.cited) == ("changed", cited)
    assert changed.text is not None
    assert changed.start is not None
    assert (
        changed.text[changed.start : changed.end].strip() in f"# Before\n\nOf no interest at all.\n\n{cited}"
    )
    again.write_text("# Returns\n\nNothing of it stands here any more.\n")
    base.add(again, wait=True)
    other = desk.runs.open_document(run.id, number)
    assert (other.state, other.start, other.end) == ("changed", None, None)
    desk.documents.delete(run.references[number - 1].document)
    gone = desk.runs.open_document(run.id, number)
    assert (gone.state, gone.document, gone.text, gone.start) == ("gone", None, None, None)
    assert (gone.name, gone.cited) == ("returns.md", cited)


@pytest.mark.req("RUN4", "RUN7")
def test_who_asked_opens_what_the_answer_cites_and_reviewers_open_every_source(
    desk: Desk, folder: Path
) -> None:
    desk.bases.get("Returns").add(folder / "hours.txt", wait=True)
    member = person(desk, "Member")
    run = member.ask("when will a refund arrive, on Saturday?", agent="Reception")
    cited = run.citations[0].number
    [uncited] = [one.number for one in run.references if one.number != cited][:1]
    assert member.runs.open_document(run.id, cited).text
    with pytest.raises(NotPermitted, match="only those that it cites"):
        member.runs.open_document(run.id, uncited)
    roles: tuple[Role, ...] = ("PlatformAdmin", "AgentBuilder", "Auditor")
    for role in roles:
        assert person(desk, role).runs.open_document(run.id, uncited).text
    others = desk.ask(QUESTION, agent="Reception")
    with pytest.raises(NotPermitted):
        member.runs.open_document(others.id, cited)


@pytest.mark.req("RUN4", "H3")
def test_a_key_of_an_agent_opens_the_documents_of_its_own_runs_alone(desk: Desk) -> None:
    agent = desk.agents.get("Reception").id
    read: frozenset[Scope] = frozenset({"knowledge:read"})
    bound = desk.acting(Principal("key", "key_bound", None, scopes=read, agent=agent))
    others, own = desk.ask(QUESTION, agent=agent), bound.ask(QUESTION, agent=agent)
    assert bound.runs.get(others.id).id == others.id
    with pytest.raises(NotPermitted, match="not key_bound's"):
        bound.runs.open_document(others.id, others.citations[0].number)
    assert bound.runs.open_document(own.id, own.citations[0].number).text
    free = desk.acting(Principal("key", "key_free", None, scopes=read))
    assert free.runs.open_document(others.id, others.citations[0].number).text


@pytest.mark.req("FIG5")
def test_a_runs_figures_are_the_pictures_that_were_issued(desk: Desk, tmp_path: Path) -> None:
    flows = desk.bases.create("Flows")
    flows.add(drawn(tmp_path), wait=True)
    agent = desk.agents.create("Painter", bases=["Flows"])
    member = person(desk, "Member")
    run = member.ask("what is the credit flow?", agent="Painter")
    [source] = run.references
    assert [(one.number, one.label, one.shown) for one in source.figures] == [
        (1, "Credit flow", False),
        (2, "Stock", False),
        (3, "Credit flow again", False),
    ]
    assert source.figures[0].sha256 == source.figures[2].sha256 != source.figures[1].sha256
    first = member.runs.figure(run.id, 1, 1)
    assert first == desk.documents.figure(source.document, 1)
    with pytest.raises(NotFound, match="no figure 4"):
        member.runs.figure(run.id, 1, 4)

    desk.agents.update(agent.id, bases=[])  # the grant is withdrawn
    assert member.runs.figure(run.id, 1, 1) == first
    assert not member.ask("what is the credit flow?", agent="Painter").references
    assert member.runs.get(run.id).references == run.references

    desk.documents.delete(source.document)
    with pytest.raises(NotFound, match="image no longer available") as caught:
        member.runs.figure(run.id, 1, 1)
    assert caught.value.code == "figure_gone"
    assert member.runs.get(run.id).references == run.references


@pytest.mark.req("FIG5", "DOC7")
def test_an_erased_documents_figures_are_erased_too(desk: Desk, tmp_path: Path) -> None:
    desk.bases.create("Flows").add(drawn(tmp_path), wait=True)
    run = desk.ask("what is the credit flow?", ["Flows"])
    desk.documents.delete(run.references[0].document, erase=True)
    left = desk.runs.get(run.id)
    assert state(left) == "erased"
    assert "Credit flow" not in str(left.references)


@pytest.mark.req("FIG5")
def test_a_figure_of_a_run_is_never_another_picture(desk: Desk, tmp_path: Path) -> None:
    picture = tmp_path / "door.png"
    picture.write_bytes(png("red"))
    doors = desk.bases.create("Doors")
    doors.add(picture, wait=True)
    run = desk.ask("door", ["Doors"], grounding="open")
    issued = desk.runs.figure(run.id, 1, 1)
    picture.write_bytes(png("blue"))
    doors.add(picture, wait=True)
    with pytest.raises(NotFound, match="image no longer available"):
        desk.runs.figure(run.id, 1, 1)
    picture.write_bytes(png("red"))
    doors.add(picture, wait=True)
    assert desk.runs.figure(run.id, 1, 1) == issued
