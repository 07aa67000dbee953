"""The access table, held against a matrix written by hand from RUN7, and every answer against the table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from refdesk.access import (
    LOCAL,
    ROLES,
    SCOPES,
    TABLE,
    Principal,
    Resource,
    Role,
    Scope,
    as_roles,
    as_scopes,
    authorize,
    permits,
    within,
)
from refdesk.errors import NotFound, NotPermitted, UsageError

# PlatformAdmin, AgentBuilder, Auditor, Member; a key that reads, a key that writes;
# a key bound to the resource's agent that has both scopes; the owner, whatever the role or scope
BY_HAND = """
                     PA AB AU ME  read write  bound  owner
base.read            x  x  x  -   x    -      -      -
base.create          x  -  -  -   -    x      -      -
base.update          x  -  -  -   -    x      -      -
base.delete          x  -  -  -   -    x      -      -
base.sync            x  -  -  -   -    x      -      -
base.ask             x  x  -  -   x    -      -      -
document.read        x  x  x  -   x    -      -      -
document.original    x  x  x  -   x    -      -      -
document.write       x  -  -  -   -    x      -      -
document.delete      x  -  -  -   -    x      -      -
search               x  x  x  -   x    -      x      -
agent.read           x  x  x  x   x    -      x      -
agent.write          x  x  -  -   -    x      -      -
agent.grant          x  x  -  -   -    x      -      -
agent.grant_company  x  -  -  -   -    -      -      -
run.erase            x  -  -  -   -    x      -      -
run.create           x  x  -  x   x    -      x      -
run.read             x  x  x  -   x    -      x      x
run.list             x  x  x  x   x    -      x      -
call.search          -  -  -  -   x    -      x      x
rating.write         -  -  -  -   x    -      x      x
feedback.read        x  x  x  -   x    -      -      -
account.read         x  -  x  -   x    -      -      -
account.write        x  -  -  -   -    x      -      -
account.verify       x  -  -  -   -    x      -      -
limits.read          x  x  x  x   x    x      -      -
project.read         x  x  x  x   x    x      -      -
request.repeat       -  -  -  -   -    -      -      x
project.create       x  -  -  -   -    -      -      -
key.read             x  -  x  -   -    -      -      -
key.manage           x  -  -  -   -    -      -      -
person.read          x  -  x  -   -    -      -      -
person.manage        x  -  -  -   -    -      -      -
audit.read           x  -  x  -   -    -      -      -
queue.work           x  -  -  -   -    -      -      -
sign_in              x  -  -  -   -    -      -      -
"""
MATRIX = {action: marks for action, *marks in map(str.split, BY_HAND.strip().splitlines()[1:])}

OWN = Resource("org_1", "prj_1")
READS: tuple[Scope, ...] = ("knowledge:read",)
WRITES: tuple[Scope, ...] = ("knowledge:write",)


def person(*roles: Role, organization: str | None = "org_1") -> Principal:
    return Principal("person", "ada@example.org", organization, frozenset(roles))


def key(*scopes: Scope, agent: str | None = None) -> Principal:
    return Principal("key", "key_1", "org_1", scopes=frozenset(scopes), project="prj_1", agent=agent)


def answer(principal: Principal, action: str, resource: Resource) -> str:
    try:
        authorize(principal, action, resource)
    except NotFound:
        return "not found"
    except NotPermitted:
        return "not permitted"
    return "may"


def mark(yes: bool) -> str:
    return "x" if yes else "-"


@pytest.mark.req("RUN7", "KB2", "DOC6")
@pytest.mark.parametrize("action", MATRIX)
def test_the_table_says_what_the_matrix_says(action: str) -> None:
    everybody = [
        *((person(role), OWN) for role in ROLES),
        (key(*READS), OWN),
        (key(*WRITES), OWN),
        (key(*SCOPES, agent="agt_1"), replace(OWN, agent="agt_1")),
        (person(), replace(OWN, owner="ada@example.org")),
    ]
    assert [mark(answer(who, action, what) == "may") for who, what in everybody] == MATRIX[action]


def test_the_matrix_has_every_action() -> None:
    assert set(MATRIX) == set(TABLE)


@pytest.mark.req("RUN7")
def test_an_auditor_changes_nothing_and_a_member_reads_no_documents() -> None:
    changes = {"create", "update", "delete", "write", "grant", "grant_company", "manage", "work", "verify"}
    for action in TABLE:
        if action.split(".")[-1] in changes:
            assert answer(person("Auditor"), action, OWN) == "not permitted"
    allowed = {action for action in TABLE if answer(person("Member"), action, OWN) == "may"}
    assert allowed == {"agent.read", "run.create", "run.list", "limits.read", "project.read"}


@pytest.mark.req("DOC6")
def test_the_original_passes_the_same_check_as_the_page() -> None:
    assert TABLE["document.original"] == TABLE["document.read"]


@pytest.mark.req("KB2")
def test_a_company_base_is_granted_by_a_platform_admin_alone() -> None:
    everybody = [
        *(person(role) for role in ROLES),
        key(*SCOPES),
        key(*SCOPES, agent="agt_1"),
        person(*ROLES[1:]),
    ]
    granting = [who for who in everybody if permits(who, "agent.grant_company", OWN)]
    assert granting == [person("PlatformAdmin")]


def every_principal() -> Iterator[Principal]:
    yield LOCAL
    for organization in ("org_1", "org_2", None):
        for role in ROLES:
            yield person(role, organization=organization)
        yield person(organization=organization)
    for scopes in ((), READS, WRITES, SCOPES):
        yield key(*scopes)
        yield key(*scopes, agent="agt_1")


RESOURCES = [
    Resource(organization, project, owner, agent)
    for organization, project in (
        ("org_1", "prj_1"),
        ("org_1", "prj_2"),
        ("org_1", None),
        ("org_2", "prj_3"),
        (None, None),
    )
    for owner in (None, "ada@example.org", "grace@example.org", "key_1")
    for agent in (None, "agt_1", "agt_2")
]


def expected(who: Principal, action: str, what: Resource) -> str:
    """In the words of the brief: another's is not there; one's own is there, and the table decides."""
    rule = TABLE[action]
    if who.organization and what.organization and who.organization != what.organization:
        return "not found"
    if who.project and what.project and who.project != what.project:
        return "not found"
    if who.agent and rule.bound and who.agent != what.agent:
        return "not found"
    if who.organization and not what.organization:
        return "not permitted"
    if rule.owner and what.owner == who.name:
        return "may"
    if who.kind == "key":
        assert who.scopes is not None
        return "may" if rule.scopes & who.scopes and (rule.bound or not who.agent) else "not permitted"
    return "may" if rule.roles & who.roles else "not permitted"


@pytest.mark.req("RUN7")
@pytest.mark.parametrize("action", TABLE)
def test_every_answer_is_the_tables(action: str) -> None:
    wrong = [
        (who, what)
        for who, what in product(every_principal(), RESOURCES)
        if answer(who, action, what) != expected(who, action, what)
    ]
    assert wrong == []


@pytest.mark.req("RUN7")
@pytest.mark.parametrize("action", TABLE)
def test_what_is_another_tenants_is_not_there_for_anybody(action: str) -> None:
    for role in ROLES:
        owned = Resource("org_2", "prj_3", owner="ada@example.org")
        assert answer(person(role), action, owned) == "not found"
    for other in (Resource("org_1", "prj_2"), Resource("org_2", "prj_3")):
        assert answer(key(*SCOPES), action, other) == "not found"
        assert not within(key(*SCOPES), other)


def test_whoever_was_answered_may_ask_again() -> None:
    for who in (person(), key(), key(agent="agt_1")):
        assert answer(who, "request.repeat", replace(OWN, owner=who.name)) == "may"
        assert answer(who, "request.repeat", replace(OWN, owner="grace@example.org")) == "not permitted"


def test_who_is_refused_is_told_what_is_needed() -> None:
    with pytest.raises(NotPermitted, match=r"base\.delete needs the role PlatformAdmin") as caught:
        authorize(person("Auditor"), "base.delete", OWN)
    assert (caught.value.code, caught.value.status, caught.value.exit_code) == ("not_permitted", 403, 5)
    with pytest.raises(NotPermitted, match="a key with the scope knowledge:write"):
        authorize(key(*READS), "base.delete", OWN)
    with pytest.raises(NotPermitted, match="no key may"):
        authorize(key(*SCOPES), "key.manage", OWN)
    with pytest.raises(NotPermitted, match="not bound to one agent"):
        authorize(key(*SCOPES, agent="agt_1"), "base.read", OWN)
    with pytest.raises(NotPermitted, match=r"rating\.write needs that it is yours"):
        authorize(person("Auditor"), "rating.write", OWN)


def test_names_of_roles_and_scopes() -> None:
    assert as_roles(["Member", "Auditor"]) == {"Member", "Auditor"}
    assert as_scopes(["voice:read", "voice:write"]) == {"knowledge:read", "knowledge:write"}
    with pytest.raises(UsageError, match="PlatformAdmin, AgentBuilder, Auditor, Member") as caught:
        as_roles(["admin"])
    assert caught.value.code == "unknown_role"
    with pytest.raises(UsageError) as caught:
        as_scopes(["knowledge"])
    assert caught.value.code == "unknown_scope"
