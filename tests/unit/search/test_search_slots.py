"""A whole search over a real index: slots within a budget, texts that thousands share, the deadline."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

from refdesk.embedding.model import Vector
from refdesk.index.analysis import analyze, analyze_question
from refdesk.index.local import LocalIndex
from refdesk.index.model import Candidate, Entry
from refdesk.index.visibility import Live
from refdesk.policy import load_policy
from refdesk.policy.model import Mode
from refdesk.search import Meaning, Searched, search
from refdesk.search.guard import Guard
from refdesk.search.halves import gather
from refdesk.testing import WordEmbedder


class Everything:
    def live(self, wanted: Mapping[str, Collection[str]]) -> Mapping[str, Mapping[str, Live]]:
        return {
            base: {name: Live(name, 1, name, name, None, {}) for name in documents}
            for base, documents in wanted.items()
        }


def entry(text: str, position: int = 1, vector: Vector | None = None) -> Entry:
    analyzed = analyze(text, ["english"])
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest() * 2
    return Entry(position, text, "", None, 0, len(text), digest, analyzed.terms, analyzed.words, vector)


@pytest.fixture
def index(tmp_path: Path) -> Iterator[LocalIndex]:
    made = LocalIndex(tmp_path / "index")
    yield made
    made.close()


@pytest.mark.req("W11", "SRCH3")
def test_a_budget_of_characters_leaves_each_half_its_slot(index: LocalIndex) -> None:
    embedder = WordEmbedder()
    question = "repair of a broken screen"
    near, far = embedder.question(question), np.roll(embedder.question(question), 7)
    for number in range(12):
        text = f"Repair of a broken screen, case {number}."
        index.put(f"words{number:02}", 1, [entry(text, vector=far)])
    index.put("sense", 1, [entry("Mending shattered glass.", vector=near)])
    base = Searched("kb", "Base", index, fingerprint=embedder.fingerprint.key)
    found = search(
        question,
        [base],
        Everything(),
        load_policy("voice").search.model_copy(update={"deadline_seconds": None}),
        meaning=Meaning(embedder, lambda cosine: max(0.0, cosine)),
    )
    assert found.answered_by == "hybrid"
    assert "sense" in [hit.document for hit in found]
    assert len(found) == 4
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def shared(index: LocalIndex, documents: int) -> Searched:
    for number in range(documents):
        index.put(f"doc{number:05}", 1, [entry("All prices exclude tax.")])
    index.put("other", 1, [entry("Tax is due in May, and prices are rounded up to whole figures then.")])
    return Searched("kb", "Base", index)


@pytest.mark.req("W9")
def test_a_text_that_many_share_is_passed_in_a_few_steps(index: LocalIndex) -> None:
    base = shared(index, 300)
    terms = [term for word in analyze_question("prices tax", ["english"]) for term in word.terms]
    statistics = index.statistics([term.term for term in terms])
    steps: list[int] = []

    def fetch(base: Searched, k: int, after: Candidate | None) -> list[Candidate]:
        steps.append(k)
        return base.index.keyword(terms, statistics, k, None, after)

    seen = gather([base], Guard(Everything()), fetch, 2, None, strict=True)
    assert seen[-1][1].document == "other"
    assert len(steps) <= 6


@pytest.mark.req("SRCH4")
def test_past_its_deadline_a_list_does_not_go_on(index: LocalIndex) -> None:
    base = shared(index, 60)
    policy = load_policy("packs").search
    found = search("prices tax", [base], Everything(), policy, top_k=2, mode="keyword", deadline=0.0)
    assert [hit.document for hit in found] == ["doc00000"]


@pytest.mark.req("SRCH1")
@pytest.mark.parametrize(("multilingual", "first"), [(True, "sense"), (False, "chance")])
def test_a_question_in_a_language_that_no_document_has_is_ordered_by_a_model_that_knows_both(
    index: LocalIndex, multilingual: bool, first: str
) -> None:
    embedder = WordEmbedder()
    question = "what was the name of the hall in the warm winter?"
    near, far = embedder.question(question), np.roll(embedder.question(question), 7)
    index.put("chance", 1, [entry("Was in der Hall am warm gewordenen Winter war.", vector=far)])
    index.put("sense", 1, [entry("So hieß damals das Haus, und es war kalt.", vector=near)])
    for number in range(10):
        index.put(f"more{number}", 1, [entry(f"Der Rat der Stadt tagte zum {number}. Mal.", vector=far)])
    base = Searched("kb", "Base", index, languages=["german"], fingerprint=embedder.fingerprint.key)
    meaning = Meaning(embedder, lambda cosine: max(0.0, cosine), multilingual=multilingual)
    found = search(question, [base], Everything(), load_policy("packs").search, meaning=meaning)
    assert next(hit.document for hit in found) == first


@pytest.mark.req("A3")
@pytest.mark.parametrize(
    ("mode", "multilingual", "languages", "telling"),
    [
        ("hybrid", False, ["english"], "both"),
        ("hybrid", False, ["german", "english"], "both"),
        ("hybrid", False, ["german"], "words"),
        ("hybrid", True, ["german"], "meaning"),
        ("keyword", True, ["english"], "words"),
    ],
)
def test_a_search_says_what_of_it_tells_whether_a_hit_answers(
    index: LocalIndex, mode: Mode, multilingual: bool, languages: list[str], telling: str
) -> None:
    embedder = WordEmbedder()
    index.put("one", 1, [entry("A hall.", vector=embedder.question("A hall."))])
    base = Searched("kb", "Base", index, languages=languages, fingerprint=embedder.fingerprint.key)
    meaning = Meaning(embedder, lambda cosine: max(0.0, cosine), multilingual=multilingual)
    question = "what was the name of the hall in the warm winter?"
    found = search(question, [base], Everything(), load_policy("packs").search, meaning=meaning, mode=mode)
    assert found.telling == telling
