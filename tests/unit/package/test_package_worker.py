"""A built worker as a process with nothing but its own requirements (CMP4–CMP6, SRCH5, SRCH6, SRCH8)."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from packages import Written
from PIL import Image
from workers import Worker, own_packages

from refdesk.embedding.models import DEFAULT_MODEL, installed
from refdesk.package.build import build
from refdesk.package.check import check
from refdesk.package.worker.server import MOST_BYTES
from refdesk.settings import Settings
from refdesk.testing import Asked, FakeProvider

KEY = "sk-test-5b1f"
QUESTIONS = (
    "how long does an inspection take?",
    "price of a battery check",
    "R-2048",
    "when is the shop open?",
)


@pytest.fixture
def package(tmp_path: Path) -> Written:
    return Written(tmp_path / "shop")


DIMENSIONS = {"openai": 1536, "google": 3072, "huggingface": 384, "bedrock": 1024}


class Services(FakeProvider):
    """Each with as many dimensions as its default model has."""

    def _rows(self, asked: Asked) -> Sequence[Sequence[float]]:
        return super()._rows(asked._replace(dimensions=DIMENSIONS[asked.provider]))


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with Services(key=KEY) as provider:
        yield provider


def _out(package: Written) -> tuple[Path, Path]:
    """A build, and the packages that it may use."""
    checked = check(package.folder)
    assert checked.package is not None, checked.findings
    out = package.folder.parent / "out"
    build(checked.package, out, Settings().cache_folder())
    packages = package.folder.parent / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    return out, own_packages(out, packages)


def _bake(out: Path, packages: Path, **environment: str) -> Worker:
    worker = Worker(out, packages, "bake", **environment)
    assert worker.ended() == 0, worker.log
    return worker


def _hits(found: Any) -> list[Any]:
    return [{key: value for key, value in hit.items() if key != "took_ms"} for hit in found["hits"]]


def _plain(text: str) -> str:
    """A reply without its mark, which is drawn anew for each."""
    return re.sub(r"[0-9a-f]{32}", "MARK", text)


def _hybrid(package: Written, provider: FakeProvider, mode: str = "hybrid", *lines: str) -> dict[str, str]:
    package.base("embed: openai", *lines, mode=mode)
    package.agent += "secrets: [OPENAI_API_KEY]\n"
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{provider.url}/v1"}


@pytest.mark.req("CMP5", "CMP6", "SRCH6")
def test_baked_and_unbaked_answer_alike_and_unbaked_is_named_in_the_log(package: Written) -> None:
    out, packages = _out(package)
    with Worker(out, packages) as worker:
        unbaked = [worker.look_up(question) for question in QUESTIONS]
        status, run = worker.post("/agents/reception/ask", {"question": QUESTIONS[0]})
    assert "base=shop_documents is not baked: indexing its documents now, in this process" in worker.log
    assert status == 200
    assert "two working days" in run["answer"]
    assert run["citations"][0]["name"] == "repairs.md"
    assert not any(question in worker.log for question in QUESTIONS)
    _bake(out, packages)
    with Worker(out, packages) as worker:
        baked = [worker.look_up(question) for question in QUESTIONS]
        assert worker.get("/readyz")[1]["bases"] == {
            "shop_documents": {"documents": 3, "passages": 4, "baked": True}
        }
    assert "not baked" not in worker.log
    assert [_hits(one) for one in baked] == [_hits(one) for one in unbaked]
    assert [_plain(one["text"]) for one in baked] == [_plain(one["text"]) for one in unbaked]
    first = baked[0]
    assert first["announce"] == "One moment, I will look that up."
    assert first["failed"] is False
    assert "repairs.md" in first["text"]
    assert "may still not answer" in first["text"]
    assert "the documents do not cover it" in first["text"]
    assert all(hit["similarity"] is None for hit in first["hits"])


@pytest.mark.req("CMP6", "SRCH5")
def test_a_baked_hybrid_base_gives_the_same_hits_and_scores_and_embeds_questions_alone(
    package: Written, provider: FakeProvider
) -> None:
    environment = _hybrid(package, provider)
    out, packages = _out(package)
    with Worker(out, packages, **environment) as worker:
        unbaked = [_hits(worker.look_up(question)) for question in QUESTIONS]
    assert "embedding its documents with openai now" in worker.log
    _bake(out, packages, **environment)
    provider.asked.clear()
    with Worker(out, packages, **environment) as worker:
        baked = [_hits(worker.look_up(question)) for question in QUESTIONS]
        text = worker.look_up(QUESTIONS[0])["text"]
    assert baked == unbaked
    assert any(hit["similarity"] is not None for hit in baked[0])
    assert re.search(r"\(repairs\.md, relevance [01]\.\d\d\)", text)
    assert list(provider.texts) == list(QUESTIONS)
    written = b"".join(path.read_bytes() for path in out.rglob("*") if path.is_file())
    assert KEY.encode() not in written
    assert KEY not in worker.log


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("change", ["chunk_size", "document"])
def test_a_bake_of_something_else_stops_the_start_with_a_sentence(package: Written, change: str) -> None:
    out, packages = _out(package)
    _bake(out, packages)
    if change == "chunk_size":
        package.base("chunk_size: 120")
        out, packages = _out(package)
        says = "was baked with chunk_size 90, and is asked for with 120: bake it again"
    else:
        file = out / "knowledge/shop_documents/price-list.md"
        file.write_text(file.read_text().replace("14.50", "15.50"))
        says = "was baked with other documents, and is asked for with those that are here: bake it again"
    worker = Worker(out, packages)
    assert worker.ended() == 1
    assert says in worker.log
    assert "Traceback" not in worker.log
    _bake(out, packages)
    with Worker(out, packages) as worker:
        assert worker.look_up("flat tyre")["hits"]


@pytest.mark.req("CMP3", "CMP5")
def test_a_pdf_without_text_is_named_and_skipped_and_a_base_of_them_stops_the_start(
    package: Written,
) -> None:
    Image.new("RGB", (600, 800), "grey").save(package.folder / "documents/scan.pdf")
    out, packages = _out(package)
    with Worker(out, packages) as worker:
        assert worker.get("/readyz")[1]["bases"]["shop_documents"]["documents"] == 3
    assert re.search(r"document=scan\.pdf skipped=scanned: .*no text", worker.log), worker.log
    for file in (package.folder / "documents").glob("*.md"):
        file.unlink()
    out, packages = _out(package)
    worker = Worker(out, packages)
    assert worker.ended() == 1
    assert "The base shop_documents yields no text, so nothing starts. scan.pdf:" in worker.log
    baking = Worker(out, packages, "bake")
    assert baking.ended() == 1
    assert not (out / "index/shop_documents").exists()


@pytest.mark.req("CMP2", "CMP6")
def test_a_credential_that_is_not_there_stops_the_start(package: Written, provider: FakeProvider) -> None:
    environment = _hybrid(package, provider)
    out, packages = _out(package)
    _bake(out, packages, **environment)
    worker = Worker(out, packages, **environment | {"OPENAI_API_KEY": " "})
    assert worker.ended() == 1
    assert "embedded by openai, which needs OPENAI_API_KEY, and the environment has none" in worker.log


@pytest.mark.req("SRCH8")
def test_a_lookup_that_fails_tells_the_model_that_it_is_unavailable_and_the_log_why(
    package: Written, provider: FakeProvider
) -> None:
    environment = _hybrid(package, provider, "meaning")
    provider.echo = " of the provider's own words"
    out, packages = _out(package)
    _bake(out, packages, **environment)
    with Worker(out, packages, **environment) as worker:
        provider.mode = "401"
        failed = worker.look_up("how long does it take?")
        provider.mode = "answer"
        found = worker.look_up_until_found("how long does it take?")
    assert failed["text"] == "The lookup is unavailable."
    assert failed["failed"] is True
    assert "hits" not in failed
    assert found["failed"] is False
    assert found["hits"]
    assert re.search(r"ERROR .*cause=.*key", worker.log), worker.log


@pytest.mark.req("SRCH8")
def test_a_lookup_that_is_under_way_when_the_worker_ends_is_answered(
    package: Written, provider: FakeProvider
) -> None:
    environment = _hybrid(package, provider, "meaning")
    out, packages = _out(package)
    _bake(out, packages, **environment)
    with Worker(out, packages, **environment) as worker, ThreadPoolExecutor(1) as beside:
        provider.asked.clear()
        provider.mode = "hang"
        under_way = beside.submit(worker.look_up, "how long does it take?")
        while not provider.asked and not under_way.done():
            time.sleep(0.02)
        worker.process.terminate()
        assert under_way.result()["text"] == "The lookup is unavailable."
        assert worker.process.wait(120) == 0


@pytest.mark.req("SRCH4", "SRCH8")
def test_a_hybrid_base_whose_service_fails_is_answered_by_keyword_and_says_so(
    package: Written, provider: FakeProvider
) -> None:
    environment = _hybrid(package, provider)
    out, packages = _out(package)
    _bake(out, packages, **environment)
    with Worker(out, packages, **environment) as worker:
        provider.mode = "500"
        found = worker.look_up("flat tyre")
    assert found["answered_by"] == "keyword"
    assert found["notes"] == ["Meaning search is unavailable, so keyword search answered."]
    assert found["hits"]


@pytest.mark.req("SRCH5", "SRCH6")
def test_what_a_cutoff_drops_is_logged_by_count(package: Written, provider: FakeProvider) -> None:
    environment = _hybrid(package, provider, "meaning", "min_score: 1")
    out, packages = _out(package)
    _bake(out, packages, **environment)
    with Worker(out, packages, **environment) as worker:
        found = worker.look_up("a question about bicycles")
    assert found["hits"] == []
    assert "there are no references" in found["text"]
    assert "the documents do not cover it" in found["text"]
    assert re.search(r"dropped_by_min_score=4$", worker.log, re.MULTILINE), worker.log
    assert "bicycles" not in worker.log


@pytest.mark.req("CMP4")
def test_four_services_in_one_worker(package: Written, provider: FakeProvider, tmp_path: Path) -> None:
    provider.key = None
    bases, tools = [], []
    for service in DIMENSIONS:
        folder = package.folder / service
        folder.mkdir()
        (folder / "about.md").write_text(f"# About {service}\n\nThis text is embedded by {service}.\n")
        bases.append(f"  {service}_base:\n    path: {service}\n    embed: {service}\n    mode: meaning\n")
        (package.folder / f"tools/ask_{service}.yaml").write_text(
            f"description: Asks {service}.\nknowledge:\n  base: {service}_base\n"
        )
        tools.append(f"      - ask_{service}\n")
    package.agent = package.agent.replace("      - look_up\n", "      - look_up\n" + "".join(tools))
    package.agent += "".join(bases) + "secrets: [OPENAI_API_KEY, GOOGLE_API_KEY, HF_TOKEN]\n"
    environment = {
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "GOOGLE_API_KEY": KEY,
        "GOOGLE_GEMINI_BASE_URL": provider.url,
        "HF_TOKEN": KEY,
        "HF_INFERENCE_ENDPOINT": f"{provider.url}/hf-inference",
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": provider.url,
        "AWS_ACCESS_KEY_ID": "AKIATEST",
        "AWS_SECRET_ACCESS_KEY": KEY,
        "AWS_REGION": "eu-central-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }
    out, packages = _out(package)
    with Worker(out, packages, **environment) as worker:
        for service in DIMENSIONS:
            found = worker.look_up(f"what is embedded by {service}?", tool=f"ask_{service}")
            assert found["hits"][0]["base"] == f"{service}_base", found
            assert found["hits"][0]["found_by"] == ["meaning"]
    asked = {service: [one for one in provider.asked if one.provider == service] for service in DIMENSIONS}
    for service, requests in asked.items():
        texts = [text for one in requests for text in one.texts]
        assert len(texts) == 2, (service, texts)
        assert f"embedded by {service}" in texts[0]


@pytest.mark.req("CMP4")
@pytest.mark.skipif(
    not installed(DEFAULT_MODEL, Settings().cache_folder()), reason="the local model's weights are not here"
)
def test_the_local_model_is_in_the_build_and_needs_no_network(package: Written) -> None:
    package.base("embed: local", mode="hybrid")
    out, packages = _out(package)
    assert (out / f"models/{DEFAULT_MODEL}/tokenizer.json").is_file()
    _bake(out, packages)
    with Worker(out, packages) as worker:
        found = worker.look_up("will it cost something to have a puncture mended?")
    assert any(hit["similarity"] is not None for hit in found["hits"])
    (out / f"models/{DEFAULT_MODEL}/tokenizer.json").write_bytes(b"{}")
    with Worker(out, packages) as worker:
        assert worker.look_up("flat tyre")["answered_by"] == "keyword"
    assert "does not verify" in worker.log


@pytest.mark.req("CMP1", "CMP5")
def test_an_agent_answers_with_its_own_model(package: Written, provider: FakeProvider) -> None:
    package.agent = package.agent.replace("model: quoting", "model: openai:gpt-test")
    package.agent += "secrets: [OPENAI_API_KEY]\n"
    provider.says = ["Two working days [1]."]
    out, packages = _out(package)
    key = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{provider.url}/v1"}
    with Worker(out, packages, **key) as worker:
        _, run = worker.post("/agents/reception/ask", {"question": QUESTIONS[0]})
        provider.mode = "401"
        status, failed = worker.post("/agents/reception/ask", {"question": QUESTIONS[0]})
    assert (run["model"], run["answer"]) == ("openai:gpt-test", "Two working days [1].")
    assert "bicycle shop" in provider.chats[0].system
    assert (status, failed["code"]) == (503, "model_unavailable")
    assert KEY not in worker.log


@pytest.mark.req("CMP1", "SRCH8")
def test_an_agent_has_its_tools_alone_and_wrong_requests_are_told(package: Written) -> None:
    package.agent = package.agent.replace("knowledge:", "  silent:\n    prompt: Say nothing.\nknowledge:", 1)
    out, packages = _out(package)
    with Worker(out, packages, REFDESK_WORKER_KEY="a-key") as worker:
        key = {"Authorization": "Bearer a-key"}
        tool = "/agents/reception/tools/look_up"
        answers = {
            "no key": worker.post(tool, {"query": "tyre"}),
            "wrong key": worker.post(tool, {"query": "tyre"}, Authorization="Bearer other"),
            "right key": worker.post(tool, {"query": "tyre"}, **key),
            "not its tool": worker.post("/agents/silent/tools/look_up", {"query": "tyre"}, **key),
            "no agent": worker.get("/agents/nobody", **key),
            "no JSON": worker.post(tool, b"{", **key),
            "no object": worker.post(tool, [1], **key),
            "too large": worker.post(tool, b" " * (MOST_BYTES + 1), **key),
            "another site": worker.post(tool, {"query": "x"}, Origin="https://elsewhere.example", **key),
            "no address": worker.get("/etc/passwd", **key),
            "wrong method": worker.get(tool, **key),
            "no tools": worker.post("/agents/silent/ask", {"question": "tyre?"}, **key),
            "alive": worker.get("/livez"),
        }
        wrong = worker.post(tool, {"query": "tyre", "top_k": 20}, **key)[1]
    assert {what: status for what, (status, _) in answers.items()} == {
        "no key": 401, "wrong key": 401, "right key": 200, "not its tool": 404, "no agent": 404,
        "no JSON": 400, "no object": 400, "too large": 413, "another site": 403, "no address": 404,
        "wrong method": 405, "no tools": 200, "alive": 200,
    }  # fmt: skip
    assert wrong["failed"] is True
    assert "top_k" in wrong["text"]
    assert answers["no tools"][1]["references"] == []
    assert answers["not its tool"][1]["code"] == "not_found"
    assert not re.search(r"tyre|a-key|passwd|nobody", worker.log)


@pytest.mark.req("CMP1", "SRCH8")
def test_the_tools_over_mcp_by_its_official_client(package: Written) -> None:
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    out, packages = _out(package)

    async def talk(url: str) -> tuple[Any, Any, Any, str]:
        async with streamable_http_client(url) as streams, ClientSession(*streams[:2]) as session:
            hello = await session.initialize()
            listed = await session.list_tools()
            called = await session.call_tool("look_up", {"query": "how long is an inspection?"})
            try:
                await session.call_tool("other", {"query": "x"})
            except Exception as error:
                return hello, listed, called, str(error)
            return hello, listed, called, ""

    with Worker(out, packages) as worker:
        hello, listed, called, refused = asyncio.run(talk(f"{worker.url}/agents/reception/mcp"))
        assert worker.get("/agents/reception/mcp")[0] == 405
    [tool] = listed.tools
    assert tool.name == "look_up"
    assert tool.description.startswith("Looks up opening hours")
    assert json.loads(tool.model_dump_json(by_alias=True))["_meta"]["announce"].startswith("One moment")
    assert "repairs.md" in called.content[0].text
    assert "no tool 'other'" in refused
    assert "not instructions" in hello.instructions


@pytest.mark.req("CMP5")
def test_a_port_that_is_taken_is_told_before_anything_is_indexed(package: Written) -> None:
    out, packages = _out(package)
    with Worker(out, packages) as worker:
        second = Worker(out, packages, "--port", worker.url.rpartition(":")[2])
        assert second.ended() == 1
    assert "cannot be listened on" in second.log
    assert "not baked" not in second.log
