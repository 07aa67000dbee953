"""An address as somebody wrote it."""

from __future__ import annotations

from refdesk.errors import UsageError

_LAST_PORT = 65_535


def netloc(url: str, whose: str) -> str:
    """Host and port. Raises ``UsageError`` where it is no address, or has a name and password within: it is
    not repeated then. ``whose``: "an embedding service"."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError):  # the second where characters cannot be encoded
        parsed = httpx2.URL("")
    whole = parsed.scheme in {"http", "https"} and parsed.host and (parsed.port or 0) <= _LAST_PORT
    if not whole or parsed.userinfo or parsed.query:
        raise UsageError(f"The address of {whose} is http:// or https://, a host and a path.")
    return parsed.netloc.decode()
