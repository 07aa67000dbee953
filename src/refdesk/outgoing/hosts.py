"""Where requests may go: to hosts that somebody configured, and to private ones only where that is allowed.

A host is resolved once, every address that it has is checked, and the connection goes to one of these: a
name that resolves to something else a moment later reaches nothing else. Redirects are not followed.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from refdesk.errors import Refusal
from refdesk.outgoing.addresses import netloc

_REMEDY = (
    "Whoever runs this desk allows hosts of its own network, and http, with REFDESK_ALLOW_PRIVATE_HOSTS=true"
)
_PORTS = {"http": 80, "https": 443}
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")  # IPv4 behind a translator (RFC 6052)


class NotAsked(Exception):
    """A host is not known, or not allowed; the message continues "The service X"."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """``allow_private`` lets through hosts of this machine and its networks, and plain http."""

    allow_private: bool = False

    def check(self, url: str) -> None:
        """What can be said of a service's address without asking for it. Raises ``UsageError`` where it is
        none, ``Refusal`` (``host_not_allowed``)."""
        netloc(url, "a service")
        if why := self._why_not(url):
            raise Refusal(f"The address {url} is not accepted: {why}. {_REMEDY}.", code="host_not_allowed")

    def addresses(self, url: str) -> Sequence[str]:
        """What to connect to, in order; none where a proxy of the environment resolves the host. Raises
        ``NotAsked``."""
        host, port = _place(url)
        if why := self._why_not(url):
            raise _barred(why)
        if urlsplit(url).scheme in getproxies() and not proxy_bypass(host):
            return []
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
        except (OSError, UnicodeError):
            raise NotAsked(f"cannot be reached ({host} is not known)") from None
        addresses = list(dict.fromkeys(str(one[4][0]) for one in found))
        if why := self._private(host, addresses):
            raise _barred(why)
        return addresses

    def _why_not(self, url: str) -> str | None:
        host, _ = _place(url)
        if not self.allow_private and urlsplit(url).scheme != "https":
            return "only https is asked, since http would send secrets in the clear"
        return self._private(host, [host]) if _is_literal(host) else None

    def _private(self, host: str, addresses: Sequence[str]) -> str | None:
        if self.allow_private:
            return None
        for address in addresses:
            if not _public(address):
                shown = host if host == address else f"{host} ({address})"
                return f"{shown} is an address of this machine or of a private network"
        return None


def _place(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def _barred(why: str) -> NotAsked:
    return NotAsked(f"is not asked, because {why}: {_REMEDY[0].lower()}{_REMEDY[1:]}")


def _is_literal(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _public(address: str) -> bool:
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(parsed, ipaddress.IPv6Address) and (within := _within(parsed)):
        return _public(str(within))
    return parsed.is_global and not parsed.is_multicast


def _within(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address that one of IPv6 stands for, which is where the connection ends."""
    if address in _TRANSLATED:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
