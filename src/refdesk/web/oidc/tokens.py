"""Whether an ID token is the provider's, for this desk and this sign-in, and holds now (OpenID Connect Core
3.1.3.7)."""

from __future__ import annotations

from typing import Any

from joserfc import jwk, jwt
from joserfc.errors import BadSignatureError, InvalidKeyIdError, JoseError, MissingClaimError
from joserfc.jws import JWSRegistry

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
"""Signatures by a key that the provider alone has: neither ``none`` nor one by the client's secret."""
LEEWAY = 60
"""Seconds by which the provider's clock may differ."""

Keys = jwk.KeySet
INVALID = (JoseError, ValueError, TypeError, KeyError, AttributeError)
UNKNOWN_KEY = (InvalidKeyIdError, BadSignatureError)
"""What a key that was changed since looks like."""

_SIGNED = JWSRegistry(algorithms=ALGORITHMS, strict_check_header=False)  # `crit` is checked all the same


def keys_of(document: Any) -> Keys:
    """The keys that can be read: a provider may publish others beside them. Raises one of ``INVALID``."""
    keys: list[jwk.Key] = []
    for entry in document["keys"]:
        try:
            keys.append(jwk.import_key(entry))
        except INVALID:
            continue
    return Keys([key for key in keys if key.key_type != "oct"])


def claims_of(token: str, keys: Keys, *, issuer: str, client_id: str, nonce: str) -> dict[str, Any]:
    """Raises one of ``INVALID``, whose message may quote the token."""
    claims = jwt.decode(token, keys, registry=_SIGNED).claims
    jwt.JWTClaimsRegistry(
        leeway=LEEWAY,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": client_id},
        azp={"value": client_id},
        nonce={"essential": True, "value": nonce},
        sub={"essential": True},
        exp={"essential": True},
        iat={"essential": True},
    ).validate(claims)
    if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and "azp" not in claims:
        raise MissingClaimError("azp")
    return claims
