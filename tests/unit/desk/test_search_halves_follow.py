"""The question is embedded beside keyword search; comparing it ends at the deadline, and keyword answers."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from refdesk import Desk
from refdesk.embedding.model import Vector
from refdesk.index.local import LocalIndex
from refdesk.search.deadline import Beside
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

QUESTION = "when does the office close"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "hours.txt").write_text("The office will close at five.\n")
    settings = Settings(cache=tmp_path / "cache")
    with Desk.open(tmp_path / "desk", settings=settings, embedders={"local": WordEmbedder()}) as opened:
        opened.bases.create("Handbook").add(tmp_path / "hours.txt", wait=True)
        yield opened


@pytest.mark.req("SRCH1")
def test_a_question_for_keyword_alone_starts_no_thread(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: object, work: object) -> None:
        raise AssertionError("something was begun beside the search")

    monkeypatch.setattr(Beside, "__init__", refuse)
    assert len(desk.search(QUESTION, ["Handbook"], mode="keyword").hits) == 1


@pytest.mark.req("SRCH4")
@pytest.mark.parametrize("mode", ["meaning", "hybrid"])
def test_where_comparing_takes_too_long_keyword_answers(
    desk: Desk, mode: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[float | None] = []

    def late(self: object, vector: object, k: int, deadline: float | None, after: object) -> None:
        asked.append(deadline)
        raise TimeoutError("as at the deadline")

    monkeypatch.setattr(LocalIndex, "nearest", late)
    began = time.monotonic()
    found = desk.search(QUESTION, ["Handbook"], mode=mode, deadline=30.0)
    assert (found.mode, found.answered_by, len(found.hits)) == (mode, "keyword", 1)
    assert found.notes == ("Meaning search did not answer within the deadline, so keyword search did.",)
    assert asked[0] is not None
    assert asked[0] < began + 30.0  # a part of the time is left for keyword


@pytest.mark.req("SRCH4")
def test_the_question_is_embedded_while_keyword_searches(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each waits for the other to have begun, which no two do that follow each other."""
    both = threading.Barrier(2, timeout=60)
    embed, keyword = WordEmbedder.question, LocalIndex.keyword

    def embedded(self: WordEmbedder, text: str) -> Vector:
        both.wait()
        return embed(self, text)

    def searched(self: LocalIndex, *arguments: Any) -> Any:
        both.wait()
        return keyword(self, *arguments)

    monkeypatch.setattr(WordEmbedder, "question", embedded)
    monkeypatch.setattr(LocalIndex, "keyword", searched)
    assert desk.search(QUESTION, ["Handbook"], mode="hybrid", deadline=120.0).answered_by == "hybrid"
