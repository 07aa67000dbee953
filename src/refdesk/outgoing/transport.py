"""A client for somebody else's library that reaches one host, at addresses that were checked."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Sequence
from functools import cache
from urllib.request import getproxies

import httpx2

from refdesk.outgoing.exchange import CONNECT, TooLarge
from refdesk.outgoing.hosts import NotAsked, Outgoing


def client_for(url: str, outgoing: Outgoing, seconds: float, most: int) -> httpx2.AsyncClient:
    """``most``: bytes of an answer. It follows no redirect, and raises ``NotAsked`` and ``TooLarge`` within.
    Raises ``NotAsked``."""
    return httpx2.AsyncClient(
        transport=_OneHost(httpx2.URL(url), outgoing.addresses(url), most),
        timeout=httpx2.Timeout(seconds, connect=min(CONNECT, seconds)),
        follow_redirects=False,
        trust_env=False,
    )


class _OneHost(httpx2.AsyncBaseTransport):
    def __init__(self, url: httpx2.URL, addresses: Sequence[str], most: int) -> None:
        """Without ``addresses`` a proxy of the environment resolves the host."""
        self._place = _place(url)
        self._most = most
        self._addresses: Sequence[str | None] = addresses or [None]
        self._inner = httpx2.AsyncHTTPTransport(
            verify=_context() if url.scheme == "https" else False,
            trust_env=False,
            proxy=None if addresses else getproxies()[url.scheme],
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if _place(request.url) != self._place:
            raise NotAsked(f"sends on to {request.url.host}, where nothing is sent")
        for address in self._addresses[:-1]:
            try:
                return await self._send_to(address, request)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue  # the host has another one
        return await self._send_to(self._addresses[-1], request)

    async def _send_to(self, address: str | None, request: httpx2.Request) -> httpx2.Response:
        headers = request.headers.copy()
        headers["Accept-Encoding"] = "identity"  # what is unpacked could have any size
        response = await self._inner.handle_async_request(
            httpx2.Request(
                request.method,
                request.url if address is None else request.url.copy_with(host=address),
                headers=headers,
                stream=request.stream,
                extensions={**request.extensions, "sni_hostname": request.url.host},
            )
        )
        if response.headers.get("content-encoding", "identity") != "identity":
            await response.aclose()
            raise httpx2.DecodingError("an encoding that was not asked for", request=request)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Measured(response, self._most),
            extensions=response.extensions,
        )

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Measured(httpx2.AsyncByteStream):
    def __init__(self, response: httpx2.Response, most: int) -> None:
        self._response = response
        self._most = most

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._response.aiter_raw():
            read += len(chunk)
            if read > self._most:
                raise TooLarge
            yield chunk

    async def aclose(self) -> None:
        await self._response.aclose()


@cache
def _context() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _place(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
