"""Agents through the facade: what they read, who may grant it, and what a key bound to one sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.unit.desk.test_acting import key, outcome, person

from refdesk import Desk
from refdesk.access import SCOPES, Principal
from refdesk.errors import NotFound, NotPermitted, Refusal, UsageError

Opener = Callable[..., Desk]


@pytest.fixture
def voice(open_desk: Opener) -> Desk:
    return open_desk("voice")


def write(desk: Desk, base: str, characters: int, tmp_path: Path) -> None:
    """A document of exactly so many characters, ready."""
    lines = ["# Text", *(f"Line {number:05} says nothing at all." for number in range(characters // 20))]
    text = "\n\n".join(lines)[:characters].rstrip().ljust(characters, ".")
    file = tmp_path / f"{base}-{characters}.md"
    file.write_text(text)
    added = desk.bases.get(base).add(file, wait=True)
    assert [document.state for document in added.documents] == ["ready"]


def bound(desk: Desk, agent: str) -> Principal:
    found = desk.keys.resolve(desk.keys.create(agent=agent).secret)
    assert found is not None
    return found


@pytest.mark.req("RUN1")
def test_an_agent_has_the_fields_of_the_contract_and_the_policys_grounding(voice: Desk) -> None:
    base = voice.bases.create("Prices")
    made = voice.agents.create("Reception", prompt="Be brief.", model="openai:gpt-5", bases=["PRICES", base])
    assert made.to_dict() == {
        "id": made.id,
        "name": "Reception",
        "prompt": "Be brief.",
        "model": "openai:gpt-5",
        "kind": "text",
        "grounding": "preferred",
        "version": 1,
        "knowledge_base_ids": [base.id],
        "knowledge_mode": "none",
    }
    assert voice.agents.get("reception") == voice.agents.get(made.id) == made
    assert [one.knowledge_mode for one in voice.agents.list()] == [None]


@pytest.mark.req("RUN1", "KB5")
def test_what_an_agents_bases_serve_decides_how_it_reads_them(voice: Desk, tmp_path: Path) -> None:
    for name in ("One", "Two"):
        voice.bases.create(name)
    agent = voice.agents.create("Reception", prompt="Be brief.", bases=["One", "Two"]).id
    write(voice, "One", 7_000, tmp_path)
    assert voice.agents.get(agent).knowledge_mode == "inline"
    write(voice, "Two", 5_000, tmp_path)
    assert sum(base.ready_chars for base in voice.bases.list()) == 12_000
    assert voice.agents.get(agent).knowledge_mode == "inline"
    assert voice.agents.update(agent, prompt="x" * 20_000).knowledge_mode == "inline"
    assert voice.agents.update(agent, prompt="x" * 20_001).knowledge_mode == "search"
    assert voice.agents.update(agent, kind="realtime").knowledge_mode == "none"
    write(voice, "One", 100, tmp_path)
    assert voice.agents.update(agent, prompt="", kind="text").knowledge_mode == "search"
    assert voice.agents.update(agent, bases=["One"]).knowledge_mode == "inline"
    assert voice.agents.update(agent, bases=[]).knowledge_mode == "none"


@pytest.mark.req("RUN1", "KB5", "ING4")
def test_what_counts_is_the_version_that_searches_see(voice: Desk, tmp_path: Path) -> None:
    base, file = voice.bases.create("One"), tmp_path / "notes.md"
    agent = voice.agents.create("Reception", bases=[base]).id
    file.write_text("# Notes\n\nNothing at all.\n")
    base.add(file, wait=True)
    file.write_text("# Notes\n\n" + "Nothing at all.\n" * 1_000)
    base.add(file)
    assert voice.agents.get(agent).knowledge_mode == "inline"
    voice.work()
    assert voice.agents.get(agent).knowledge_mode == "search"


@pytest.mark.req("KB2")
def test_a_policys_number_of_bases_is_the_most_that_an_agent_reads(open_desk: Opener) -> None:
    voice, packs = open_desk("voice"), open_desk("packs", home="packs")
    for where in (voice, packs):
        for number in range(4):
            where.bases.create(f"Base {number}")
    with pytest.raises(Refusal) as caught:
        voice.agents.create("Reception", bases=voice.bases.list())
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("too_many_grants", 3, 4)
    assert voice.agents.list() == []
    assert len(packs.agents.create("Reception", bases=packs.bases.list()).knowledge_base_ids) == 4


@pytest.fixture
def two_homes(open_desk: Opener) -> tuple[Desk, Desk]:
    """Two projects of different organizations in one home."""
    return open_desk(), open_desk(project="other")


@pytest.mark.req("KB2")
def test_a_base_of_another_project_or_organization_is_not_there(two_homes: tuple[Desk, Desk]) -> None:
    here, there = two_homes
    theirs = there.bases.create("Theirs")
    mine = here.projects.get("default").organization
    sister = here.projects.create("sister", organization=mine)
    near = here.acting(here.principal, sister.slug).bases.create("Near")
    agent = here.agents.create("Reception").id
    for base in (theirs, theirs.id, "Theirs", near, near.id, "absent"):
        with pytest.raises(NotFound):
            here.agents.update(agent, bases=[base])
        with pytest.raises(NotFound):
            here.agents.create("Second", bases=[base])
    assert [one.to_dict() for one in here.agents.list()] == [
        {**here.agents.get(agent).to_dict(), "knowledge_mode": None}
    ]
    foreign = there.agents.create("Reception").id
    for principal in (here.principal, key(here, *SCOPES)):
        acting = here.acting(principal)
        for call in (acting.agents.get, acting.agents.update, acting.agents.delete, acting.agents.history):
            assert outcome(call, foreign) == "not_found"


@pytest.mark.req("KB2", "RUN7")
def test_who_may_build_agents_and_who_may_grant_company_bases(desk: Desk) -> None:
    company, generic = desk.bases.create("Ours"), desk.bases.create("Shared", kind="generic")
    admin, builder, auditor, member = (
        desk.acting(person(desk, role, name))
        for name, role in (
            ("ada", "PlatformAdmin"), ("grace", "AgentBuilder"), ("hedy", "Auditor"), ("joan", "Member"),
        )
    )  # fmt: skip
    agent = builder.agents.create("Reception", bases=[generic]).id
    for refused in (builder, desk.acting(key(desk, *SCOPES))):
        with pytest.raises(NotPermitted, match="Ours is a company base"):
            refused.agents.update(agent, bases=[generic, company])
    assert admin.agents.update(agent, bases=[company]).knowledge_base_ids == (company.id,)
    kept = builder.agents.update(agent, bases=[company, generic], prompt="Be kind.")
    assert kept.knowledge_base_ids == (company.id, generic.id)
    assert auditor.agents.get(agent) == kept
    for acting in (auditor, member):
        assert outcome(acting.agents.create, "Mine") == "not_permitted"
        assert outcome(acting.agents.update, agent) == "not_permitted"
        assert outcome(acting.agents.delete, agent) == "not_permitted"
    assert member.agents.get(agent) == kept
    assert outcome(member.agents.get, "absent") == "not_found"
    assert [(one.version, one.person) for one in admin.agents.history(agent)] == [
        (1, "grace@example.org"),
        (2, "ada@example.org"),
        (3, "grace@example.org"),
    ]


@pytest.mark.req("KB2")
def test_where_the_policy_says_so_anybody_who_builds_agents_grants_company_bases(voice: Desk) -> None:
    company = voice.bases.create("Ours", kind="company")
    builder = voice.acting(key(voice, *SCOPES))
    assert builder.agents.create("Reception", bases=[company]).knowledge_base_ids == (company.id,)


@pytest.mark.req("KB3")
def test_what_each_version_knew_is_kept_when_a_base_goes(desk: Desk, folder: Path) -> None:
    base, other = desk.bases.create("Handbook"), desk.bases.create("Prices")
    base.add(folder, wait=True)
    agent = desk.agents.create("Reception", bases=[base, other])
    assert agent.knowledge_mode == "search"
    base.delete()
    now = desk.agents.get(agent.id)
    assert (now.version, now.knowledge_base_ids) == (2, (other.id,))
    knew = [[known.name for known in one.bases] for one in desk.agents.history("Reception")]
    assert knew == [["Handbook", "Prices"], ["Prices"]]


@pytest.mark.req("RUN7", "KB2")
def test_a_key_bound_to_an_agent_sees_it_and_searches_its_bases_alone(desk: Desk, folder: Path) -> None:
    for name in ("Handbook", "Secret"):
        desk.bases.create(name).add(folder, wait=True)
    mine, other = (
        desk.agents.create("Reception", bases=["Handbook"]),
        desk.agents.create("Other", bases=["Secret"]),
    )
    acting = desk.acting(bound(desk, "RECEPTION"))
    assert acting.agents.get("Reception") == acting.agents.get(mine.id) == mine
    assert [one.id for one in acting.agents.list()] == [mine.id]
    for absent in ("Other", other.id, "nothing"):
        assert outcome(acting.agents.get, absent) == "not_found"
    for base in ("handbook", mine.knowledge_base_ids[0], desk.bases.get("Handbook")):
        assert len(acting.search("refund", [base], top_k=1)) == 1
    for base in ("Secret", other.knowledge_base_ids[0], desk.bases.get("Secret"), "nothing"):
        with pytest.raises(NotFound) as caught:
            acting.search("refund", ["Handbook", base])
        assert "the bases that it reads: Handbook" in caught.value.message
    for call, *given in ((acting.agents.update, mine.id), (acting.bases.list,), (acting.runs.get, "run_x")):
        assert outcome(call, *given) != "done"
    desk.agents.update(mine.id, bases=["Secret"])
    assert outcome(acting.search, "refund", ["Handbook"]) == "not_found"
    assert outcome(acting.search, "refund", ["Secret"]) == "done"


@pytest.mark.req("RUN7")
def test_a_key_ends_with_the_agent_that_it_is_bound_to(desk: Desk) -> None:
    desk.bases.create("Handbook")
    desk.agents.create("Reception", bases=["Handbook"])
    acting = desk.acting(bound(desk, "Reception"))
    secret = desk.keys.create(agent="Reception").secret
    desk.agents.delete("Reception")
    assert desk.keys.resolve(secret) is None
    assert outcome(acting.search, "refund", ["Handbook"]) == "not_found"
    assert acting.agents.list() == []
    assert outcome(desk.keys.create, "key") == "done"
    with pytest.raises(NotFound, match="no agent 'Reception'"):
        desk.keys.create(agent="Reception")


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": " "}, "bad_name"),
        ({"name": "x" * 201}, "bad_name"),
        ({"prompt": "x" * 100_001}, "bad_value"),
        ({"prompt": "a\x00b"}, "bad_value"),
        ({"prompt": "\ud800"}, "bad_value"),
        ({"model": "gpt-5"}, "bad_value"),
        ({"model": ":x"}, "bad_value"),
        ({"model": "openai:"}, "bad_value"),
        ({"model": "open ai:x"}, "bad_value"),
        ({"model": "openai:a\x00b"}, "bad_value"),
        ({"model": "openai:a\ud800"}, "bad_value"),
        ({"kind": "video"}, "bad_value"),
        ({"grounding": "loose"}, "bad_value"),
        ({"grounding": None}, "bad_value"),
    ],
)
def test_what_makes_no_sense_changes_nothing(voice: Desk, values: dict[str, Any], code: str) -> None:
    made = voice.agents.create("Reception", prompt="x" * 100_000, model="bedrock:us.nova-pro:0")
    with pytest.raises(UsageError) as caught:
        voice.agents.update(made.id, **values)
    assert caught.value.code == code
    assert voice.agents.get(made.id) == made
    assert voice.agents.update(made.id, model="quoting").model == "quoting"
    assert voice.agents.update(made.id, model=None).model is None


@pytest.mark.req("KB3")
def test_who_read_another_version_changes_nothing(voice: Desk) -> None:
    made = voice.agents.create("Reception")
    voice.agents.update(made.id, prompt="Be brief.", expected=[made.version])
    for call in (voice.agents.update, voice.agents.delete):
        with pytest.raises(UsageError) as caught:
            call(made.id, expected=[made.version, 7])
        assert caught.value.code == "changed_meanwhile"
    voice.agents.delete(made.id, expected=[7, 2])
    assert voice.agents.list() == []
