"""Amazon Bedrock's ``InvokeModel`` through boto3, the extra ``refdesk[bedrock]``.

Titan takes one text a request; Cohere 96, of 2,048 characters each. Who asks is settled by the AWS
credential chain unless keys are given.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from pydantic import SecretStr

from refdesk.embedding.batches import Limits
from refdesk.embedding.service import Rows, ServiceEmbedder, ServiceModel, described, secret
from refdesk.embedding.trouble import garbage
from refdesk.errors import Failed, UsageError
from refdesk.outgoing import NotAsked, Outgoing
from refdesk.outgoing.patience import Patience
from refdesk.outgoing.trouble import Told, Trouble, closed, hang, refused_answer, unreachable
from refdesk.retry_after import seconds_of

_MODELS = {
    "amazon.titan-embed-text-v2:0": ServiceModel(1024, 8192, shortens=True),
    "amazon.titan-embed-text-v1": ServiceModel(1536, 8192),
    "cohere.embed-english-v3": ServiceModel(1024, 512),
    "cohere.embed-multilingual-v3": ServiceModel(1024, 512),
}
_TITAN = Limits(texts=1, text_tokens=8192, characters=50_000)
_COHERE = Limits(texts=96, characters=2048)

_KEY = {"UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException"}
_QUOTA = "ServiceQuotaExceededException"


class AwsKeys(NamedTuple):
    """An access key of one's own, instead of the credential chain."""

    id: str
    secret: SecretStr
    token: SecretStr | None = None


class BedrockEmbedder(ServiceEmbedder):
    def __init__(
        self,
        model: str = "amazon.titan-embed-text-v2:0",
        *,
        region: str | None = None,
        profile: str | None = None,
        keys: AwsKeys | None = None,
        endpoint_url: str | None = None,
        dimensions: int | None = None,
        requests_per_minute: float | None = None,
        patience: Patience | None = None,
        outgoing: Outgoing | None = None,
    ) -> None:
        if model not in _MODELS:
            raise UsageError(f"There is no Bedrock model {model!r}; the models are {', '.join(_MODELS)}.")
        self._titan = model.startswith("amazon.titan")
        self._shortened = {"dimensions": dimensions} if dimensions else {}
        self._keys = None if keys is None else _checked(keys)
        region = region or os.environ.get("AWS_REGION") or None  # boto3 reads AWS_DEFAULT_REGION alone
        self._session = {"region_name": region, "profile_name": profile}
        self._endpoint = endpoint_url
        self._outgoing = outgoing
        self._making = threading.Lock()
        self._clients: dict[bool, Any] = {}
        super().__init__(
            described("bedrock", model, _MODELS[model], dimensions),
            "bedrock",
            _TITAN if self._titan else _COHERE,
            secrets=[key for key in (self._keys or ()) if isinstance(key, SecretStr)],
            patience=patience,
            requests_per_minute=requests_per_minute,
        )

    def _ask(self, texts: Sequence[str], question: bool, seconds: float) -> Rows:
        answer = self._invoke(self._body(texts, question), question)
        try:
            if self._titan:
                return [answer["embedding"]]
            rows: Rows = answer["embeddings"]
        except (KeyError, TypeError):
            raise garbage("no embeddings") from None
        return rows

    def _body(self, texts: Sequence[str], question: bool) -> dict[str, object]:
        if self._titan:
            return {"inputText": texts[0], **self._shortened}
        asked = "search_query" if question else "search_document"
        return {"texts": list(texts), "input_type": asked, "truncate": "END"}

    def _invoke(self, body: object, question: bool) -> Any:
        client = self._client(question)
        from botocore import exceptions
        from botocore.parsers import ResponseParserError

        try:
            answer = client.invoke_model(modelId=self.fingerprint.model, body=json.dumps(body))
            return json.loads(answer["body"].read())
        except exceptions.ClientError as error:
            raise self._refused(error.response) from None
        except (exceptions.ReadTimeoutError, exceptions.ConnectTimeoutError):
            raise hang(self._seconds(question)) from None
        except (exceptions.ConnectionClosedError, exceptions.ResponseStreamingError):
            raise closed() from None
        except exceptions.EndpointConnectionError:
            raise unreachable("its endpoint takes no connection") from None
        except (ResponseParserError, ValueError):
            raise garbage("no JSON") from None
        except exceptions.BotoCoreError as error:
            # Missing credentials and the like: said by type, for a message may hold what it was given.
            raise _unconfigured(error) from None

    def _refused(self, response: Any) -> Trouble:
        code = response["Error"].get("Code", "")
        meta = response["ResponseMetadata"]
        told = Told(
            str(response["Error"].get("Message", "")),
            quota=code == _QUOTA,
            key=code in _KEY,
            after=seconds_of(meta["HTTPHeaders"].get("retry-after")),
        )
        return refused_answer(meta["HTTPStatusCode"], told, self.fingerprint.model)

    def _seconds(self, question: bool) -> float:
        return min(self._patience.request, self._patience.question if question else self._patience.batch)

    def _client(self, question: bool) -> Any:
        """boto3 fixes a client's timeouts: there is one for questions and one for passages."""
        with self._making:
            if question not in self._clients:
                self._clients[question] = self._connect(self._seconds(question))
            return self._clients[question]

    def _connect(self, seconds: float) -> Any:
        if self._outgoing and self._endpoint:
            try:
                self._outgoing.addresses(self._endpoint)  # boto3 resolves again: it takes no address
            except NotAsked as error:
                raise Trouble(str(error)) from None
        try:
            import boto3
            from botocore.config import Config
            from botocore.exceptions import BotoCoreError
        except ImportError:
            raise Failed(
                "The embedding service bedrock needs boto3: run `pip install 'refdesk[bedrock]'`.",
                code="embedding_unavailable",
            ) from None
        logging.getLogger("botocore").setLevel(logging.INFO)  # below, it writes whole requests to the log
        config = Config(
            connect_timeout=min(10.0, seconds), read_timeout=seconds, retries={"total_max_attempts": 1}
        )
        try:
            session = boto3.session.Session(**self._session, **self._key_arguments())
            return session.client("bedrock-runtime", endpoint_url=self._endpoint, config=config)
        except BotoCoreError as error:
            raise _unconfigured(error) from None

    def _key_arguments(self) -> dict[str, str]:
        if self._keys is None:
            return {}
        given = {
            "aws_access_key_id": self._keys.id,
            "aws_secret_access_key": self._keys.secret.get_secret_value(),
        }
        if self._keys.token:
            given["aws_session_token"] = self._keys.token.get_secret_value()
        return given


def _checked(keys: AwsKeys) -> AwsKeys:
    token = None if keys.token is None else secret(keys.token, "session token")
    return AwsKeys(keys.id, secret(keys.secret, "secret access key"), token)


def _unconfigured(error: Exception) -> Trouble:
    return Trouble(f"cannot be asked ({type(error).__name__}): check the AWS credentials and region")
