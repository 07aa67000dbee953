"""What a provider says of itself (OpenID Connect Discovery 1.0), and its keys."""

from __future__ import annotations

import time
from dataclasses import dataclass

from refdesk.web.oidc.asking import Asking
from refdesk.web.oidc.tokens import INVALID, Keys, keys_of

FRESH = 3600.0
"""Seconds for which both are kept."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """``secret_in_body``: where the client's secret goes; else it goes into a header."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    userinfo_endpoint: str | None
    secret_in_body: bool
    keys: Keys
    read_at: float

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.read_at < FRESH


def read(asking: Asking, issuer: str) -> Metadata:
    """Raises ``Failed`` (``sign_in_unavailable``)."""
    said = asking.document(issuer.rstrip("/") + "/.well-known/openid-configuration")
    if str(said.get("issuer")).rstrip("/") != issuer.rstrip("/"):
        raise asking.trouble("says that it is another issuer: see REFDESK_OIDC_ISSUER")
    methods = said.get("token_endpoint_auth_methods_supported")
    try:
        keys = keys_of(asking.document(asking.endpoint(said, "jwks_uri")))
    except INVALID:
        raise asking.trouble("publishes keys that cannot be read") from None
    return Metadata(
        issuer=said["issuer"],
        authorization_endpoint=asking.endpoint(said, "authorization_endpoint"),
        token_endpoint=asking.endpoint(said, "token_endpoint"),
        userinfo_endpoint=asking.endpoint(said, "userinfo_endpoint") if "userinfo_endpoint" in said else None,
        secret_in_body=isinstance(methods, list) and "client_secret_post" in methods,
        keys=keys,
        read_at=time.monotonic(),
    )
