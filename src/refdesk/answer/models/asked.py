"""One request to a provider through pydantic-ai, which takes a second to load: import it when one is made."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pydantic_ai.messages import (
    BinaryContent,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    PartDeltaEvent,
    PartStartEvent,
    SystemPromptPart,
    TextPart,
    TextPartDelta,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from refdesk.answer.model import Completion, Prompt, Said, ToolCall, Turn
from refdesk.answer.models.built import built
from refdesk.answer.models.failures import trouble_of
from refdesk.answer.models.prices import Prices
from refdesk.answer.models.providers import Place
from refdesk.outgoing.trouble import Trouble, closed, hang, unlike

T = TypeVar("T")
_NO_TEXT = re.compile(r"[\x00\ud800-\udfff]")
"""What no catalog keeps: NUL, and half of a surrogate pair."""


def ask(place: Place, prompt: Prompt, seconds: float, said: Said | None, prices: Prices) -> Completion:
    """Raises ``Trouble``; what was said by then is taken back, or another try would say it again."""
    heard = _Heard(said)
    try:
        response = _finished(_answered(place, prompt, seconds, heard))
    except Trouble as trouble:
        if heard.any and said:
            said(None)
        raise trouble from None
    return _completion(place, response, prices)


class _Heard:
    def __init__(self, said: Said | None) -> None:
        self._said = said
        self.any = False

    @property
    def listens(self) -> bool:
        return self._said is not None

    def __call__(self, text: str) -> None:
        text = _as_text(text)
        if text and self._said is not None:
            self.any = True
            self._said(text)


async def _answered(place: Place, prompt: Prompt, seconds: float, heard: _Heard) -> ModelResponse:
    try:
        async with asyncio.timeout(seconds), built(place, seconds) as model:
            return await _response(model, prompt, heard, streams=place.provider.protocol != "bedrock")
    except Exception as error:
        raise trouble_of(error, place.model) or hang(seconds) from None


async def _response(model: Model, prompt: Prompt, heard: _Heard, *, streams: bool) -> ModelResponse:
    parameters = ModelRequestParameters(
        function_tools=[
            ToolDefinition(
                name=one.name, description=one.description, parameters_json_schema={**one.parameters}
            )
            for one in prompt.tools
        ]
    )
    messages = _messages(prompt)
    if not heard.listens or not streams:
        response = await model.request(messages, None, parameters)
        heard(response.text or "")
        return response
    async with model.request_stream(messages, None, parameters) as stream:
        async for event in stream:
            if isinstance(event, PartStartEvent) and isinstance(event.part, TextPart):
                heard(event.part.content)
            elif isinstance(event, PartDeltaEvent) and isinstance(event.delta, TextPartDelta):
                heard(event.delta.content_delta)
        response = stream.get()
    if _broke_off(response):
        raise closed()
    return response


def _broke_off(response: ModelResponse) -> bool:
    """Whether a stream ended without its last word: where a body simply ends, its reader cannot tell."""
    told = response.provider_details or {}
    return response.finish_reason is None or (bool(response.text) and "finish_reason" not in told)


def _messages(prompt: Prompt) -> list[ModelMessage]:
    user: list[UserContent] = [prompt.user]
    for picture in prompt.pictures:
        user += [picture.label, BinaryContent(picture.webp, media_type="image/webp")]
    content: str | Sequence[UserContent] = user if prompt.pictures else prompt.user
    messages: list[ModelMessage] = [
        ModelRequest(parts=[SystemPromptPart(prompt.system), UserPromptPart(content)])
    ]
    for turn in prompt.turns:
        messages += [_as_response(turn), _replies(turn)]
    if prompt.closing:
        messages.append(ModelRequest(parts=[UserPromptPart(prompt.closing)]))
    return messages


def _as_response(turn: Turn) -> ModelResponse:
    said = turn.completion.said
    assert isinstance(said, ModelResponse), "a turn is of the model that said it"
    return said


def _replies(turn: Turn) -> ModelRequest:
    calls = turn.completion.calls
    return ModelRequest(
        parts=[
            ToolReturnPart(tool_name=call.name, content=reply, tool_call_id=call.id)
            for call, reply in zip(calls, turn.replies, strict=True)
        ]
    )


def _completion(place: Place, response: ModelResponse, prices: Prices) -> Completion:
    calls = tuple(
        ToolCall(part.tool_call_id, part.tool_name, _arguments(part)) for part in response.tool_calls
    )
    text = _as_text(response.text or "")
    if not calls and not text.strip():
        raise unlike("the answer asked for", _why_nothing(response))
    usage = response.usage
    return Completion(
        text=text,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cost=prices.of(place, response),
        calls=calls,
        cut=response.finish_reason == "length",
        said=response,
    )


def _why_nothing(response: ModelResponse) -> str:
    if response.finish_reason == "content_filter":
        return "its content filter held the answer back"
    if response.finish_reason == "length":
        return "its limit of length was reached before the first word"
    return "no text"


def _arguments(part: Any) -> dict[str, Any] | None:
    try:
        arguments = part.args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError):
        return None
    if not isinstance(arguments, dict):
        return None
    return {key: _as_text(value) if isinstance(value, str) else value for key, value in arguments.items()}


def _as_text(said: str) -> str:
    return _NO_TEXT.sub("", said)


def _finished(work: Coroutine[Any, Any, T]) -> T:
    """``work`` done, in a thread of its own where this one has a loop (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()
