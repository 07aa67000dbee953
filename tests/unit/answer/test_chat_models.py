"""Chat models of providers, against a server that speaks their protocols: whole, as a stream, with tools."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.usage import RequestUsage

from refdesk.answer.model import ChatModel, Completion, Picture, Prompt, Tool, Turn
from refdesk.answer.models import open_model
from refdesk.answer.models.prices import Price, Prices, read_prices
from refdesk.answer.models.providers import place_of
from refdesk.errors import Failed, UsageError
from refdesk.settings import Settings
from refdesk.testing import FakeProvider, Mode, ToolUse

KEY = "sk-a-key-of-the-test-0123456789"
SECRETS = "AKIATESTTESTTESTTEST"
PROMPT = Prompt("Be brief, and cite.", "When do you open on Saturday?", "When?", ())
TOOL = Tool(
    "knowledge_search",
    "Searches the documents.",
    {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1},
            "kb_id": {"type": "string", "enum": ["kb"]},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
)
MODELS = {
    "openai": "openai:gpt-4o",
    "ollama": "ollama:llama3.2:1b",
    "anthropic": "anthropic:claude-haiku-4-5",
    "google": "google:gemini-2.5-flash",
    "bedrock": "bedrock:anthropic.claude-3-haiku-20240307-v1:0",
}
STREAMING = [name for name in MODELS if name != "bedrock"]
PROTOCOLS = ["openai", "anthropic", "google"]


@dataclass
class World:
    provider: FakeProvider
    environment: Mapping[str, str]
    name: str

    def model(self, seconds: float = 60) -> ChatModel:
        return open_model(self.name, Settings(model_seconds=seconds), self.environment)

    def failure(self, seconds: float = 60, prompt: Prompt = PROMPT) -> Failed:
        with pytest.raises(Failed) as caught:
            self.model(seconds).complete(prompt)
        assert caught.value.code == "model_unavailable"
        assert caught.value.message.startswith(f"The model {self.name} ")
        return caught.value


def world_of(name: str, provider: FakeProvider) -> World:
    environment = {
        "OPENAI_BASE_URL": f"{provider.url}/v1",
        "OPENAI_API_KEY": KEY,
        "OLLAMA_BASE_URL": f"{provider.url}/v1",
        "ANTHROPIC_BASE_URL": provider.url,
        "ANTHROPIC_API_KEY": KEY,
        "GOOGLE_BASE_URL": provider.url,
        "GEMINI_API_KEY": KEY,
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": provider.url,
        "AWS_REGION": "eu-central-1",
    }
    return World(provider, environment, MODELS[name])


@pytest.fixture
def world(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """``request.param`` names a provider; OpenAI's without one."""
    name = getattr(request, "param", "openai")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRETS)
    with FakeProvider(key=None if name == "ollama" else KEY) as provider:
        yield world_of(name, provider)


@pytest.mark.req("RUN1")
@pytest.mark.parametrize("world", MODELS, indirect=True)
def test_a_model_is_asked_what_the_prompt_says(world: World) -> None:
    world.provider.says = ["At nine [1]."]
    said = world.model().complete(PROMPT)
    assert (said.text, said.input_tokens, said.output_tokens) == ("At nine [1].", 10, 3)
    assert (said.calls, said.cut) == ((), False)
    [asked] = world.provider.chats
    assert (asked.system, asked.texts, asked.tools) == (PROMPT.system, (PROMPT.user,), ())
    assert asked.model == world.name.partition(":")[2]


@pytest.mark.req("RUN1")
@pytest.mark.parametrize("world", STREAMING, indirect=True)
def test_what_a_model_says_is_heard_as_it_comes(world: World) -> None:
    heard: list[str | None] = []
    said = world.model().complete(PROMPT, heard.append)
    assert heard == ["It ", "is ", "a ", "test ", "[1]."]
    assert (said.text, said.output_tokens) == ("It is a test [1].", 5)
    assert world.provider.chats[0].streamed


@pytest.mark.parametrize("world", ["bedrock"], indirect=True)
def test_what_is_not_streamed_is_heard_whole(world: World) -> None:
    heard: list[str | None] = []
    world.model().complete(PROMPT, heard.append)
    assert heard == ["It is a test [1]."]


@pytest.mark.parametrize("world", STREAMING, indirect=True)
def test_a_stream_that_breaks_off_is_begun_again_and_what_was_heard_is_taken_back(world: World) -> None:
    world.provider.script = ["cut"]
    heard: list[str | None] = []
    said = world.model().complete(PROMPT, heard.append)
    assert said.text == "It is a test [1]."
    assert None in heard
    assert "".join(filter(None, heard[heard.index(None) :])) == said.text


@pytest.mark.req("RUN1", "SRCH7")
@pytest.mark.parametrize("world", MODELS, indirect=True)
@pytest.mark.parametrize("listens", [False, True])
def test_a_model_calls_a_tool_and_reads_what_it_found(world: World, listens: bool) -> None:
    world.provider.says = [[ToolUse("knowledge_search", {"query": "Saturday"})], "At nine [1]."]
    model, heard = world.model(), list[str | None]()
    prompt = replace(PROMPT, tools=(TOOL,))
    first = model.complete(prompt, heard.append if listens else None)
    [call] = first.calls
    assert (call.name, call.arguments, first.text) == ("knowledge_search", {"query": "Saturday"}, "")
    second = model.complete(replace(prompt, turns=(Turn(first, ("It opens at nine.",)),), closing="Cite."))
    assert second.text == "At nine [1]."
    asked = world.provider.chats[-1]
    assert asked.texts == (PROMPT.user, "It opens at nine.", "Cite.")
    assert asked.tools == ("knowledge_search",)


def test_arguments_that_are_no_json_are_told_apart(world: World) -> None:
    world.provider.says = [[ToolUse("knowledge_search", '{"query": "Satur')]]
    said = world.model().complete(replace(PROMPT, tools=(TOOL,)))
    assert [call.arguments for call in said.calls] == [None]


@pytest.mark.req("FIG5")
@pytest.mark.parametrize("world", MODELS, indirect=True)
def test_a_model_is_shown_pictures(world: World) -> None:
    world.model().complete(replace(PROMPT, pictures=(Picture("Figure 1:", b"RIFF0000WEBP"),)))
    [asked] = world.provider.chats
    assert (asked.images, asked.texts) == (1, (PROMPT.user, "Figure 1:"))


WORDS: list[tuple[Mode, int, str]] = [
    ("400", 1, "does not accept the request"),
    ("401", 1, "refuses the key"),
    ("402", 1, "the quota is used up"),
    ("404", 1, "has nothing for the model"),
    ("429", 3, "is asked too often"),
    ("500", 3, "failed (500)"),
    ("close", 3, "closed the connection"),
    ("empty", 1, "something else than the answer asked for"),
    ("redirect", 1, "sends on to another address"),
]


@pytest.mark.parametrize("world", PROTOCOLS, indirect=True)
@pytest.mark.parametrize(("mode", "tries", "words"), WORDS)
def test_what_goes_wrong_is_told_apart_and_without_the_key(
    world: World, mode: Mode, tries: int, words: str
) -> None:
    world.provider.mode, world.provider.echo = mode, f" with {KEY}"
    world.provider.location = f"{world.provider.url}/elsewhere"
    error = world.failure()
    assert words in error.message
    assert KEY not in error.message
    assert len(world.provider.chats) == tries
    assert (error.retry_after is not None) == (mode == "429")


@pytest.mark.parametrize("world", ["bedrock"], indirect=True)
@pytest.mark.parametrize(
    ("mode", "words"), [("401", "refuses the key"), ("402", "quota"), ("429", "too often")]
)
def test_bedrocks_refusals_are_told_apart(world: World, mode: Mode, words: str) -> None:
    world.provider.mode = mode
    assert words in world.failure().message


@pytest.mark.parametrize("world", PROTOCOLS, indirect=True)
@pytest.mark.parametrize("mode", ["hang", "drip"])
def test_a_model_that_is_silent_is_waited_for_so_long(world: World, mode: Mode) -> None:
    world.provider.mode = mode
    assert "did not answer within" in world.failure(0.5).message


def test_garbage_and_a_closed_door(world: World) -> None:
    world.provider.mode = "garbage"
    assert "something else than the answer asked for" in world.failure().message
    world.provider.mode = "refuse"
    assert "cannot be reached" in world.failure().message


def test_a_failure_does_not_repeat_what_was_sent(world: World) -> None:
    world.provider.mode, world.provider.echo = "400", " about the Saturday of the nine o'clock people"
    prompt = replace(PROMPT, user="Tell me about the Saturday of the nine o'clock people.")
    assert "Saturday" not in world.failure(prompt=prompt).message


@pytest.mark.parametrize(
    "quoted", ["battery is 49 EUR today", "let me look it up", "price of a battery", "cite what you found"]
)
def test_a_failure_does_not_repeat_what_was_looked_up(world: World, quoted: str) -> None:
    call = ToolUse("knowledge_search", {"query": "the price of a battery"})
    world.provider.says = [[call]]
    asked = world.model().complete(replace(PROMPT, tools=(TOOL,)))
    asked = replace(asked, text="Now let me look it up.")
    turn = Turn(asked, ("[1] A battery is 49 EUR today.",))
    world.provider.mode, world.provider.echo = "400", f" about: {quoted}"
    error = world.failure(prompt=replace(PROMPT, turns=(turn,), closing="Now cite what you found."))
    assert quoted not in error.message


def test_a_trouble_that_passes_is_waited_out(world: World) -> None:
    world.provider.script = ["429", "500"]
    assert world.model().complete(PROMPT).text == "It is a test [1]."
    assert len(world.provider.chats) == 3


def test_a_wait_longer_than_the_run_may_take_is_not_begun(world: World) -> None:
    world.provider.mode, world.provider.retry_after = "429", "3600"
    error = world.failure()
    assert (error.retry_after, len(world.provider.chats)) == (3600, 1)


def test_a_server_of_ones_own_is_asked_without_the_environments_key(world: World) -> None:
    with FakeProvider() as own:
        name = f"openai:llama3@{own.url}/v1"
        model = open_model(name, Settings(), {"OPENAI_API_KEY": KEY})
        said = model.complete(PROMPT)
    assert (model.name, said.text, said.cost) == (name, "It is a test [1].", None)
    assert [asked.model for asked in own.chats] == ["llama3"]
    with FakeProvider(key=KEY) as own:
        model = open_model(f"openai:llama3@{own.url}/v1", Settings(), {"OPENAI_API_KEY": KEY})
        with pytest.raises(Failed, match="refuses the key"):
            model.complete(PROMPT)


def test_a_model_is_asked_where_a_loop_runs_already(world: World) -> None:
    async def notebook() -> Completion:
        return world.model().complete(PROMPT)

    assert asyncio.run(notebook()).text == "It is a test [1]."


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nobody:nothing", "openai"),
        ("gpt-5", "names no model"),
        (":x", "names no model"),
        ("openai:x@http://user:word@host/v1", "the address of a model"),
        ("openai:x@https://", "the address of a model"),
    ],
)
def test_a_name_that_is_none_says_so(name: str, words: str) -> None:
    with pytest.raises(UsageError, match=f"(?i){words}") as caught:
        open_model(name, Settings(), {})
    assert "word@" not in caught.value.message


def test_a_model_without_its_key_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Failed, match="GOOGLE_API_KEY or GEMINI_API_KEY"):
        open_model("google:gemini-2.5-flash", Settings(), {})
    monkeypatch.setattr("refdesk.answer.models.chat.find_spec", lambda module: None)
    with pytest.raises(Failed, match=r"pip install 'refdesk\[anthropic\]'"):
        open_model("anthropic:claude-haiku-4-5", Settings(), {"ANTHROPIC_API_KEY": KEY})


def told(model: str, **usage: int) -> ModelResponse:
    return ModelResponse(
        [TextPart("x")],
        usage=RequestUsage(**usage),
        model_name=model,
        provider_name="openai",
        provider_url="https://api.openai.com/v1/",
    )


def test_what_an_answer_cost(tmp_path: Path) -> None:
    file = tmp_path / "prices.toml"
    file.write_text('["openai:house"]\ninput = 2\noutput = 8.0\n')
    prices = read_prices(file)
    assert prices == Prices({"openai:house": Price(2.0, 8.0)})
    response = told("gpt-4o", input_tokens=1_000_000, output_tokens=500_000)
    environment = {"OPENAI_API_KEY": KEY}
    assert prices.of(place_of("openai:house", environment), response) == 6.0
    listed = prices.of(place_of("openai:gpt-4o", environment), response)
    assert listed is not None
    assert listed > 0
    unknown = told("nobody-knows-it", input_tokens=1, output_tokens=1)
    assert prices.of(place_of("openai:nobody-knows-it", environment), unknown) is None
    elsewhere = place_of("openai:gpt-4o", {**environment, "OPENAI_BASE_URL": "https://gate.example/v1"})
    assert prices.of(elsewhere, response) is None
    for text in ("openai = 3", '["a"]\ninput = -1\noutput = 1', "[", '["a"]\ninput = 1'):
        file.write_text(text)
        with pytest.raises(UsageError, match="no list of prices"):
            read_prices(file)
    with pytest.raises(UsageError, match="cannot be read"):
        read_prices(tmp_path / "nothing.toml")
