"""The hosted inference API's feature extraction, one vector a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.http import Http, told_plainly
from refdesk.embedding.service import Rows, ServiceEmbedder, ServiceModel, described, secret
from refdesk.outgoing import Outgoing
from refdesk.outgoing.patience import Patience

ADDRESS = "https://router.huggingface.co/hf-inference"

MODELS: Mapping[str, ServiceModel] = {
    "BAAI/bge-small-en-v1.5": ServiceModel(384, 512),
    "BAAI/bge-base-en-v1.5": ServiceModel(768, 512),
    "BAAI/bge-large-en-v1.5": ServiceModel(1024, 512),
    "BAAI/bge-m3": ServiceModel(1024, 8192),
    "intfloat/multilingual-e5-large": ServiceModel(1024, 512),
    "sentence-transformers/all-MiniLM-L6-v2": ServiceModel(384, 256),
}

LIMITS = Limits(texts=32)
"""What the inference server takes in one request unless its operator says more; it cuts a long text."""


class HuggingFaceEmbedder(ServiceEmbedder):
    """Prefixes are those of the model's card; ``dimensions`` must be said of a model not in the table."""

    def __init__(
        self,
        model: str = "BAAI/bge-small-en-v1.5",
        key: SecretStr | str = "",
        base_url: str = ADDRESS,
        *,
        dimensions: int | None = None,
        question_prefix: str = "",
        passage_prefix: str = "",
        requests_per_minute: float | None = None,
        patience: Patience | None = None,
        outgoing: Outgoing | None = None,
    ) -> None:
        self._http = Http(base_url, model, outgoing)
        self._key = secret(key, "key")
        super().__init__(
            described(
                *("huggingface", model, MODELS.get(model), dimensions),
                question_prefix=question_prefix,
                passage_prefix=passage_prefix,
            ),
            "huggingface" if base_url == ADDRESS else f"huggingface at {self._http.place}",
            LIMITS,
            secrets=[self._key],
            patience=patience,
            requests_per_minute=requests_per_minute,
        )

    def _ask(self, texts: Sequence[str], question: bool, seconds: float) -> Rows:
        path = f"/models/{self.fingerprint.model}/pipeline/feature-extraction"
        headers = {"Authorization": f"Bearer {self._key.get_secret_value()}"}
        body = {"inputs": list(texts), "normalize": True, "truncate": True}
        rows: Rows = self._http.post(path, headers, body, seconds, told_plainly)
        return rows
