"""One POST of JSON to a service, with every way that it can fail told apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from refdesk.embedding.trouble import garbage
from refdesk.outgoing import Exchange, NotAsked, Outgoing, TooLarge
from refdesk.outgoing.addresses import netloc
from refdesk.outgoing.trouble import Told, Trouble, closed, hang, refused_answer, unreachable
from refdesk.retry_after import seconds_of

_MOST = 256 << 20  # bytes of an answer


class Http:
    """A service's address. Without ``outgoing`` it is asked wherever it is."""

    def __init__(self, base_url: str, model: str, outgoing: Outgoing | None = None) -> None:
        self._base = base_url.rstrip("/")
        self._model = model
        self._exchange = Exchange(outgoing, _MOST)
        self.place = netloc(base_url, "an embedding service")

    def post(
        self,
        path: str,
        headers: Mapping[str, str],
        body: object,
        seconds: float,
        told: Callable[[Any], Told],
    ) -> Any:
        """The JSON of a success. Raises ``Trouble``; ``told`` reads the JSON of a failure."""
        import httpx2

        try:
            answer = self._exchange.send("POST", self._base + path, headers, seconds, json=body)
        except NotAsked as error:
            raise Trouble(str(error)) from None
        except TooLarge:
            raise garbage(f"more than {_MOST >> 20} MB") from None
        except httpx2.TimeoutException:
            raise hang(seconds) from None
        except (httpx2.ConnectError, httpx2.ProxyError, httpx2.UnsupportedProtocol) as error:
            raise unreachable(f"{self.place}: {error}") from None
        except httpx2.DecodingError:
            raise garbage("it cannot be decoded") from None
        except httpx2.TransportError:
            raise closed() from None
        if answer.status == HTTPStatus.OK:
            try:
                return json.loads(answer.content)
            except ValueError:
                raise garbage("no JSON") from None
        after = answer.headers.get("retry-after")
        raise refused_answer(answer.status, _with_wait(_told(answer.content, told), after), self._model)


def _told(content: bytes, told: Callable[[Any], Told]) -> Told:
    try:
        return told(json.loads(content))
    except (ValueError, TypeError, AttributeError, KeyError):
        return Told()


def _with_wait(told: Told, after: str | None) -> Told:
    return Told(told.message, told.quota, told.key, max(told.after, seconds_of(after)))


def told_plainly(body: Any) -> Told:
    """``{"error": {"message": …, "code": …}}``, or with the sentence itself in ``error`` or ``message``."""
    error = body.get("error", body)
    if isinstance(error, str):
        return Told(error)
    codes = {error.get("code"), error.get("type")}
    return Told(str(error.get("message") or ""), quota=not codes.isdisjoint(_QUOTA))


_QUOTA = {"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"}
