"""``POST /embeddings`` as OpenAI defines it, at its own address or any other that speaks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.http import Http, told_plainly
from refdesk.embedding.service import Rows, ServiceEmbedder, ServiceModel, described, secret
from refdesk.embedding.trouble import garbage
from refdesk.outgoing import Outgoing
from refdesk.outgoing.patience import Patience

ADDRESS = "https://api.openai.com/v1"

MODELS: Mapping[str, ServiceModel] = {
    "text-embedding-3-small": ServiceModel(1536, 8192, shortens=True),
    "text-embedding-3-large": ServiceModel(3072, 8192, shortens=True),
    "text-embedding-ada-002": ServiceModel(1536, 8192),
}

LIMITS = Limits(texts=2048, tokens=300_000, text_tokens=8192)
"""Of OpenAI's embeddings reference: inputs and tokens of a request, tokens of an input."""


class OpenAIEmbedder(ServiceEmbedder):
    """``dimensions`` may shorten OpenAI's own models and must be said of others; ``key`` is ``None`` where
    the address asks for none; ``limits`` are those of another server (TEI takes 32 texts unless told)."""

    def __init__(
        self,
        model: str = "text-embedding-3-small",
        key: SecretStr | str | None = None,
        base_url: str = ADDRESS,
        *,
        dimensions: int | None = None,
        question_prefix: str = "",
        passage_prefix: str = "",
        limits: Limits = LIMITS,
        requests_per_minute: float | None = None,
        patience: Patience | None = None,
        outgoing: Outgoing | None = None,
    ) -> None:
        known = MODELS.get(model)
        self._http = Http(base_url, model, outgoing)
        self._key = None if key is None else secret(key, "key")
        self._shortened = {"dimensions": dimensions} if known and dimensions else {}
        super().__init__(
            described(
                *("openai", model, known, dimensions),
                question_prefix=question_prefix,
                passage_prefix=passage_prefix,
            ),
            "openai" if base_url == ADDRESS else f"at {self._http.place}",
            limits,
            secrets=[self._key] if self._key else [],
            patience=patience,
            requests_per_minute=requests_per_minute,
        )

    def _ask(self, texts: Sequence[str], question: bool, seconds: float) -> Rows:
        body = {"model": self.fingerprint.model, "input": list(texts), "encoding_format": "float"}
        headers = {"Authorization": f"Bearer {self._key.get_secret_value()}"} if self._key else {}
        answer = self._http.post("/embeddings", headers, body | self._shortened, seconds, told_plainly)
        try:
            rows = sorted(answer["data"], key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except (KeyError, TypeError):
            raise garbage("no list of embeddings") from None
