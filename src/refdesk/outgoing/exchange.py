"""One request and its answer, in a given time and of a given size, at an address that was checked."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from refdesk.outgoing.hosts import Outgoing

if TYPE_CHECKING:
    import httpx2

CONNECT = 10.0  # seconds


class TooLarge(Exception):
    """The answer has more bytes than are read."""


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    content: bytes


class Exchange:
    """Clients are made when they are first needed: their start is slow. Without ``outgoing`` every host is
    asked. ``most``: bytes of an answer."""

    def __init__(self, outgoing: Outgoing | None, most: int) -> None:
        self._outgoing = outgoing
        self._most = most
        self._making = threading.Lock()
        self._clients: dict[bool, httpx2.Client] = {}

    def send(self, method: str, url: str, headers: Mapping[str, str], seconds: float, **body: Any) -> Answer:
        """``body`` is httpx2's ``json`` or ``data``. Redirects are not followed. Raises ``NotAsked``,
        ``TooLarge``, and httpx2's ``TransportError``, ``TimeoutException`` among them."""
        import httpx2

        until = time.monotonic() + seconds
        asked = {"method": method, "url": url, "headers": dict(headers), **body}
        addresses = self._outgoing.addresses(url) if self._outgoing else []
        for address in addresses[:-1]:
            try:
                return self._send_to(address, asked, until)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue  # the host has another one
        return self._send_to(addresses[-1] if addresses else None, asked, until)

    def _send_to(self, address: str | None, asked: dict[str, Any], until: float) -> Answer:
        """``address``: connect to this one of the host's."""
        import httpx2

        seconds = max(until - time.monotonic(), 0.001)
        asked = {**asked, "timeout": httpx2.Timeout(seconds, connect=min(CONNECT, seconds))}
        if address is not None:
            url = httpx2.URL(asked["url"])
            asked["url"] = url.copy_with(host=address)
            asked["headers"] = {**asked["headers"], "Host": url.netloc.decode()}
            asked["extensions"] = {"sni_hostname": url.host}  # whose certificate it must have
        client = self._client(pinned=address is not None)
        request = client.build_request(**asked)
        response = client.send(request, stream=True)
        try:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > self._most:
                    raise TooLarge
                if time.monotonic() > until:
                    raise httpx2.ReadTimeout("the answer is not complete", request=request)
            return Answer(response.status_code, response.headers, bytes(content))
        finally:
            response.close()

    def _client(self, *, pinned: bool) -> httpx2.Client:
        """A pinned one asks no proxy of the environment: it was found to have none for this host."""
        import httpx2

        with self._making:
            if pinned not in self._clients:
                self._clients[pinned] = (
                    httpx2.Client(trust_env=False, verify=httpx2.create_ssl_context())
                    if pinned
                    else httpx2.Client()
                )
            return self._clients[pinned]
