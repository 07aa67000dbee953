"""The Gemini API's ``batchEmbedContents``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.http import Http
from refdesk.embedding.service import Rows, ServiceEmbedder, ServiceModel, described, secret
from refdesk.embedding.trouble import garbage
from refdesk.outgoing import Outgoing
from refdesk.outgoing.patience import Patience
from refdesk.outgoing.trouble import Told
from refdesk.retry_after import seconds_of

ADDRESS = "https://generativelanguage.googleapis.com/v1beta"

_MODELS: Mapping[str, ServiceModel] = {"gemini-embedding-001": ServiceModel(3072, 2048, shortens=True)}

LIMITS = Limits(texts=100, texts_count=True)
"""At most 100 requests in one batch, each of them counted; a text past 2,048 tokens is cut there."""


class GoogleEmbedder(ServiceEmbedder):
    """The task type tells questions from passages, so that there are no prefixes."""

    def __init__(
        self,
        model: str = "gemini-embedding-001",
        key: SecretStr | str = "",
        base_url: str = ADDRESS,
        *,
        dimensions: int | None = None,
        requests_per_minute: float | None = None,
        patience: Patience | None = None,
        outgoing: Outgoing | None = None,
    ) -> None:
        self._http = Http(base_url, model, outgoing)
        self._key = secret(key, "key")
        super().__init__(
            described("google", model, _MODELS.get(model), dimensions),
            "google" if base_url == ADDRESS else f"google at {self._http.place}",
            LIMITS,
            secrets=[self._key],
            patience=patience,
            requests_per_minute=requests_per_minute,
        )

    def _ask(self, texts: Sequence[str], question: bool, seconds: float) -> Rows:
        name = f"models/{self.fingerprint.model}"
        one = {
            "model": name,
            "taskType": "RETRIEVAL_QUERY" if question else "RETRIEVAL_DOCUMENT",
            "outputDimensionality": self.fingerprint.dimensions,
        }
        body = {"requests": [one | {"content": {"parts": [{"text": text}]}} for text in texts]}
        headers = {"x-goog-api-key": self._key.get_secret_value()}
        answer = self._http.post(f"/{name}:batchEmbedContents", headers, body, seconds, _told)
        try:
            return [row["values"] for row in answer["embeddings"]]
        except (KeyError, TypeError):
            raise garbage("no list of embeddings") from None


def _told(body: Any) -> Told:
    """A wrong key is a 400 with a reason, and how long to wait stands in the body, not in a header."""
    error = body["error"]
    details = error.get("details", [])
    delays = [str(detail["retryDelay"]) for detail in details if "retryDelay" in detail]
    quotas = [quota.get("quotaId", "") for detail in details for quota in detail.get("violations", [])]
    return Told(
        str(error.get("message") or ""),
        quota=any("PerDay" in quota for quota in quotas),
        key=any(detail.get("reason") == "API_KEY_INVALID" for detail in details),
        after=max((seconds_of(delay.rstrip("s")) for delay in delays), default=0.0),
    )
