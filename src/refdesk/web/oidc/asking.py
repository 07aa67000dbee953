"""Requests to the provider: each way to fail in a sentence, and nothing of what was sent or answered in it.

They go where ``refdesk.outgoing`` lets them. No more than ``AT_ONCE`` wait at a time: whoever is not signed
in can make the desk ask.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from refdesk.errors import Failed, Refusal
from refdesk.outgoing import Exchange, NotAsked, Outgoing, TooLarge
from refdesk.web.oidc.registration import is_web_address

AT_ONCE = 8

_SECONDS = 10.0  # for each request
_MOST = 1 << 20  # bytes of an answer

log = logging.getLogger(__name__)


class Said(NamedTuple):
    """``content`` is empty where the answer is no JSON object."""

    status: int
    content: dict[str, Any]


class Asking:
    """``name``: what people call the provider. Raises ``Failed`` (``sign_in_unavailable``)."""

    def __init__(self, name: str, outgoing: Outgoing) -> None:
        self._name = name
        self._outgoing = outgoing
        self._exchange = Exchange(outgoing, _MOST)
        self._places = threading.BoundedSemaphore(AT_ONCE)

    def ask(self, method: str, address: str, headers: Mapping[str, str] | None = None, **body: Any) -> Said:
        if not self._places.acquire(blocking=False):
            raise Failed(
                f"{AT_ONCE} others are signing in at this moment: try again in a few seconds.",
                code="sign_in_unavailable",
                limit=AT_ONCE,
            )
        try:
            return self._ask(method, address, {"Accept": "application/json", **(headers or {})}, **body)
        finally:
            self._places.release()

    def document(self, address: str) -> dict[str, Any]:
        said = self.ask("GET", address)
        if said.status != 200 or not said.content:
            raise self.trouble(f"does not describe itself ({said.status})")
        return said.content

    def endpoint(self, said: Mapping[str, Any], name: str) -> str:
        """An address that the provider names, and that may be asked."""
        address = said.get(name)
        if not isinstance(address, str) or not is_web_address(address):
            raise self.trouble(f"names no {name}")
        try:
            self._outgoing.check(address)
        except Refusal as error:
            raise self.trouble(f"names a {name} that is not asked. {error.message}") from None
        return address

    def trouble(self, said: str) -> Failed:
        """``said`` continues the provider's name."""
        log.warning("the sign-in provider %s", said)
        return Failed(
            f"{self._name} {said}. Try again later, or sign in with a link.", code="sign_in_unavailable"
        )

    def _ask(self, method: str, address: str, headers: Mapping[str, str], **body: Any) -> Said:
        import httpx2

        try:
            answer = self._exchange.send(method, address, headers, _SECONDS, **body)
        except NotAsked as error:
            raise self.trouble(str(error)) from None
        except TooLarge:
            raise self.trouble("answered with more than a provider says") from None
        except httpx2.TimeoutException:
            raise self.trouble(f"did not answer within {_SECONDS:g} s") from None
        except (httpx2.RequestError, httpx2.InvalidURL):
            raise self.trouble("cannot be reached") from None
        return Said(answer.status, _object(answer.content))


def _object(content: bytes) -> dict[str, Any]:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}
