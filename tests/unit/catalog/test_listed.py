"""Any number of texts as one value, in both databases' words."""

from __future__ import annotations

from sqlalchemy import Dialect, column, create_engine, select, text
from sqlalchemy.dialects import postgresql, sqlite

from refdesk.catalog.listed import among, listed

QUERY = select(column("id")).where(among(column("id"), "ids"))


def written(dialect: Dialect) -> str:
    return str(QUERY.compile(dialect=dialect)).split("WHERE ")[1]


def test_each_database_reads_the_list_in_its_way() -> None:
    assert written(sqlite.dialect()) == "id IN (SELECT value FROM json_each(?))"
    assert "SELECT json_array_elements_text(CAST(" in written(postgresql.dialect())


def test_texts_of_any_kind_are_found() -> None:
    texts = ["a", "", "é猫", "it's", '"quoted"', "\\"]
    with create_engine("sqlite://").connect() as connection:
        connection.execute(text("CREATE TABLE names (id TEXT)"))
        connection.execute(
            text("INSERT INTO names VALUES (:id)"), [{"id": name} for name in [*texts, "other"]]
        )
        query = QUERY.select_from(text("names"))
        found = connection.execute(query, {"ids": listed(texts)}).scalars().all()
        assert found == texts
        assert connection.execute(query, {"ids": listed([])}).all() == []
