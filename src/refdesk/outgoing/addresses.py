"""An address as somebody wrote it."""

from __future__ import annotations

from refdesk.errors import UsageError


def netloc(url: str, whose: str) -> str:
    """Host and port. Raises ``UsageError`` where it is no address, or has a name and password within: it is
    not repeated then. ``whose``: "an embedding service"."""
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except httpx2.InvalidURL:
        parsed = httpx2.URL("")
    if parsed.scheme not in {"http", "https"} or not parsed.host or parsed.userinfo or parsed.query:
        raise UsageError(f"The address of {whose} is http:// or https://, a host and a path.")
    return parsed.netloc.decode()
