"""What went wrong with a provider, told from the exception that its client raised."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from http import HTTPStatus
from typing import Any

import httpx2
from pydantic_ai import exceptions as of_models

from refdesk.outgoing import NotAsked, TooLarge
from refdesk.outgoing.trouble import Told, Trouble, closed, refused_answer, unlike, unreachable
from refdesk.retry_after import seconds_of

_ANSWER = "the answer asked for"
_NO_KEY = "API_KEY_INVALID"
_PER_DAY = "PerDay"  # of Google's quotas; those of a minute are a matter of waiting


_BY_CAUSE: Sequence[tuple[type[BaseException], Callable[[BaseException], Trouble]]] = (
    (NotAsked, lambda cause: Trouble(str(cause))),
    (TooLarge, lambda _: unlike(_ANSWER, "more bytes than are read")),
    (httpx2.ConnectError, lambda _: unreachable("it takes no connection")),
    (httpx2.ProxyError, lambda _: unreachable("its proxy refuses")),
    (httpx2.DecodingError, lambda _: unlike(_ANSWER, "it cannot be decoded")),
    (httpx2.TransportError, lambda _: closed()),
)


def trouble_of(error: Exception, model: str) -> Trouble | None:
    """``None``: it took too long."""
    if isinstance(error, Trouble):
        return error
    for cause in _causes(error):
        if isinstance(cause, TimeoutError | httpx2.TimeoutException | of_models.ModelTimeoutError):
            return None
        for kind, made in _BY_CAUSE:
            if isinstance(cause, kind):
                return made(cause)
    return _of_models(error, model)


def _of_models(error: Exception, model: str) -> Trouble:
    if isinstance(error, of_models.ModelHTTPError):
        return refused_answer(error.status_code, _told(error), model)
    if isinstance(error, of_models.ContentFilterError):
        return unlike(_ANSWER, "its content filter held the answer back")
    if isinstance(error, of_models.ModelConnectionError):
        return closed() if error.phase not in {"connect", "pool"} else unreachable("it takes no connection")
    if isinstance(error, of_models.ModelAPIError):
        return _without_status(error)
    # Of anything else the type alone is told: a message may hold what was sent.
    return unlike(_ANSWER, type(error).__name__)


def _without_status(error: of_models.ModelAPIError) -> Trouble:
    if isinstance(error.__cause__, ValueError):
        return unlike(_ANSWER, "no JSON")
    if _redirects(error.__cause__):
        return Trouble("sends on to another address, where nothing is sent")
    return Trouble("failed: try again later", detail=_message(error.body), again=True)


def _redirects(cause: BaseException | None) -> bool:
    status = getattr(cause, "status_code", None) or getattr(cause, "code", None)
    return isinstance(status, int) and HTTPStatus.MULTIPLE_CHOICES <= status < HTTPStatus.BAD_REQUEST


def _told(error: of_models.ModelHTTPError) -> Told:
    quota = isinstance(error, of_models.ModelQuotaExceededError) or _PER_DAY in str(error.body)
    key = isinstance(error, of_models.ModelAuthenticationError) or _NO_KEY in str(error.body)
    after = seconds_of((error.headers or {}).get("retry-after"))
    return Told(_message(error.body), quota=quota, key=key, after=max(after, error.retry_after or 0.0))


def _message(body: Any) -> str:
    """The provider's own sentence, wherever in its error it stands."""
    while isinstance(body, dict):
        inner = body.get("error") or body.get("Error") or body.get("message") or body.get("Message")
        if inner is None:
            return ""
        body = inner
    return body if isinstance(body, str) else ""


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    for _ in range(10):
        if seen is None:
            return
        yield seen
        seen = seen.__cause__ or seen.__context__
