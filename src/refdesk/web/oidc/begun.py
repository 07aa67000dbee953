"""A sign-in that was begun: its secrets, which only the browser that began it brings back."""

from __future__ import annotations

import json
import secrets
import time
from base64 import urlsafe_b64encode
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Self

LASTS = 600
"""Seconds that somebody has at the provider."""


@dataclass(frozen=True, slots=True)
class Begun:
    """``verifier`` is PKCE's (RFC 7636); ``until`` in seconds since 1970."""

    state: str
    nonce: str
    verifier: str
    until: int

    @classmethod
    def now(cls) -> Self:
        state, nonce, verifier = (secrets.token_urlsafe(32) for _ in range(3))
        return cls(state, nonce, verifier, int(time.time()) + LASTS)

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(**json.loads(text))

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @property
    def challenge(self) -> str:
        return urlsafe_b64encode(sha256(self.verifier.encode()).digest()).rstrip(b"=").decode()

    def answers(self, state: str) -> bool:
        """Whether an answer with this state is the one to this sign-in, in time."""
        same = secrets.compare_digest(state.encode("utf-8", "replace"), self.state.encode())
        return same and time.time() < self.until
