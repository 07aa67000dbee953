"""Adding by name over HTTP: whoever is first, and however many at once, it is one document (D3)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from tests.web.conftest import Connect, Serve

TEXTS = ("# Hours\n\nWe open at nine.\n", "# Hours\n\nWe open at ten.\n")


@pytest.mark.req("D2", "D3")
def test_a_document_of_the_name_is_replaced_where_that_is_said(serve: Serve) -> None:
    served = serve("packs")
    base = served.base()

    def added(text: str, **options: str) -> tuple[int, str, str, int]:
        answer = served.add(base, text, same_name="replace", **options)
        table = answer.json()
        return answer.status_code, answer.headers["document-change"], table["id"], table["version"]

    status, change, document, version = added(TEXTS[0])
    assert (status, change, version) == (201, "added", 1)
    assert added(TEXTS[0]) == (200, "unchanged", document, 1)
    assert added(TEXTS[1]) == (200, "replaced", document, 2)
    another = served.add(base, TEXTS[1])
    assert (another.status_code, another.headers["document-change"]) == (201, "added")
    assert another.json()["id"] != document
    wrong = served.add(base, TEXTS[1], same_name="both")
    assert (wrong.status_code, wrong.headers["content-type"]) == (422, "application/problem+json")


@pytest.mark.req("D3", "D5")
def test_clients_that_add_one_new_name_at_once_make_one_document(
    serve: Serve, connect: Connect, tmp_path: Path
) -> None:
    served = serve("packs")
    served.base("Handbook")
    together = Barrier(4)
    folders = []
    for number in range(4):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        (folder / "hours.md").write_text(TEXTS[number % 2])
        folders.append(folder)

    def adding(folder: Path) -> str | None:
        base = connect(served).bases.get("Handbook")
        together.wait(60)
        [one] = base.add(folder).documents
        return one.change

    with ThreadPoolExecutor(4) as threads:
        changes = list(threads.map(adding, folders))
    [document] = served.desk.bases.get("Handbook").list_documents()
    assert changes.count("added") == 1
    assert document.version == 1 + changes.count("replaced")
