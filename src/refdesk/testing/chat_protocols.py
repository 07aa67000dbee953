"""What the chat services look like on the wire, whole and as streams."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any

from refdesk.testing.chats import (
    Chats,
    Chatted,
    Says,
    ToolUse,
    event,
    pictures,
    read,
    texts,
    tokens,
    words_of,
    written,
)
from refdesk.testing.protocols import Bedrock, Google, OpenAI, Reply, bearer


class OpenAIChats(OpenAI):
    path = re.compile(r"/v1/chat/completions")

    def chatted(self, match: re.Match[str], body: Any) -> Chatted:
        said = [one for one in body["messages"] if one["role"] not in {"system", "developer"}]
        system = [one for one in body["messages"] if one["role"] in {"system", "developer"}]
        return Chatted(
            "openai",
            body["model"],
            "\n".join(text for one in system for text in texts(one["content"])),
            tuple(text for one in said for text in texts(one.get("content"))),
            tuple(tool["function"]["name"] for tool in body.get("tools", ())),
            pictures(body, ['"image_url": {']),
            bool(body.get("stream")),
            body,
        )

    def whole(self, chatted: Chatted, says: Says) -> object:
        message: dict[str, object] = {"role": "assistant", "content": says if isinstance(says, str) else None}
        if not isinstance(says, str):
            message["tool_calls"] = self._calls(says)
        choice = {"index": 0, "message": message, "finish_reason": self._reason(says), "logprobs": None}
        return {
            **self._head(chatted, "chat.completion"),
            "choices": [choice],
            "usage": self._usage(chatted, says),
        }

    def pieces(self, chatted: Chatted, says: Says) -> Iterator[bytes]:
        head = self._head(chatted, "chat.completion.chunk")
        deltas: list[dict[str, object]] = [{"role": "assistant", "content": ""}]
        if isinstance(says, str):
            deltas += [{"content": word} for word in words_of(says)]
        else:
            deltas += [{"tool_calls": [{"index": at, **call}]} for at, call in enumerate(self._calls(says))]
        for delta in deltas:
            yield event({**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        yield event({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": self._reason(says)}]})
        yield event({**head, "choices": [], "usage": self._usage(chatted, says)})
        yield b"data: [DONE]\n\n"

    def _head(self, chatted: Chatted, kind: str) -> dict[str, object]:
        return {"id": "chatcmpl-1", "object": kind, "created": 1_700_000_000, "model": chatted.model}

    def _calls(self, uses: Sequence[ToolUse]) -> list[dict[str, object]]:
        return [
            {
                "id": f"call_{at}",
                "type": "function",
                "function": {"name": use.name, "arguments": written(use)},
            }
            for at, use in enumerate(uses)
        ]

    def _reason(self, says: Says) -> str:
        return "stop" if isinstance(says, str) else "tool_calls"

    def _usage(self, chatted: Chatted, says: Says) -> dict[str, int]:
        given, made = chatted.tokens, tokens(says)
        return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}


class AnthropicChats:
    path = re.compile(r"/v1/messages(?:\?.*)?")

    def key(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("x-api-key") or bearer(headers)

    def chatted(self, match: re.Match[str], body: Any) -> Chatted:
        return Chatted(
            "anthropic",
            body["model"],
            "\n".join(texts(body.get("system", ""))),
            tuple(text for one in body["messages"] for text in texts(one["content"])),
            tuple(tool["name"] for tool in body.get("tools", ())),
            pictures(body, ['"type": "image"']),
            bool(body.get("stream")),
            body,
        )

    def whole(self, chatted: Chatted, says: Says) -> object:
        blocks: list[dict[str, object]] = (
            [{"type": "text", "text": says}]
            if isinstance(says, str)
            else [
                {"type": "tool_use", "id": f"toolu_{at}", "name": use.name, "input": read(use)}
                for at, use in enumerate(says)
            ]
        )
        return {
            **self._head(chatted),
            "content": blocks,
            "stop_reason": self._reason(says),
            "usage": {"input_tokens": chatted.tokens, "output_tokens": tokens(says)},
        }

    def pieces(self, chatted: Chatted, says: Says) -> Iterator[bytes]:
        usage = {"input_tokens": chatted.tokens, "output_tokens": 1}
        message = {**self._head(chatted), "content": [], "stop_reason": None, "usage": usage}
        yield self._named("message_start", message=message)
        for at, (block, deltas) in enumerate(self._blocks(says)):
            yield self._named("content_block_start", index=at, content_block=block)
            for delta in deltas:
                yield self._named("content_block_delta", index=at, delta=delta)
            yield self._named("content_block_stop", index=at)
        ended = {"stop_reason": self._reason(says), "stop_sequence": None}
        yield self._named("message_delta", delta=ended, usage={"output_tokens": tokens(says)})
        yield self._named("message_stop")

    def error(self, status: int, message: str) -> Reply:
        kind = {401: "authentication_error", 402: "billing_error", 429: "rate_limit_error", 500: "api_error"}
        told = {"type": kind.get(status, "invalid_request_error"), "message": message}
        return Reply(status, {"type": "error", "error": told, "request_id": "req_1"})

    def _blocks(self, says: Says) -> Iterator[tuple[object, Sequence[object]]]:
        if isinstance(says, str):
            yield {"type": "text", "text": ""}, [{"type": "text_delta", "text": w} for w in words_of(says)]
            return
        for at, use in enumerate(says):
            block = {"type": "tool_use", "id": f"toolu_{at}", "name": use.name, "input": {}}
            yield block, [{"type": "input_json_delta", "partial_json": written(use)}]

    def _named(self, name: str, **data: object) -> bytes:
        return event({"type": name, **data}, name)

    def _head(self, chatted: Chatted) -> dict[str, object]:
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": chatted.model,
            "stop_sequence": None,
        }

    def _reason(self, says: Says) -> str:
        return "end_turn" if isinstance(says, str) else "tool_use"


class GoogleChats(Google):
    path = re.compile(r"/v1beta/models/(?P<model>[^/:]+):(?:(?P<stream>streamG)|g)enerateContent(?:\?.*)?")

    def chatted(self, match: re.Match[str], body: Any) -> Chatted:
        tools = [one for group in body.get("tools", ()) for one in group.get("functionDeclarations", ())]
        return Chatted(
            "google",
            match["model"],
            "\n".join(texts(body.get("systemInstruction", {}).get("parts", ()))),
            tuple(text for one in body["contents"] for text in texts(one["parts"])),
            tuple(tool["name"] for tool in tools),
            pictures(body, ['"inlineData"', '"inline_data"']),
            match["stream"] is not None,
            body,
        )

    def whole(self, chatted: Chatted, says: Says) -> object:
        return self._part(chatted, self._parts(says), says)

    def pieces(self, chatted: Chatted, says: Says) -> Iterator[bytes]:
        parts = [{"text": word} for word in words_of(says)] if isinstance(says, str) else self._parts(says)
        for at, part in enumerate(parts, 1):
            yield event(self._part(chatted, [part], says if at == len(parts) else None))

    def _parts(self, says: Says) -> Sequence[object]:
        if isinstance(says, str):
            return [{"text": says}]
        return [{"functionCall": {"name": use.name, "args": read(use)}} for use in says]

    def _part(self, chatted: Chatted, parts: Sequence[object], ended: Says | None) -> object:
        made = 0 if ended is None else tokens(ended)
        return {
            "candidates": [
                {
                    "content": {"role": "model", "parts": parts},
                    "index": 0,
                    **({} if ended is None else {"finishReason": "STOP"}),
                }
            ],
            "usageMetadata": {
                "promptTokenCount": chatted.tokens,
                "candidatesTokenCount": made,
                "totalTokenCount": chatted.tokens + made,
            },
            "modelVersion": chatted.model,
            "responseId": "response_1",
        }


class BedrockChats(Bedrock):
    """``Converse``, which is asked whole."""

    path = re.compile(r"/model/(?P<model>[^/]+)/converse")

    def chatted(self, match: re.Match[str], body: Any) -> Chatted:
        tools = body.get("toolConfig", {}).get("tools", ())
        return Chatted(
            "bedrock",
            match["model"],
            "\n".join(texts(body.get("system", ()))),
            tuple(text for one in body["messages"] for text in texts(one["content"])),
            tuple(tool["toolSpec"]["name"] for tool in tools if "toolSpec" in tool),
            pictures(body, ['"image": {']),
            False,
            body,
        )

    def whole(self, chatted: Chatted, says: Says) -> object:
        blocks: list[dict[str, object]] = (
            [{"text": says}]
            if isinstance(says, str)
            else [
                {"toolUse": {"toolUseId": f"use_{at}", "name": use.name, "input": read(use)}}
                for at, use in enumerate(says)
            ]
        )
        given, made = chatted.tokens, tokens(says)
        return {
            "output": {"message": {"role": "assistant", "content": blocks}},
            "stopReason": "end_turn" if isinstance(says, str) else "tool_use",
            "usage": {"inputTokens": given, "outputTokens": made, "totalTokens": given + made},
            "metrics": {"latencyMs": 1},
        }

    def pieces(self, chatted: Chatted, says: Says) -> Iterator[bytes]:
        raise NotImplementedError(HTTPStatus.NOT_IMPLEMENTED)


CHATS: Sequence[Chats] = (OpenAIChats(), AnthropicChats(), GoogleChats(), BedrockChats())
