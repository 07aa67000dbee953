"""A desk of the first version moves up with everything in it, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from refdesk.catalog import Catalog
from refdesk.catalog.bases import Counts
from refdesk.catalog.connect import server_at
from refdesk.catalog.migrate import upgrade

AT = "2026-01-01T00:00:00.000000Z"
FIRST = (
    "INSERT INTO organizations (id, name) VALUES ('org_1', 'default')",
    "INSERT INTO projects (id, organization_id, slug, policy, overrides, created_at) "
    f"VALUES ('prj_1', 'org_1', 'default', 'packs', '{{}}', '{AT}')",
    "INSERT INTO bases (id, project_id, scope, name, name_key, slug, kind, created_at) "
    f"VALUES ('kb_1', 'prj_1', 'org_1', 'Handbook', 'handbook', 'handbook', 'company', '{AT}')",
    "INSERT INTO documents (id, base_id, name, title, kind, state, version, live_version, metadata, "
    "created_at, queued_at, attempts, claimed_by, lease_until) VALUES "
    f"('doc_1', 'kb_1', 'a.md', 'A', 'markdown', 'ready', 1, 1, '{{}}', '{AT}', '{AT}', 1, NULL, NULL), "
    f"('doc_2', 'kb_1', 'b.md', 'B', 'markdown', 'indexing', 1, NULL, '{{}}', '{AT}', '{AT}', 1, 'w', 1.0)",
    "INSERT INTO versions (document_id, version, files, sha256, bytes, chars, passages, pages, figures, "
    "notes) VALUES ('doc_1', 1, 'upl_1', '0', 10, 10, 1, 'null', '[]', '[]'),"
    " ('doc_2', 1, 'upl_2', '0', 10, 10, NULL, 'null', '[]', '[]')",
    "INSERT INTO audit (id, at, person, action, resource) VALUES (1, 'x', 'local', 'base.create', 'kb_1')",
)


@pytest.fixture(params=["sqlite", "postgresql"])
def nothing_at(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == "postgresql":
        bare: Callable[[], str] = request.getfixturevalue("bare_database")
        return bare()
    return f"sqlite:///{tmp_path / 'catalog.sqlite'}"


@pytest.mark.req("D7")
def test_a_desk_of_the_first_version_moves_up_with_everything_in_it(nothing_at: str) -> None:
    old = server_at(nothing_at)
    upgrade(old, "0001")
    with old.engine.connect() as connection:
        old.begin_writing(connection, alone=True)
        for statement in FIRST:
            connection.execute(text(statement.replace(":", r"\:")))
        connection.commit()
    old.engine.dispose()

    catalog = Catalog(nothing_at)
    project = catalog.projects.find("default")
    assert project is not None
    [base] = catalog.bases.all(project)
    assert catalog.bases.counts_of_all(project) == {base.id: Counts(2, 10, 20)}
    rows = catalog.documents.of_base(base.id)
    assert [(row.state, row.title, row.set_title) for row in rows] == [
        ("ready", "A", None),
        ("queued", "B", None),
    ]
    claim = catalog.queue.claim("w")  # what was in work then is taken up again
    assert claim is not None
    assert claim.document == "doc_2"
    with catalog.database.write() as connection:
        with pytest.raises(Exception, match=r"(?i)foreign key"):  # they hold again
            connection.execute(text("DELETE FROM organizations"))
        connection.rollback()
    catalog.close()
