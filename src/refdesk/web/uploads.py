"""A document in a request's body: as it is, or as JSON. Its size is checked before it is read, and again as
it arrives (H4); it lies in a file that no folder lists, which is gone with the request."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal

from fastapi import Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import ClientDisconnect

from refdesk.errors import UsageError
from refdesk.policy import Policy
from refdesk.reading.kinds import check_size, kind_of, plain_type

_JSON = "application/json"
_TYPES: dict[Literal["markdown", "text"], str] = {"markdown": "text/markdown", "text": "text/plain"}
_ESCAPED = 6
"""Bytes that a byte of text may take in JSON (``\\\\u0041``)."""
_AROUND = 65_536


class WrittenDocument(BaseModel):
    """A document as JSON. ``name`` may be left out where a document is replaced."""

    model_config = ConfigDict(extra="forbid")

    name: str | None = None
    kind: Literal["markdown", "text"] | None = None
    content: str
    source_url: str | None = None
    metadata: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """``path`` leads to the file while the request is answered."""

    path: Path
    name: str
    declared_type: str | None
    source_url: str | None = None
    metadata: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address says of a body, and what is known of the document that it replaces."""

    name: str | None
    source_url: str | None
    metadata: list[str] | None
    kind: str | None = None
    old_name: str | None = None


@asynccontextmanager
async def received(request: Request, policy: Policy, asked: Asked) -> AsyncIterator[Received]:
    with TemporaryFile() as file:
        if plain_type(request.headers.get("content-type")) == _JSON:
            yield await _written(request, policy, asked, file)
        else:
            yield await _as_it_is(request, policy, asked, file)


async def _as_it_is(request: Request, policy: Policy, asked: Asked, file: IO[bytes]) -> Received:
    name = _named(asked.name or asked.old_name)
    declared = request.headers.get("content-type")
    kind = kind_of(name, declared, policy)
    if (announced := request.headers.get("content-length", "")).isdecimal():
        check_size(kind, int(announced), policy)
    size = 0
    async for chunk in _stream(request):
        size += len(chunk)
        check_size(kind, size, policy)
        await run_in_threadpool(file.write, chunk)
    return Received(_path(file), name, declared, asked.source_url, _pairs(asked.metadata))


async def _written(request: Request, policy: Policy, asked: Asked, file: IO[bytes]) -> Received:
    limit = max(policy.documents.max_bytes.values())
    body = bytearray()
    async for chunk in _stream(request):
        body += chunk
        if len(body) > _ESCAPED * limit + _AROUND:
            check_size("text", len(body), policy)
    written = _parsed(bytes(body))
    name = _named(written.name or asked.name or asked.old_name)
    declared = _TYPES[written.kind or ("text" if asked.kind == "text" else "markdown")]
    raw = written.content.encode("utf-8", "surrogatepass")
    check_size(kind_of(name, declared, policy), len(raw), policy)
    await run_in_threadpool(file.write, raw)
    return Received(_path(file), name, declared, written.source_url, written.metadata)


def _parsed(body: bytes) -> WrittenDocument:
    try:
        return WrittenDocument.model_validate_json(body)
    except ValidationError as error:
        wrong = [{**one, "loc": ("body", *one["loc"])} for one in error.errors()]
        raise RequestValidationError(wrong) from None


async def _stream(request: Request) -> AsyncIterator[bytes]:
    try:
        async for chunk in request.stream():
            yield chunk
    except ClientDisconnect:
        raise UsageError("The upload broke off before its end: nothing of it is kept.") from None


def _path(file: IO[bytes]) -> Path:
    file.flush()
    file.seek(0)
    return Path(f"/dev/fd/{file.fileno()}")


def _named(name: str | None) -> str:
    if not name or name.isspace():
        raise UsageError("The document has no name: say what it is called, as ?name= or in the JSON.")
    return name


def _pairs(pairs: list[str] | None) -> dict[str, str] | None:
    if pairs is None:
        return None
    split = [pair.partition("=") for pair in pairs]
    if any(not sign for _, sign, _ in split):
        raise UsageError("Metadata in the address is written ?metadata=KEY%3DVALUE.", code="bad_metadata")
    return {key: value for key, _, value in split}
