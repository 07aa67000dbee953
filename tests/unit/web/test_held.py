"""What is kept for a while, of each project apart."""

from __future__ import annotations

import pytest

from refdesk.errors import NotFound, Refusal
from refdesk.web.openai.held import HeldFile, Kept


def file(id_: str, size: int) -> HeldFile:
    return HeldFile(id_, f"{id_}.md", None, b"x" * size, "assistants", 0)


def test_files_are_kept_for_their_project_for_a_while() -> None:
    now = [0.0]
    kept = Kept[HeldFile]("bytes of files in no store", 10, 100, lambda: now[0])
    kept.put("prj_1", file("a", 60))
    assert kept.get("prj_1", "a").name == "a.md"
    with pytest.raises(NotFound):
        kept.get("prj_2", "a")
    now[0] = 11
    assert kept.find("prj_1", "a") is None


def test_a_project_keeps_so_much_and_another_its_own() -> None:
    kept = Kept[HeldFile]("bytes of files in no store", 10, 100)
    kept.put("prj_1", file("a", 60))
    with pytest.raises(Refusal, match="attach or delete some first") as caught:
        kept.put("prj_1", file("b", 41))
    assert (caught.value.code, caught.value.limit, caught.value.actual) == ("too_large", 100, 101)
    kept.put("prj_2", file("b", 41))
    assert kept.take("prj_1", "a") is not None
    assert kept.take("prj_1", "a") is None
    kept.put("prj_1", file("b", 100))
