"""What the settings say of the provider, and of this desk as it is registered there."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from pydantic import SecretStr

from refdesk.errors import UsageError
from refdesk.settings import Settings

CALLBACK = "/console/oidc/callback"


@dataclass(frozen=True, slots=True)
class Registration:
    """Without ``client_secret`` the desk is a public client, which PKCE alone protects."""

    issuer: str
    name: str
    client_id: str
    client_secret: SecretStr | None = field(repr=False)
    scopes: str
    redirect_uri: str


def registration(settings: Settings) -> Registration:
    """Raises ``UsageError``, which names the setting."""
    issuer = _address("REFDESK_OIDC_ISSUER", settings.oidc_issuer)
    public = _address("REFDESK_PUBLIC_URL", settings.public_url)
    if urlsplit(public).path not in {"", "/"}:
        raise UsageError(f"REFDESK_PUBLIC_URL is {public}, with a path: the console stands at a host's root.")
    if not settings.oidc_client_id:
        raise UsageError("REFDESK_OIDC_ISSUER is set, and REFDESK_OIDC_CLIENT_ID is not: set both.")
    if "openid" not in settings.oidc_scopes.split():
        raise UsageError(f"REFDESK_OIDC_SCOPES is {settings.oidc_scopes!r}, without `openid`: add it.")
    return Registration(
        issuer=issuer,
        name=settings.oidc_name or urlsplit(issuer).hostname or issuer,
        client_id=settings.oidc_client_id,
        client_secret=settings.oidc_client_secret,
        scopes=settings.oidc_scopes,
        redirect_uri=public.rstrip("/") + CALLBACK,
    )


def is_web_address(text: str) -> bool:
    """http or https, a host, a port that can be, and no name and password within."""
    try:
        parts = urlsplit(text)
        return (
            parts.scheme in {"http", "https"}
            and bool(parts.hostname)
            and "@" not in parts.netloc
            and (parts.port is None or parts.port > 0)
        )
    except ValueError:
        return False


def _address(setting: str, text: str | None) -> str:
    if text is None:
        raise UsageError(f"REFDESK_OIDC_ISSUER is set, and {setting} is not: set both.")
    if not is_web_address(text) or "?" in text or "#" in text:
        raise UsageError(f"{setting} is {text!r}, which is no address: write https:// and a host.")
    return text
