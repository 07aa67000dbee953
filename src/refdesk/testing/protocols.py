"""What the four embedding services look like on the wire: paths, keys, answers, limits and errors."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol

Rows = Sequence[Sequence[float]]


class Asked(NamedTuple):
    """One request as a service understands it; ``dimensions`` is ``None`` where it decides."""

    provider: str
    model: str
    texts: Sequence[str]
    question: bool
    dimensions: int | None


class Reply(NamedTuple):
    status: int
    body: object
    headers: Mapping[str, str] = {}


class Speaks(Protocol):
    """A provider's protocol."""

    path: re.Pattern[str]
    most: int

    def key(self, headers: Mapping[str, str]) -> str | None: ...

    def asked(self, model: str, body: Any) -> Asked: ...

    def answer(self, asked: Asked, rows: Rows) -> object: ...

    def error(self, status: int, message: str) -> Reply: ...


def bearer(headers: Mapping[str, str]) -> str | None:
    return (headers.get("Authorization") or "").removeprefix("Bearer ") or None


@dataclass(frozen=True)
class OpenAI:
    path = re.compile(r"/v1/embeddings()")
    most = 2048

    def key(self, headers: Mapping[str, str]) -> str | None:
        return bearer(headers)

    def asked(self, model: str, body: Any) -> Asked:
        return Asked("openai", body["model"], body["input"], False, body.get("dimensions"))

    def answer(self, asked: Asked, rows: Rows) -> object:
        """Last first: the order is that of ``index``."""
        data = [{"object": "embedding", "index": index, "embedding": row} for index, row in enumerate(rows)]
        return {"object": "list", "model": asked.model, "data": data[::-1], "usage": {"total_tokens": 1}}

    def error(self, status: int, message: str) -> Reply:
        code = {401: "invalid_api_key", 402: "insufficient_quota", 429: "rate_limit_exceeded"}.get(status)
        # A quota that is used up is a 429, told from too many requests by its code alone.
        sent = HTTPStatus.TOO_MANY_REQUESTS if status == HTTPStatus.PAYMENT_REQUIRED else status
        return Reply(sent, {"error": {"message": message, "type": code, "param": None, "code": code}})


@dataclass(frozen=True)
class Google:
    path = re.compile(r"/v1beta/models/([^/:]+):batchEmbedContents")
    most = 100

    def key(self, headers: Mapping[str, str]) -> str | None:
        return headers.get("x-goog-api-key")

    def asked(self, model: str, body: Any) -> Asked:
        requests = body["requests"]
        texts = [part["text"] for request in requests for part in request["content"]["parts"]]
        question = requests[0]["taskType"] == "RETRIEVAL_QUERY"
        return Asked("google", model, texts, question, requests[0].get("outputDimensionality"))

    def answer(self, asked: Asked, rows: Rows) -> object:
        return {"embeddings": [{"values": row} for row in rows]}

    def error(self, status: int, message: str) -> Reply:
        details: list[dict[str, object]] = []
        if status == HTTPStatus.UNAUTHORIZED:  # a wrong key is an invalid argument here
            status = HTTPStatus.BAD_REQUEST
            details.append({"reason": "API_KEY_INVALID"})
        elif status == HTTPStatus.PAYMENT_REQUIRED:
            status = HTTPStatus.TOO_MANY_REQUESTS
            details.append({"violations": [{"quotaId": "EmbedContentRequestsPerDayPerProject"}]})
        elif status == HTTPStatus.TOO_MANY_REQUESTS:  # how long to wait stands here, not in a header
            details.append({"retryDelay": "0.2s"})
        return Reply(status, {"error": {"code": status, "message": message, "details": details}})


@dataclass(frozen=True)
class HuggingFace:
    path = re.compile(r"/hf-inference/models/(.+)/pipeline/feature-extraction")
    most = 32

    def key(self, headers: Mapping[str, str]) -> str | None:
        return bearer(headers)

    def asked(self, model: str, body: Any) -> Asked:
        return Asked("huggingface", model, body["inputs"], False, None)

    def answer(self, asked: Asked, rows: Rows) -> object:
        return rows

    def error(self, status: int, message: str) -> Reply:
        return Reply(status, {"error": message})


@dataclass(frozen=True)
class Bedrock:
    path = re.compile(r"/model/([^/]+)/invoke")
    most = 96

    def key(self, headers: Mapping[str, str]) -> str | None:
        """The access key's id, which the signature names."""
        found = re.search(r"Credential=([^/]+)/", headers.get("Authorization") or "")
        return found[1] if found else None

    def asked(self, model: str, body: Any) -> Asked:
        if "inputText" in body:
            return Asked("bedrock", model, [body["inputText"]], False, body.get("dimensions"))
        return Asked("bedrock", model, body["texts"], body["input_type"] == "search_query", None)

    def answer(self, asked: Asked, rows: Rows) -> object:
        return {"embedding": rows[0]} if "titan" in asked.model else {"embeddings": rows}

    def error(self, status: int, message: str) -> Reply:
        kinds = {
            400: (400, "ValidationException"),
            401: (403, "UnrecognizedClientException"),
            402: (400, "ServiceQuotaExceededException"),
            404: (404, "ResourceNotFoundException"),
            429: (429, "ThrottlingException"),
            500: (500, "InternalServerException"),
        }
        sent, kind = kinds[status]
        return Reply(sent, {"message": message}, {"x-amzn-ErrorType": kind})


PROTOCOLS: Sequence[Speaks] = (OpenAI(), Google(), HuggingFace(), Bedrock())
