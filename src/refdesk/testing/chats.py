"""Chats as a fake provider has them: what it is asked, what it says, and what a protocol turns that into."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from refdesk.testing.protocols import Reply


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool; ``arguments`` as text are sent as they are."""

    name: str
    arguments: Mapping[str, object] | str


Says = str | Sequence[ToolUse]
"""What a model says: a text, or calls of tools."""


@dataclass(frozen=True, slots=True)
class Chatted:
    """One request as a chat service understands it. ``texts``: of the messages, tools' results among them, in
    their order; ``tools``: their names; ``images``: how many pictures it holds; ``body``: all of it."""

    provider: str
    model: str
    system: str
    texts: tuple[str, ...]
    tools: tuple[str, ...]
    images: int
    streamed: bool
    body: Mapping[str, Any] = field(repr=False)

    @property
    def tokens(self) -> int:
        return len(" ".join((self.system, *self.texts)).split())


class Chats(Protocol):
    """A provider's protocol. ``path`` has the groups ``model`` and ``stream`` where they stand in it."""

    path: re.Pattern[str]

    def key(self, headers: Mapping[str, str]) -> str | None: ...

    def chatted(self, match: re.Match[str], body: Any) -> Chatted: ...

    def whole(self, chatted: Chatted, says: Says) -> object: ...

    def pieces(self, chatted: Chatted, says: Says) -> Iterator[bytes]:
        """Of the stream."""
        ...

    def error(self, status: int, message: str) -> Reply: ...


def words_of(text: str) -> Sequence[str]:
    """In the pieces that a stream brings."""
    return re.findall(r"\S+\s*|\s+", text)


def tokens(says: Says) -> int:
    return len(says.split()) if isinstance(says, str) else 10 * len(says)


def written(use: ToolUse) -> str:
    return use.arguments if isinstance(use.arguments, str) else json.dumps(use.arguments)


def read(use: ToolUse) -> object:
    return json.loads(use.arguments) if isinstance(use.arguments, str) else use.arguments


def event(data: object, name: str = "") -> bytes:
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n".encode()


def texts(content: Any) -> Iterator[str]:
    """Every text in a message's content, however it is nested."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, Mapping):
        for name in (
            "text",
            "content",
            "functionResponse",
            "toolResult",
            "response",
            "output",
            "result",
            "return_value",
        ):
            yield from texts(content.get(name))
    elif isinstance(content, Sequence):
        for part in content:
            yield from texts(part)


def pictures(body: Any, kinds: Sequence[str]) -> int:
    written = json.dumps(body)
    return sum(written.count(kind) for kind in kinds)
