"""One POST of JSON to a service, with every way that it can fail told apart."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from refdesk.embedding.outgoing import Outgoing
from refdesk.embedding.trouble import Told, closed, garbage, hang, refused_answer, unreachable
from refdesk.errors import UsageError

if TYPE_CHECKING:
    import httpx2

_MOST = 256 << 20  # bytes of an answer
_CONNECT = 10.0  # seconds


class Http:
    """A service's address. Clients are made when they are first needed: their start is slow. Without
    ``outgoing`` it is asked wherever it is."""

    def __init__(self, base_url: str, model: str, outgoing: Outgoing | None = None) -> None:
        self._base = base_url.rstrip("/")
        self._model = model
        self._outgoing = outgoing
        self._making = threading.Lock()
        self._clients: dict[bool, httpx2.Client] = {}
        self.place = _place(base_url)

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
            status, after, content = self._exchange(path, headers, body, seconds)
        except httpx2.TimeoutException:
            raise hang(seconds) from None
        except (httpx2.ConnectError, httpx2.ProxyError, httpx2.UnsupportedProtocol) as error:
            raise unreachable(f"{self.place}: {error}") from None
        except httpx2.DecodingError:
            raise garbage("it cannot be decoded") from None
        except httpx2.TransportError:
            raise closed() from None
        if status == HTTPStatus.OK:
            try:
                return json.loads(content)
            except ValueError:
                raise garbage("no JSON") from None
        raise refused_answer(status, _with_wait(_told(content, told), after), self._model)

    def _exchange(
        self, path: str, headers: Mapping[str, str], body: object, seconds: float
    ) -> tuple[int, str | None, bytes]:
        import httpx2

        until = time.monotonic() + seconds
        addresses = self._outgoing.addresses(self._base) if self._outgoing else []
        for address in addresses[:-1]:
            try:
                return self._exchange_with(address, path, headers, body, until)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue  # the host has another one
        return self._exchange_with(addresses[-1] if addresses else None, path, headers, body, until)

    def _exchange_with(
        self, address: str | None, path: str, headers: Mapping[str, str], body: object, until: float
    ) -> tuple[int, str | None, bytes]:
        """``address``: connect to this one of the host's."""
        import httpx2

        seconds = max(until - time.monotonic(), 0.001)
        url, extensions = httpx2.URL(self._base + path), {}
        if address is not None:
            headers = {**headers, "Host": url.netloc.decode()}
            extensions = {"sni_hostname": url.host}  # whose certificate it must have
            url = url.copy_with(host=address)
        request = self._client(pinned=address is not None).build_request(
            "POST",
            url,
            headers=dict(headers),
            json=body,
            timeout=httpx2.Timeout(seconds, connect=min(_CONNECT, seconds)),
            extensions=extensions,
        )
        response = self._client(pinned=address is not None).send(request, stream=True)
        try:
            content = bytearray()
            for chunk in response.iter_bytes():
                content += chunk
                if len(content) > _MOST:
                    raise garbage(f"more than {_MOST >> 20} MB")
                if time.monotonic() > until:
                    raise hang(seconds)
            return response.status_code, response.headers.get("retry-after"), bytes(content)
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


def _place(url: str) -> str:
    """Host and port. Raises ``UsageError`` where it is no address, or has a name and password within."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.userinfo or parsed.query:
        raise UsageError("The address of an embedding service is http:// or https://, a host and a path.")
    return parsed.netloc.decode()


def _told(content: bytes, told: Callable[[Any], Told]) -> Told:
    try:
        return told(json.loads(content))
    except (ValueError, TypeError, AttributeError, KeyError):
        return Told()


def _with_wait(told: Told, after: str | None) -> Told:
    return Told(told.message, told.quota, told.key, max(told.after, seconds_of(after)))


def seconds_of(after: str | None) -> float:
    """Of a ``Retry-After``, which is a number or a date; 0 where it is neither."""
    try:
        seconds = float(after or 0)
    except ValueError:
        pass
    else:
        return max(0.0, seconds) if math.isfinite(seconds) else 0.0
    try:
        return max(0.0, parsedate_to_datetime(after or "").timestamp() - time.time())
    except ValueError:
        return 0.0


def told_plainly(body: Any) -> Told:
    """``{"error": {"message": …, "code": …}}``, or with the sentence itself in ``error`` or ``message``."""
    error = body.get("error", body)
    if isinstance(error, str):
        return Told(error)
    codes = {error.get("code"), error.get("type")}
    return Told(str(error.get("message") or ""), quota=not codes.isdisjoint(_QUOTA))


_QUOTA = {"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"}
