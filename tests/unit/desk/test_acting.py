"""The desk for other principals: what each role and key reaches, end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.access import SCOPES, Principal, Role, Scope
from refdesk.errors import NotFound, NotPermitted, RefdeskError

Opener = Callable[..., Desk]


def person(desk: Desk, role: Role, name: str = "ada") -> Principal:
    """Somebody of the organization of the desk's project, as a session gives her."""
    made = desk.people.find_by_email(f"{name}@example.org") or desk.people.create(
        f"{name}@example.org", roles=[role]
    )
    found = desk.sessions.resolve(desk.sessions.open(made))
    assert found is not None
    return found


def key(desk: Desk, *scopes: Scope) -> Principal:
    found = desk.keys.resolve(desk.keys.create(scopes=scopes).secret)
    assert found is not None
    return found


def outcome(call: Callable[..., object], *given: object) -> str:
    try:
        call(*given)
    except RefdeskError as error:
        return error.code
    return "done"


@pytest.mark.req("RUN7")
@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("PlatformAdmin", {"text", "original", "search", "create", "delete", "key", "audit"}),
        ("AgentBuilder", {"text", "original", "search"}),
        ("Auditor", {"text", "original", "search", "audit"}),
        ("Member", set()),
    ],
)
def test_what_each_role_may_do_with_documents(
    desk: Desk, folder: Path, role: Role, expected: set[str]
) -> None:
    added = desk.bases.create("Handbook").add(folder / "returns.md", wait=True)
    document = str(added.documents[0].id)
    acting = desk.acting(person(desk, role))
    answers = {
        "text": outcome(acting.documents.text, document),
        "original": outcome(acting.documents.original, document),
        "search": outcome(acting.search, "refund", ["Handbook"]),
        "create": outcome(acting.bases.create, "Another"),
        "delete": outcome(acting.documents.delete, document),
        "key": outcome(acting.keys.create),
        "audit": outcome(acting.audit.list),
    }
    assert {name for name, answer in answers.items() if answer == "done"} == expected
    assert set(answers.values()) <= {"done", "not_permitted"}


@pytest.mark.req("RUN7")
def test_a_member_sees_their_own_runs_alone(desk: Desk, folder: Path) -> None:
    desk.bases.create("Handbook").add(folder, wait=True)
    ada, grace = (desk.acting(person(desk, "AgentBuilder", name)) for name in ("ada", "grace"))
    mine = ada.ask("when will a refund arrive?", ["Handbook"])
    theirs = grace.ask("what does a battery cost?", ["Handbook"])
    assert (mine.person, theirs.person) == ("ada@example.org", "grace@example.org")
    assert ada.runs.get(theirs.id) == theirs  # who builds agents reads what they answer
    desk.people.set_roles("ada@example.org", ["Member"])
    ada = desk.acting(person(desk, "Member"))
    assert [run.id for run in ada.runs.list()] == [mine.id]
    assert ada.runs.get(mine.id) == mine
    with pytest.raises(NotPermitted):
        ada.runs.get(theirs.id)
    auditor = desk.acting(person(desk, "Auditor", "hedy"))
    assert [run.id for run in auditor.runs.list()] == [theirs.id, mine.id]
    assert auditor.runs.get(mine.id) == mine
    for acting in (ada, auditor):  # a member reaches bases through agents, an auditor changes nothing
        assert outcome(acting.ask, "when will a refund arrive?", ["Handbook"]) == "not_permitted"


@pytest.mark.req("RUN7")
def test_roles_that_change_are_in_force_at_once(desk: Desk) -> None:
    ada = person(desk, "Member")
    assert outcome(desk.acting(ada).bases.list) == "not_permitted"
    desk.people.set_roles("ada@example.org", ["Auditor"])
    assert outcome(desk.acting(person(desk, "Member")).bases.list) == "done"


@pytest.mark.req("RUN7")
def test_a_key_does_what_its_scopes_say(desk: Desk, folder: Path) -> None:
    desk.bases.create("Handbook")
    reads, writes = (desk.acting(key(desk, scope)) for scope in SCOPES)
    assert outcome(reads.search, "refund", ["Handbook"]) == "done"
    assert outcome(reads.bases.create, "Other") == "not_permitted"
    assert outcome(writes.bases.create, "Other") == "done"
    assert outcome(writes.search, "refund", ["Handbook"]) == "not_permitted"
    for acting in (reads, writes):
        assert outcome(acting.keys.create) == "not_permitted"
        assert outcome(acting.people.list) == "not_permitted"
        assert outcome(acting.audit.list) == "not_permitted"
        assert outcome(acting.work) == "not_permitted"
        assert outcome(acting.sessions.revoke, "x") == "not_permitted"


@pytest.mark.req("RUN7")
def test_another_organizations_things_are_not_there(open_desk: Opener, folder: Path) -> None:
    here, there = open_desk(), open_desk(project="other")
    base = there.bases.create("Secret")
    document = str(base.add(folder / "returns.md", wait=True).documents[0].id)
    run = there.ask("when will a refund arrive?", [base])
    for principal in (person(here, "PlatformAdmin"), key(here, *SCOPES)):
        acting = here.acting(principal)
        answers = [
            outcome(here.acting, principal, "other"),
            outcome(here.acting, principal, there.projects.get("other").id),
            outcome(acting.bases.get, base.id),
            outcome(acting.bases.get, "Secret"),
            outcome(acting.search, "refund", [base]),
            outcome(acting.documents.text, document),
            outcome(acting.documents.delete, document),
            outcome(acting.runs.get, run.id),
            outcome(acting.projects.get, "other"),
        ]
        assert set(answers) == {"not_found"}
        assert [project.slug for project in acting.projects.list()] == ["default"]
        assert acting.bases.list() == []


@pytest.mark.req("RUN7")
def test_what_is_not_there_and_what_is_anothers_are_refused_in_the_same_words(open_desk: Opener) -> None:
    here, there = open_desk(), open_desk(project="other")
    acting = here.acting(person(here, "PlatformAdmin"))
    grace = there.people.create("grace@example.org", roles=["Member"])
    for look, foreign, absent in (
        (acting.projects.get, "other", "absent"),
        (acting.people.link, grace.email, "nobody@example.org"),
    ):
        with pytest.raises(NotFound) as first:
            look(foreign)
        with pytest.raises(NotFound) as second:
            look(absent)
        assert first.value.message.replace(foreign, "X") == second.value.message.replace(absent, "X")


@pytest.mark.req("RUN7")
def test_an_administrator_of_an_organization_stays_in_it(open_desk: Opener) -> None:
    here, there = open_desk(), open_desk(project="other")
    acting = here.acting(person(here, "PlatformAdmin"))
    made = acting.projects.create("second", "voice")
    assert made.organization == here.projects.get("default").organization
    assert acting.projects.create("third", organization=made.organization).organization == made.organization
    with pytest.raises(NotFound):
        acting.projects.create("fourth", organization=there.projects.get("other").organization)
    with pytest.raises(NotPermitted):
        acting.people.create("grace@example.org", roles=["PlatformAdmin"], everywhere=True)
    first = here.people.first_link()
    assert first is None or first.email not in {one.email for one in acting.people.list()}
    assert {one.email for one in acting.people.list()} == {"ada@example.org"}
    assert {project.slug for project in acting.projects.list()} == {"default", "second", "third"}
    assert acting.acting(acting.principal, "second").project == "second"


def test_a_person_everywhere_reaches_every_organization(open_desk: Opener) -> None:
    here = open_desk()
    open_desk(project="other").bases.create("Theirs")
    link = here.people.first_link()
    assert link is not None
    session = here.sessions.redeem(link.token)
    assert session is not None
    first = here.sessions.resolve(session)
    assert first is not None
    assert [base.name for base in here.acting(first, "other").bases.list()] == ["Theirs"]
    assert outcome(here.acting(first).work) == "done"


def test_who_signs_in_elsewhere_is_found_by_their_very_address(desk: Desk) -> None:
    made = desk.people.create("Kass@Example.org", roles=["Member"])
    assert desk.people.find_by_email(" kass@EXAMPLE.org ") == made
    for alike in ("ka\u017fs@example.org", "\u212aass@example.org", "\uff4bass@example.org", "\udc80", ""):
        assert desk.people.find_by_email(alike) is None
    desk.people.disable(made.email)
    assert desk.people.find_by_email(made.email) is None


def test_the_first_administrator_has_a_link_until_one_has_signed_in(desk: Desk) -> None:
    lost, link = desk.people.first_link(), desk.people.first_link()
    assert lost is not None
    assert link is not None
    assert link.token not in repr(link)
    assert desk.sessions.redeem(lost.token) is None
    session = desk.sessions.redeem(link.token)
    assert session is not None
    first = desk.sessions.resolve(session)
    assert first is not None
    assert (first.name, first.organization, first.roles) == (link.email, None, {"PlatformAdmin"})
    assert desk.people.first_link() is None
    desk.sessions.revoke(session)
    assert desk.sessions.resolve(session) is None
    desk.people.disable(link.email)
    assert desk.people.find_by_email(link.email) is None
    assert desk.people.first_link() is None


@pytest.mark.req("D6")
def test_a_base_name_is_taken_in_the_whole_organization_and_free_in_another(desk: Desk) -> None:
    desk.bases.create("Handbook")
    mine = desk.projects.get("default").organization
    desk.projects.create("second", organization=mine)
    desk.projects.create("stranger")
    admin = desk.principal
    assert outcome(desk.acting(admin, "second").bases.create, "HANDBOOK") == "name_taken"
    assert outcome(desk.acting(admin, "stranger").bases.create, "HANDBOOK") == "done"


def test_a_desk_that_acts_for_somebody_closes_nothing(desk: Desk, folder: Path) -> None:
    desk.bases.create("Handbook").add(folder, wait=True)
    with desk.acting(person(desk, "Auditor")) as acting:
        acting.search("refund", ["Handbook"])
    assert len(desk.search("refund", ["Handbook"], top_k=1)) == 1


def test_who_did_what_is_on_record(desk: Desk, folder: Path) -> None:
    ada = desk.acting(person(desk, "PlatformAdmin"))
    base = ada.bases.create("Handbook")
    document = str(base.add(folder / "returns.md", wait=True).documents[0].id)
    (folder / "returns.md").write_text("# Returns\n\nNo more refunds.\n")
    base.add(folder / "returns.md", wait=True)
    ada.documents.delete(document)
    made = ada.keys.create().key.id
    ada.keys.revoke(made)
    base.delete()
    lines = [(line.person, line.action, line.resource) for line in ada.audit.list()]
    assert [(action, resource) for name, action, resource in lines if name == "ada@example.org"] == [
        ("base.delete", base.id),
        ("key.revoke", made),
        ("key.create", made),
        ("document.delete", document),
        ("document.replace", document),
        ("document.add", document),
        ("base.create", base.id),
    ]
    assert lines[-1][:2] == ("local", "project.create")


def test_the_record_is_read_in_pages_and_by_organization(open_desk: Opener) -> None:
    here, there = open_desk(), open_desk(project="other")
    here.bases.create("One")
    there.bases.create("Two")
    here.bases.create("Three")
    auditor = here.acting(person(here, "Auditor"))
    every = [line.id for line in auditor.audit.list()]
    first = auditor.audit.list(limit=2)
    rest = auditor.audit.list(before=first[-1].id)
    assert [line.id for line in (*first, *rest)] == every
    theirs = there.projects.get("other").id
    assert theirs not in {line.project for line in auditor.audit.list()}
    assert theirs in {line.project for line in here.audit.list()}
