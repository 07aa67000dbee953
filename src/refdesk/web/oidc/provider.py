"""The provider: an address to sign in at, and who came back from it."""

from __future__ import annotations

import logging
from base64 import b64encode
from typing import Any
from urllib.parse import quote_plus, urlencode

from refdesk.errors import NotPermitted, UsageError
from refdesk.outgoing import Outgoing
from refdesk.web.oidc.asking import Asking
from refdesk.web.oidc.begun import Begun
from refdesk.web.oidc.metadata import Metadata, read
from refdesk.web.oidc.registration import Registration
from refdesk.web.oidc.tokens import INVALID, UNKNOWN_KEY, claims_of

_REFUSALS = {400, 401, 403}

log = logging.getLogger(__name__)


class Provider:
    """Raises ``Failed`` (``sign_in_unavailable``) where the provider does not answer as one."""

    def __init__(self, registration: Registration, outgoing: Outgoing) -> None:
        self._desk = registration
        self._asking = Asking(registration.name, outgoing)
        self._metadata: Metadata | None = None

    def address(self, begun: Begun) -> str:
        """Where the browser goes to sign in."""
        asked = {
            "response_type": "code",
            "client_id": self._desk.client_id,
            "redirect_uri": self._desk.redirect_uri,
            "scope": self._desk.scopes,
            "state": begun.state,
            "nonce": begun.nonce,
            "code_challenge": begun.challenge,
            "code_challenge_method": "S256",
        }
        endpoint = self._known().authorization_endpoint
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(asked)}"

    def email(self, code: str, begun: Begun) -> str:
        """The address that the provider has verified. Raises ``UsageError`` where the code is used up, and
        ``NotPermitted`` where what comes back is not accepted."""
        tokens = self._redeemed(code, begun)
        claims = self._claims(tokens["id_token"], begun)
        if not {"email", "email_verified"} <= claims.keys():
            claims = claims | self._userinfo(claims["sub"], tokens["access_token"])
        email = claims.get("email")
        if not isinstance(email, str):
            log.warning("sign-in refused: the provider gives no e-mail address")
            raise NotPermitted(
                f"{self._desk.name} gives no e-mail address for you, by which this desk knows people. "
                "Whoever runs this desk sets REFDESK_OIDC_SCOPES, or the claims that the provider gives."
            )
        verified = claims.get("email_verified")
        if verified is not True and verified != "true":  # some write it as text
            log.warning("sign-in refused: the e-mail address is not verified")
            raise NotPermitted(
                f"{self._desk.name} has not verified your e-mail address: have it verified there, then "
                "sign in again."
            )
        return email

    def _redeemed(self, code: str, begun: Begun) -> dict[str, Any]:
        metadata, headers = self._known(), {}
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._desk.redirect_uri,
            "client_id": self._desk.client_id,
            "code_verifier": begun.verifier,
        }
        if self._desk.client_secret is not None:
            secret = self._desk.client_secret.get_secret_value()
            if metadata.secret_in_body:
                form["client_secret"] = secret
            else:
                headers["Authorization"] = _basic(self._desk.client_id, secret)
        status, tokens = self._asking.ask("POST", metadata.token_endpoint, headers, data=form)
        if status in _REFUSALS and tokens.get("error") == "invalid_grant":
            raise UsageError("This sign-in was finished before, or took too long. Sign in again.")
        if status != 200:
            raise self._asking.trouble(
                f"did not accept this desk ({status}): see REFDESK_OIDC_CLIENT_ID and _SECRET"
            )
        if not all(isinstance(tokens.get(name), str) for name in ("id_token", "access_token")):
            raise self._asking.trouble("answered without a token")
        return tokens

    def _claims(self, token: str, begun: Begun) -> dict[str, Any]:
        try:
            try:
                return self._verified(token, self._known(), begun)
            except UNKNOWN_KEY:
                return self._verified(token, self._read(), begun)
        except INVALID as error:
            # by type and claim: a message may quote the token
            log.warning("sign-in refused: %s %s", type(error).__name__, getattr(error, "claim", ""))
            raise NotPermitted(
                f"What {self._desk.name} says of you is not accepted: it is not signed by its keys, not "
                "meant for this desk and this sign-in, or too old. Sign in again."
            ) from None

    def _verified(self, token: str, metadata: Metadata, begun: Begun) -> dict[str, Any]:
        ours = self._desk.client_id
        return claims_of(token, metadata.keys, issuer=metadata.issuer, client_id=ours, nonce=begun.nonce)

    def _userinfo(self, subject: str, access: str) -> dict[str, Any]:
        """Claims that are not in the ID token. Empty where there are none, or they are somebody else's."""
        endpoint = self._known().userinfo_endpoint
        if endpoint is None:
            return {}
        status, claims = self._asking.ask("GET", endpoint, {"Authorization": f"Bearer {access}"})
        return claims if status == 200 and claims.get("sub") == subject else {}

    def _known(self) -> Metadata:
        metadata = self._metadata
        return metadata if metadata is not None and metadata.is_fresh else self._read()

    def _read(self) -> Metadata:
        self._metadata = read(self._asking, self._desk.issuer)
        return self._metadata


def _basic(client_id: str, secret: str) -> str:
    """RFC 6749, 2.3.1: both are encoded as in a form first."""
    return "Basic " + b64encode(f"{quote_plus(client_id)}:{quote_plus(secret)}".encode()).decode()
