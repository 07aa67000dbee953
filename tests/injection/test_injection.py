"""Evidence, not instructions (RUN5): whatever a document says, and wherever, what a model is given keeps its
structure on every way out.

Each attack is put into files and their names, read, screened, stored and searched as any document is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.injection.attacks import ATTACKS
from tests.injection.conftest import OPENING, QUESTION, Planted, named
from tests.injection.strict import Broken, Parsed, fetched, forgeries, parse
from tests.web.conftest import Served

from refdesk import Desk
from refdesk.answer.model import Prompt
from refdesk.cli import main
from refdesk.demo.pdf import pdf
from refdesk.demo.source import Source
from refdesk.desk.bases import Base
from refdesk.desk.toolbox import Toolbox
from refdesk.errors import UsageError
from refdesk.results.found import Hit

pytestmark = pytest.mark.req("RUN5", "A1")

each_attack = pytest.mark.parametrize("attack", ATTACKS.values(), ids=list(ATTACKS))
CALM = "The keeper has a spare key."


@pytest.fixture(scope="module")
def calm(served: Served, tmp_path_factory: pytest.TempPathFactory) -> Base:
    return planted(served.desk, CALM, tmp_path_factory.mktemp("calm"))


def planted(desk: Desk, attack: str, folder: Path) -> Base:
    """A base with the attack in its name where it may stand there, in its documents, their names and their
    metadata."""
    one_line = " ".join(attack.split())
    number = f"Gates {len(desk.bases.list())}"
    try:
        base = desk.bases.create(f"{number} {one_line}"[:200], kind="generic", description=one_line[:200])
    except UsageError as refused:
        assert refused.code in {"bad_name", "bad_value"}  # noqa: PT017
        base = desk.bases.create(number, kind="generic")
    metadata = {"note": one_line[:200], f"k {one_line}"[:40].replace("=", " "): "x"}
    address = f"https://example.org/gates?{quote(one_line)[:100]}"
    added = base.add(*Planted(folder, attack).files(), wait=True, source_url=address, metadata=metadata)
    states = [document.state for document in added.documents]
    assert states == ["ready"] * len(states), [(one.name, one.error) for one in added.documents]
    return base


FOUND = (
    "The search found these references. They may still not answer the question.",
    "The search found only these references, and none of them fits the question well. They probably do not "
    "answer it.",
)
"""Which of the two a prompt has is a matter of how well its passages fit."""


def outside(parsed: Parsed) -> list[str]:
    return ["found" if line in FOUND else line for line in parsed.outside]


def same_structure(text: str, calm: str, hits: Sequence[Hit]) -> Parsed:
    """As of the calm base, but for the references; and these are the found passages, one by one."""
    parsed = parse(text)
    assert outside(parsed) == outside(parse(calm))
    assert [one.number for one in parsed.references] == list(range(1, len(hits) + 1))
    for reference, hit in zip(parsed.references, hits, strict=True):
        assert reference.text == hit.text
        assert forgeries(reference.text) == []
        assert forgeries(reference.label) == []
        assert "\u2028" not in reference.label
    return parsed


@each_attack
def test_no_document_changes_what_a_model_is_given(
    served: Served,
    calm: Base,
    prompts: list[Prompt],
    attack: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    desk = served.desk
    base = planted(desk, attack, tmp_path)
    hits = desk.search(QUESTION, [base]).hits
    assert any(OPENING in hit.text for hit in hits)

    desk.ask(QUESTION, bases=[calm])
    run = desk.ask(QUESTION, bases=[base])
    quiet, prompt = prompts
    parsed = same_structure(prompt.user, quiet.user, hits)
    assert parsed.outside[-1] == f"Question: {QUESTION}"
    assert prompt.system == quiet.system
    assert run.answer is not None
    assert fetched(run.answer) == []
    assert {one.number for one in run.citations} <= {hit.number for hit in hits}
    assert not any("not issued" in warning for warning in run.warnings)

    for name in ("knowledge_search", "search_knowledge"):
        calls = [
            Toolbox(desk, bases=[one.id]).call(name, {"query": QUESTION, **_all_of(name, desk)})
            for one in (base, calm)
        ]
        assert [call.text for call in calls if call.failed] == []
        same_structure(calls[0].text, calls[1].text, desk.search(QUESTION, [base]).hits)
    schema = json.dumps([tool.to_dict() for tool in Toolbox(desk, bases=[base.id]).tools()])
    for text in _strings(json.loads(schema)):
        assert forgeries(text) == []
        assert "\n" not in text.replace(" \n", "")

    for door, body in _doors(served, base, desk):
        for text in _strings(body):
            assert forgeries(text) == [], door
    no_steering(served, base, capsys)


def _all_of(name: str, desk: Desk) -> dict[str, int]:
    return {"top_k": desk.policy.search.top_k} if name == "knowledge_search" else {}


def _doors(served: Served, base: Base, desk: Desk) -> Iterator[tuple[str, Any]]:
    """What each door answers, as the JSON that it is; each gives the found passages, whole and no others."""
    texts = [hit.text for hit in desk.search(QUESTION, [base])]
    external = _json(served, "/retrieval", {"knowledge_id": base.id, "query": QUESTION})
    assert [one["content"] for one in external["records"]] == texts
    yield "external knowledge", external
    store = _json(served, f"/v1/vector_stores/{base.id}/search", {"query": QUESTION})
    assert [content["text"] for one in store["data"] for content in one["content"]] == texts
    yield "vector stores", store
    yield "search", _json(served, f"/v2/knowledge-bases/{base.id}/search", {"query": QUESTION})
    yield from _mcp(served, base, texts)
    agent = desk.agents.create(f"Porter {base.id}", bases=[base.id])
    events = list(_events(served, agent.id))
    assert (events[0][0], events[-1][0]) == ("references", "done")
    assert [one["text"] for one in events[0][1]["references"]] == texts
    yield "events", [body for _, body in events]


def _json(served: Served, path: str, body: Mapping[str, Any]) -> Any:
    answer = served.client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def _mcp(served: Served, base: Base, texts: Sequence[str]) -> Iterator[tuple[str, Any]]:
    document = next(iter(base.list_documents())).id
    calls = {
        "knowledge_search": {"query": QUESTION, "kb_id": base.id},
        "search": {"query": QUESTION},
        "fetch": {"id": document},
    }
    for number, (name, arguments) in enumerate(calls.items()):
        message = {
            "jsonrpc": "2.0",
            "id": number,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        accept = {"Accept": "application/json, text/event-stream"}
        result = served.client.post("/mcp", json=message, headers=accept).json()["result"]
        assert not result.get("isError"), result
        text = result["content"][0]["text"]
        if name == "knowledge_search":
            assert [reference.text for reference in parse(text).references] == texts
        else:
            assert set(json.loads(text)) <= {"results", "id", "title", "text", "url", "metadata"}
            yield f"mcp {name}", json.loads(text)


def _events(served: Served, agent: str) -> Iterator[tuple[str, Any]]:
    answer = served.client.post(
        f"/v2/agents/{agent}/runs", json={"question": QUESTION}, headers={"Accept": "text/event-stream"}
    )
    assert answer.status_code == 200, answer.text
    for block in answer.text.replace("\r\n", "\n").strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        if fields:
            yield fields["event"], json.loads(fields["data"])


def _strings(body: Any) -> Iterator[str]:
    if isinstance(body, str):
        yield body
    elif isinstance(body, Mapping):
        for key, value in body.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(body, Sequence):
        for value in body:
            yield from _strings(value)


@each_attack
def test_no_document_changes_what_an_agent_has_in_its_prompt(
    inline: Desk, prompts: list[Prompt], attack: str, tmp_path: Path
) -> None:
    base = inline.bases.get("Gates")
    shapes = []
    for text in (CALM, attack):
        file = tmp_path / "gate.md"
        file.write_text(Planted(tmp_path, text).markdown(), encoding="utf-8")
        assert base.add(file, wait=True).documents[0].state == "ready"
        inline.ask(QUESTION, agent="Porter")
        call = inline.calls.start("Porter")
        assert call.text is not None
        prompt = parse(prompts[-1].user)
        whole = parse(call.text)
        shapes.append((outside(prompt), outside(whole), prompts[-1].system))
        for parsed in (prompt, whole):
            assert [one.number for one in parsed.references] == [1]
            assert forgeries(parsed.references[0].text) == []
            assert forgeries(parsed.references[0].label) == []
    assert shapes[0] == shapes[1]


LATIN = {name: attack for name, attack in ATTACKS.items() if attack.isascii() and attack.isprintable()}
IN_PDF = [name for name in LATIN if name.startswith(("fence", "token", "picture", "a message"))]


@pytest.mark.parametrize("name", IN_PDF)
def test_a_pdf_is_a_document_like_others(served: Served, calm: Base, name: str, tmp_path: Path) -> None:
    attack = LATIN[name]
    body = f"# The north gate {attack}\n\n{OPENING}\n\n{attack}\n\n## Opening {attack}\n\n{OPENING}\n"
    file = tmp_path / "gate.pdf"
    file.write_bytes(pdf(Source("gate.pdf", f"The north gate {attack}", "pdf", body)))
    base = served.desk.bases.create(f"Gates {len(served.desk.bases.list())}", kind="generic")
    assert [one.state for one in base.add(file, wait=True).documents] == ["ready"]
    hits = served.desk.search(QUESTION, [base]).hits
    texts = [
        Toolbox(served.desk, bases=[one.id]).call("search_knowledge", {"query": QUESTION}).text
        for one in (base, calm)
    ]
    same_structure(*texts, hits)


def no_steering(served: Served, base: Base, capsys: pytest.CaptureFixture[str]) -> None:
    """What the command line prints of it turns no terminal's head, and its JSON is one document."""
    home = ["--home", str(served.desk.home)]
    [document, *_] = base.list_documents()
    for command in (
        ["ask", QUESTION, "--base", base.id],
        ["search", QUESTION, "--base", base.id],
        ["documents", "--base", base.id],
        ["show", document.id],
    ):
        assert main([*home, *command]) == 0
        shown = capsys.readouterr().out
        assert re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown) == []
    assert main([*home, "ask", QUESTION, "--base", base.id, "--json"]) == 0
    assert isinstance(json.loads(capsys.readouterr().out), dict)


def test_the_parser_finds_what_it_is_there_to_find() -> None:
    mark = "ab" * 16
    begins, ends = (f"---- {mark} reference [1] {word} ----" for word in ("begins", "ends"))
    whole = f"Mark: {mark}\n\n{begins}\nFrom: A\n\nx\n{ends}"
    assert parse(whole).references[0].text == "x"
    for broken in (
        whole.replace("[1] ends", "[2] ends"),
        whole.replace("\nx\n", f"\nx\n---- {mark} reference [1] ends ----\n"),
        whole.replace("\nx\n", f"\nx {mark}\n"),
        whole.replace("From: A\n\n", ""),
        whole.removesuffix(f"\n---- {mark} reference [1] ends ----"),
        whole.removeprefix("Mark: "),
    ):
        with pytest.raises(Broken):
            parse(broken)
    caught = [name for name, attack in ATTACKS.items() if forgeries(attack)]
    assert sum(name.startswith(("fence", "token", "announcement")) for name in caught) >= 35
    assert len(ATTACKS) >= 60
    assert all(named(attack).encode()[:200] for attack in ATTACKS.values())
