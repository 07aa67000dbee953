"""Requests to one server: its errors as exceptions, waits that it asks for, lists in pages."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from importlib.metadata import version
from io import BufferedReader
from typing import Any

import httpx2

from refdesk.client.problems import error_of
from refdesk.errors import Failed, UsageError
from refdesk.retry_after import seconds_of

_CONNECT = 10.0  # seconds
_PAGE = 200
_TOLD_TO_WAIT = (429, 503)
_EVENTS = {"Accept": "text/event-stream"}

Body = Callable[[], AbstractContextManager[BufferedReader]]


class Http:
    def __init__(
        self,
        url: str,
        key: str,
        *,
        timeout: float,
        retries: int,
        longest_wait: float,
        transport: httpx2.BaseTransport | None,
    ) -> None:
        self._timeout, self._retries, self._longest_wait = timeout, retries, longest_wait
        self._client = httpx2.Client(
            base_url=_checked_address(url),
            headers={"X-Api-Key": _checked_key(key), "User-Agent": f"refdesk/{version('refdesk')}"},
            timeout=httpx2.Timeout(timeout, connect=min(_CONNECT, timeout)),
            transport=transport,
        )

    def get(self, path: str, **query: Any) -> Any:
        return json_of(self.send("GET", path, query=query))

    def post(self, path: str, table: Mapping[str, Any] | None = None) -> Any:
        """For what may be done twice: answers that are kept for a key hold what was asked and found."""
        return json_of(self.send("POST", path, table=table))

    def create(self, path: str, table: Mapping[str, Any]) -> Any:
        """Once, also where it is sent again (H2)."""
        return json_of(self.send("POST", path, table=table, headers=_once()))

    def patch(self, path: str, table: Mapping[str, Any]) -> Any:
        return json_of(self.send("PATCH", path, table=table))

    def delete(self, path: str, **query: Any) -> None:
        self.send("DELETE", path, query=query)

    def upload(
        self, method: str, path: str, body: Body, content_type: str | None, **query: Any
    ) -> httpx2.Response:
        """``body`` opens what is sent; it is read as it is sent, and opened again where it is sent again."""
        headers = dict(_once()) if method == "POST" else {}
        if content_type is not None:
            headers["Content-Type"] = content_type
        return self.send(method, path, query=query, body=body, headers=headers)

    def items(self, path: str, *, cursor: str | None = None, **query: Any) -> Iterator[Mapping[str, Any]]:
        """Of a list, page by page as they are taken, behind ``cursor``."""
        while True:
            page = self.get(path, limit=_PAGE, cursor=cursor, **query)
            yield from page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def events(self, path: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Server-sent events of a POST: the name and the JSON of each as it comes."""
        response = self.send("POST", path, table=table, headers=_EVENTS, stream=True)
        with closing(response), self._heard(response.request):
            yield from _events(response.iter_lines())

    def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        table: Mapping[str, Any] | None = None,
        body: Body | None = None,
        headers: Mapping[str, str] | None = None,
        stream: bool = False,
    ) -> httpx2.Response:
        """The answer, read whole unless ``stream``. Raises what the server says was wrong, and ``Failed``
        where it says nothing."""
        waits = 0
        while True:
            with body() if body else nullcontext() as content:
                request = self._client.build_request(
                    method,
                    f"v2{path}",
                    params={key: value for key, value in (query or {}).items() if value is not None},
                    json=table,
                    content=content,
                    headers=headers,
                )
                with self._heard(request):
                    response = self._client.send(request, stream=stream)
                    if not response.is_success:
                        response.read()
            wait = self._wait(response, waits)
            if wait is None:
                break
            waits += 1
            time.sleep(wait)
        if not response.is_success:
            raise error_of(response)
        return response

    def close(self) -> None:
        self._client.close()

    @contextmanager
    def _heard(self, request: httpx2.Request) -> Iterator[None]:
        where = f"The server at {request.url.netloc.decode()}"
        try:
            yield
        except httpx2.ConnectTimeout:
            raise Failed(f"{where} does not answer: is it running, and is the address right?") from None
        except httpx2.TimeoutException:
            raise Failed(f"{where} was silent for {self._timeout:g} seconds: try again.") from None
        except httpx2.ConnectError as error:
            raise Failed(f"{where} cannot be reached ({error}): is it running?") from None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            raise Failed(f"{where} broke off its answer ({type(error).__name__}): try again.") from None

    def _wait(self, response: httpx2.Response, waits: int) -> float | None:
        """Seconds until the request is to be sent again; ``None``: not again."""
        named = response.headers.get("retry-after")
        if response.status_code not in _TOLD_TO_WAIT or named is None or waits >= self._retries:
            return None
        seconds = seconds_of(named)
        return seconds if seconds <= self._longest_wait else None


def _events(lines: Iterator[str]) -> Iterator[tuple[str, Any]]:
    event, data = "", ""
    for line in lines:
        field, _, value = line.partition(": ")
        if field == "event":
            event = value
        elif field == "data":
            data += value
        elif not line and event:
            yield event, json.loads(data)
            event, data = "", ""


def _once() -> Mapping[str, str]:
    return {"Idempotency-Key": secrets.token_urlsafe(18)}


def json_of(response: httpx2.Response) -> Any:
    try:
        return response.json()
    except ValueError:
        raise Failed(
            f"The server at {response.url.netloc.decode()} answered with what is no JSON: "
            "is it the address of Refdesk?"
        ) from None


def _checked_address(url: str) -> str:
    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.query or parsed.fragment:
        raise UsageError(
            f"{url!r} is no address of a server: write it as https://desk.example.com, "
            "with the path before /v2 where it has one."
        )
    return f"{str(parsed).rstrip('/')}/"


def _checked_key(key: str) -> str:
    """What is no key is not repeated: it may be one, with a line break."""
    if not key or not key.isascii() or not key.isprintable() or key != key.strip():
        raise UsageError("The key is no key: give the text that `refdesk keys create` shows once, rd_….")
    return key
