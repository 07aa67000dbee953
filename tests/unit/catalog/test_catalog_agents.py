"""Agents, their grants and their versions, on SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from refdesk.catalog import Catalog
from refdesk.catalog.agents import AgentRow
from refdesk.catalog.asked import Project
from refdesk.catalog.common import Actor
from refdesk.catalog.grants import Granting
from refdesk.errors import NotFound, NotPermitted, RefdeskError, Refusal, UsageError
from refdesk.policy import load_policy

ADA = Actor("ada@example.org", None, None)
ANY = Granting(limit=None, company=True)
THREE = Granting(limit=3, company=True)
NO_COMPANY = Granting(limit=None, company=False)
VALUES = {"prompt": "Be brief.", "model": None, "kind": "text", "grounding": "preferred"}


@pytest.fixture
def catalog(catalog_at: str) -> Iterator[Catalog]:
    opened = Catalog(catalog_at)
    yield opened
    opened.close()


@pytest.fixture
def project(catalog: Catalog) -> Project:
    return catalog.projects.create("default", "voice", None, ADA)


def base(catalog: Catalog, project: Project, name: str, kind: str = "generic") -> str:
    policy = load_policy(project.policy)
    made = catalog.bases.create(
        project, policy, name, description=None, kind=kind, embedding_account_id=None, actor=ADA
    )
    return made.id


def agent(catalog: Catalog, project: Project, *bases: str, name: str = "Reception") -> AgentRow:
    return catalog.agents.create(project, {"name": name, **VALUES}, bases, ANY, ADA)


def change(
    catalog: Catalog, row: AgentRow, bases: list[str] | None = None, granting: Granting = ANY, **values: Any
) -> AgentRow:
    """As ``Agents.update``; ``expected`` may stand among the values."""
    expected = values.pop("expected", None)
    catalog.agents.update(row, values, bases, granting, expected=expected, actor=ADA)
    project = catalog.projects.find(row.project_id)
    assert project is not None
    return catalog.agents.get(project, row.id)


def refused(error: type[RefdeskError], call: Any, *given: Any, **more: Any) -> RefdeskError:
    with pytest.raises(error) as caught:
        call(*given, **more)
    return caught.value


def test_an_agent_is_found_by_id_and_by_name_in_its_project_alone(catalog: Catalog, project: Project) -> None:
    made = agent(catalog, project, name="Größe")
    for name in (made.id, "Größe", "GRÖSSE"):
        assert catalog.agents.get(project, name) == made
    assert (made.version, made.bases, made.prompt, made.model) == (1, (), "Be brief.", None)
    other = catalog.projects.create("other", "voice", None, ADA)
    assert catalog.agents.find(other, made.id) is None
    assert "no agents yet" in refused(NotFound, catalog.agents.get, other, "GRÖSSE").message
    assert agent(catalog, other, name="größe").id != made.id
    assert refused(UsageError, agent, catalog, project, name="GRÖSSE").code == "name_taken"
    second = agent(catalog, project, name="Second")
    assert refused(UsageError, change, catalog, second, name="größe").code == "name_taken"
    assert [row.id for row in catalog.agents.all(project)] == [made.id, second.id]
    assert "Größe, Second" in refused(NotFound, catalog.agents.get, project, "absent").message


@pytest.mark.req("KB2")
def test_grants_keep_their_order_and_are_replaced(catalog: Catalog, project: Project) -> None:
    prices, hours, menu = (base(catalog, project, name) for name in ("Prices", "Hours", "Menu"))
    made = agent(catalog, project, menu, prices)
    assert made.bases == (menu, prices)
    assert [one.name for one in catalog.bases.granted(project, made.id)] == ["Menu", "Prices"]
    assert change(catalog, made, [hours, menu]).bases == (hours, menu)
    assert change(catalog, made, []).bases == ()
    assert catalog.bases.granted(project, made.id) == []


@pytest.mark.req("KB2")
def test_what_may_not_be_granted_changes_nothing(catalog: Catalog, project: Project) -> None:
    bases = [base(catalog, project, f"Base {number}") for number in range(4)]
    other = catalog.projects.create("other", "voice", None, ADA)
    foreign = base(catalog, other, "Theirs")
    made = agent(catalog, project, bases[0])
    many = refused(Refusal, change, catalog, made, bases, THREE, name="Renamed")
    assert (many.code, many.limit, many.actual) == ("too_many_grants", 3, 4)
    for absent in (foreign, "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"):
        assert absent in refused(NotFound, change, catalog, made, [bases[1], absent]).message
    assert catalog.agents.get(project, made.id) == made
    assert len(catalog.agents.history(made.id)) == 1
    assert change(catalog, made, bases[1:], THREE).bases == tuple(bases[1:])


@pytest.mark.req("KB2")
def test_a_company_base_stays_granted_and_is_not_granted_anew(catalog: Catalog, project: Project) -> None:
    ours, shared = base(catalog, project, "Ours", "company"), base(catalog, project, "Shared")
    theirs = base(catalog, project, "Theirs", "company")
    made = agent(catalog, project, ours)
    kept = change(catalog, made, [shared, ours], NO_COMPANY)
    assert kept.bases == (shared, ours)
    assert "Theirs" in refused(NotPermitted, change, catalog, kept, [ours, theirs], NO_COMPANY).message
    assert change(catalog, kept, [shared], NO_COMPANY).bases == (shared,)
    assert refused(NotPermitted, change, catalog, kept, [ours], NO_COMPANY).code == "not_permitted"
    assert change(catalog, kept, [ours]).bases == (ours,)


@pytest.mark.req("KB3")
def test_every_change_is_a_version_and_no_change_is_none(catalog: Catalog, project: Project) -> None:
    prices = base(catalog, project, "Prices")
    made = agent(catalog, project)
    row = change(catalog, made, [prices])
    row = change(catalog, row, [prices], name="Reception", prompt="Be brief.", model=None)
    assert row.version == 2
    for changes in ({"name": "Desk"}, {"prompt": "Be kind."}, {"model": "openai:m"}, {"kind": "realtime"}):
        before, row = row, change(catalog, row, **changes)
        assert row.version == before.version + 1
    history = catalog.agents.history(made.id)
    assert [(one.version, one.name, one.prompt, one.model, one.kind) for one in history] == [
        (1, "Reception", "Be brief.", None, "text"),
        (2, "Reception", "Be brief.", None, "text"),
        (3, "Desk", "Be brief.", None, "text"),
        (4, "Desk", "Be kind.", None, "text"),
        (5, "Desk", "Be kind.", "openai:m", "text"),
        (6, "Desk", "Be kind.", "openai:m", "realtime"),
    ]
    assert [[known.name for known in one.bases] for one in history] == [[], *[["Prices"]] * 5]
    assert {one.person for one in history} == {"ada@example.org"}


@pytest.mark.req("KB3")
def test_a_base_that_is_deleted_leaves_its_agents_and_stays_in_what_they_knew(
    catalog: Catalog, project: Project
) -> None:
    prices, hours = base(catalog, project, "Prices"), base(catalog, project, "Hours")
    first, second = agent(catalog, project, prices, hours), agent(catalog, project, prices, name="Second")
    third = agent(catalog, project, hours, name="Third")
    catalog.bases.describe(prices, {"name": "Price list"}, ADA)
    catalog.bases.delete(prices, ADA)
    rows = {row.id: (row.version, row.bases) for row in catalog.agents.all(project)}
    assert rows == {first.id: (2, (hours,)), second.id: (2, ()), third.id: (1, (hours,))}
    knew = [[known.name for known in one.bases] for one in catalog.agents.history(first.id)]
    assert knew == [["Prices", "Hours"], ["Hours"]]
    lines = [(line.action, line.resource) for line in catalog.audit.newest(None, limit=3)]
    assert lines[0] == ("base.delete", prices)
    assert set(lines[1:]) == {("agent.update", first.id), ("agent.update", second.id)}


@pytest.mark.req("KB3")
def test_an_agent_that_is_deleted_takes_its_grants_and_keys_and_leaves_its_history(
    catalog: Catalog, project: Project
) -> None:
    prices = base(catalog, project, "Prices")
    made = agent(catalog, project, prices)
    keys = [
        catalog.keys.create(project.id, "k", ["knowledge:read"], agent=whose, expires_at=None, actor=ADA)
        for whose in (made.id, None)
    ]
    stale = refused(UsageError, catalog.agents.delete, made, expected=[2], actor=ADA)
    assert stale.code == "changed_meanwhile"
    catalog.agents.delete(made, expected=[1], actor=ADA)
    assert catalog.agents.find(project, made.id) is None
    assert [catalog.keys.resolve(secret) is None for _, secret in keys] == [True, False]
    assert [one.bases[0].name for one in catalog.agents.history(made.id)] == ["Prices"]
    assert refused(NotFound, catalog.agents.delete, made, expected=None, actor=ADA).code == "not_found"
    assert refused(NotFound, change, catalog, made, [prices]).code == "not_found"
    catalog.bases.delete(prices, ADA)
    assert agent(catalog, project).id != made.id


@pytest.mark.req("KB3")
def test_of_many_who_change_the_same_version_one_does(catalog: Catalog, project: Project) -> None:
    made = agent(catalog, project)

    def attempt(number: int) -> str:
        try:
            change(catalog, made, prompt=f"Prompt {number}.", expected=[1])
        except UsageError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(8) as pool:
        ended = list(pool.map(attempt, range(16)))
    assert sorted(ended) == [*["changed_meanwhile"] * 15, "done"]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: change(catalog, made, prompt=f"Again {number}."), range(16)))
    versions = [one.version for one in catalog.agents.history(made.id)]
    assert versions == list(range(1, 19))
    assert catalog.agents.get(project, made.id).version == 18
