"""The demo's seed through the desk: by keyword, then by meaning with an embedder of the tests' own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from refdesk import Desk
from refdesk.demo.catalog import SHOWN, agents, packs
from refdesk.demo.seed import Seeded, embed, load, reset, seed
from refdesk.errors import Failed, Refusal
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

RUNBOOKS, RUNBOOK = "sap-operations-runbooks", "rb-01-idoc-status-51.md"


class Counting(WordEmbedder):
    """Counts the texts that it was given."""

    texts = 0

    def passages(self, texts, progress=None):  # type: ignore[no-untyped-def]
        self.texts += len(texts)
        return super().passages(texts, progress)


def opened(home: Path, embedders: dict[str, WordEmbedder] | None = None, policy: str = "packs") -> Desk:
    settings = Settings(cache=home / "cache")
    return Desk.open(home / "desk", policy=policy, settings=settings, embedders=embedders or {})


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, Seeded]]:
    with opened(tmp_path_factory.mktemp("demo")) as desk:
        yield desk, seed(desk)


@pytest.mark.req("DEMO1")
def test_the_packs_hold_what_the_catalog_says_and_are_ready(seeded: tuple[Desk, Seeded]) -> None:
    desk, counts = seeded
    bases = [desk.bases.get(pack.name) for pack in packs()]
    documents = [document for base in bases for document in base.list_documents()]
    assert [(base.kind, base.description) for base in bases] == [
        (pack.kind, pack.description) for pack in packs()
    ]
    assert [(document.state, document.notes) for document in documents] == [("ready", ())] * 62
    assert Counter(Path(document.name).suffix for document in documents) == {
        ".md": 57,
        ".docx": 2,
        ".pdf": 2,
        ".png": 1,
    }
    assert (counts.packs, counts.documents, counts.agents, counts.by_meaning) == (11, 62, 16, 0)
    assert counts.passages == sum(document.passages or 0 for document in documents)


@pytest.mark.req("DEMO2", "KB2")
def test_agents_have_their_mode_prompt_and_grants(seeded: tuple[Desk, Seeded]) -> None:
    desk, _ = seeded
    names = {desk.bases.get(pack.name).id: pack.name for pack in packs()}
    for wanted in agents():
        agent = desk.agents.get(wanted.name)
        assert (agent.grounding, agent.prompt, agent.version) == (wanted.grounding, wanted.prompt, 1)
        assert tuple(names[base] for base in agent.knowledge_base_ids) == wanted.packs


@pytest.mark.req("RUN2", "A2")
@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.agent)
def test_what_the_demo_asks_is_answered_and_cited(seeded: tuple[Desk, Seeded], shown) -> None:  # type: ignore[no-untyped-def]
    run = seeded[0].ask(shown.question, agent=shown.agent)
    assert (run.outcome, run.warnings) == ("answered", ())
    assert run.citations
    assert {citation.support for citation in run.citations} == {"supported"}


@pytest.mark.req("A5", "RUN2")
@pytest.mark.parametrize(
    "question", ["What is the capital of France?", "How much sugar does a sponge cake need?"]
)
def test_what_the_documents_do_not_cover_is_said_plainly(seeded: tuple[Desk, Seeded], question: str) -> None:
    run = seeded[0].ask(question, agent="incident-analyst")
    assert run.answer == "The documents do not cover this question."


@pytest.mark.req("DEMO2")
def test_seeding_again_restores_documents_and_modes_and_touches_nothing_else(tmp_path: Path) -> None:
    with opened(tmp_path) as desk:
        before = seed(desk)
        runbooks = desk.bases.get(RUNBOOKS)
        own = tmp_path / "own.md"
        own.write_text("# Our own\n\nA document that somebody added.\n")
        changed = tmp_path / RUNBOOK
        changed.write_text("# Changed\n\nSomebody replaced this runbook.\n")
        runbooks.add(own, changed, wait=True)
        desk.documents.delete(documents(desk)["rb-02-queued-rfc-stopped.md"].id)
        desk.agents.update("incident-analyst", grounding="required", prompt="Ours.", bases=[runbooks])
        desk.agents.delete("code-reviewer")
        mine = desk.agents.create("mine", grounding="open", bases=[runbooks])
        kept = documents(desk)
        again = seed(desk)
        now = documents(desk)
        assert (again.documents, again.passages) == (before.documents + 1, before.passages + 1)
        assert now.keys() == {*kept, "rb-02-queued-rfc-stopped.md"}
        assert {name for name in kept if now[name] != kept[name]} == {RUNBOOK}
        assert "Status 51 means" in " ".join(desk.documents.text(now[RUNBOOK].id).split())
        analyst = desk.agents.get("incident-analyst")
        assert (analyst.grounding, analyst.prompt) == ("preferred", "Ours.")
        assert analyst.knowledge_base_ids == (runbooks.id,)
        assert desk.agents.get("mine") == mine
        assert desk.agents.get("code-reviewer").grounding == "open"


@pytest.mark.req("DEMO2")
def test_a_pack_that_was_deleted_comes_back_with_its_grants_and_reset_removes_all(tmp_path: Path) -> None:
    with opened(tmp_path) as desk:
        seed(desk)
        desk.bases.get(RUNBOOKS).delete()
        assert len(desk.agents.get("runbook-guide").knowledge_base_ids) == 2
        seed(desk)
        runbooks = desk.bases.get(RUNBOOKS)
        assert runbooks.id in desk.agents.get("runbook-guide").knowledge_base_ids
        handbook = desk.bases.create("Handbook")
        reset(desk)
        assert [base.id for base in desk.bases.list()] == [handbook.id]
        assert not desk.agents.list()


@pytest.mark.req("DEMO1", "ING6")
def test_keyword_comes_first_and_nothing_is_embedded_twice(tmp_path: Path) -> None:
    embedder = Counting()
    heard: list[tuple[str, int, int]] = []
    with opened(tmp_path, {"local": embedder}) as desk:
        loaded = load(desk, lambda stage, name, done, total: heard.append((stage, done, total)))
        assert (loaded.by_meaning, embedder.texts) == (0, 0)
        assert heard == [("read", number, 62) for number in range(1, 63)]
        found = desk.search("IDoc status 51", [RUNBOOKS])
        assert found.answered_by == "keyword"
        assert found.hits[0].name == RUNBOOK
        heard.clear()
        embed(desk, lambda stage, name, done, total: heard.append((stage, done, total)))
        made = embedder.texts
        assert made >= loaded.passages * 0.9  # texts that stand twice are embedded once
        assert heard[-1] == ("embed", loaded.passages, loaded.passages)
        assert [done for _, done, _ in heard] == sorted(done for _, done, _ in heard)
        assert desk.search("IDoc status 51", [RUNBOOKS]).answered_by == "hybrid"
        assert seed(desk).by_meaning == 11
        assert embedder.texts == made


@pytest.mark.req("DEMO2", "ING6")
def test_what_could_not_be_embedded_is_told_and_done_the_next_time(tmp_path: Path) -> None:
    class Silent(WordEmbedder):
        def passages(self, texts, progress=None):  # type: ignore[no-untyped-def]
            raise Failed("The model has nothing to say.")

    with opened(tmp_path, {"local": Silent()}) as desk:
        load(desk)
        with pytest.raises(Failed, match="is not ready: The model has nothing to say"):
            embed(desk)
        assert desk.search("IDoc status 51", [RUNBOOKS]).hits[0].name == RUNBOOK
    with opened(tmp_path, {"local": WordEmbedder()}) as desk:
        assert seed(desk).by_meaning == 11
        states = {
            document.state for pack in packs() for document in desk.bases.get(pack.name).list_documents()
        }
        assert states == {"ready"}


def test_a_project_that_cannot_read_the_documents_says_so(tmp_path: Path) -> None:
    with opened(tmp_path, policy="voice") as desk:
        with pytest.raises(Refusal, match="image, word, which the policy voice does not take"):
            load(desk)
        assert not desk.bases.list()


def documents(desk: Desk):  # type: ignore[no-untyped-def]
    return {document.name: document for document in desk.bases.get(RUNBOOKS).list_documents()}
