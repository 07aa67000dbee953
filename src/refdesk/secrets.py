"""Secrets at rest: AES-256-GCM under a key that is kept apart from them.

A sealed secret is bound to its place (the id of what it belongs to), so that nobody who can write to the
database moves it to an address of their own. The key is made of ``REFDESK_SECRET_KEY``: several, separated by
commas, all open, and the first seals. Without it the key is a file in the home that only its owner may read.
"""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.errors import Failed

if TYPE_CHECKING:
    from pydantic import SecretStr

KEY_FILE = "secret.key"
KEY_CHARACTERS = 32
"""A key has at least so many: shorter ones could be tried out."""

_FORMAT = "v1."
_NONCE = 12  # bytes
_PURPOSE = b"refdesk secrets v1"


class Vault:
    """Nothing is read, and no key is made, before the first secret."""

    def __init__(self, home: Path, keys: SecretStr | None = None) -> None:
        self._file = home / KEY_FILE
        self._given = keys

    def seal(self, secret: SecretStr, place: str) -> str:
        """Raises ``Failed`` (``secret_key``) where the key is no key or its file cannot be written."""
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 30 ms, and a search opens none

        nonce = os.urandom(_NONCE)
        key = _derived(self._keys(make=True)[0])
        sealed = AESGCM(key).encrypt(nonce, secret.get_secret_value().encode(), place.encode())
        return _FORMAT + base64.urlsafe_b64encode(nonce + sealed).decode()

    def open(self, sealed: str, place: str) -> SecretStr:
        """Raises ``Failed`` (``secret_key``) where no key opens it."""
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from pydantic import SecretStr

        keys = self._keys(make=False)
        raw = _raw(sealed)
        for key in keys:
            try:
                opened = AESGCM(_derived(key)).decrypt(raw[:_NONCE], raw[_NONCE:], place.encode())
            except (InvalidTag, ValueError):
                continue
            return SecretStr(opened.decode())
        raise Failed(
            f"The secret of {place} does not open with {self._where()}: it was sealed with another key. "
            "Bring that key back, or give the secret again.",
            code="secret_key",
        )

    def _keys(self, *, make: bool) -> Sequence[str]:
        if self._given is not None:
            return _checked(self._given.get_secret_value().split(","))
        if make and not self._file.exists():
            self._make_file()
        try:
            return _checked([self._file.read_text("ascii")])
        except (OSError, UnicodeDecodeError):
            raise Failed(
                f"There are secrets here and no key to open them: REFDESK_SECRET_KEY is not set, and "
                f"{self._file} cannot be read. Bring the key back, or give the secrets again.",
                code="secret_key",
            ) from None

    def _where(self) -> str:
        return str(self._file) if self._given is None else "REFDESK_SECRET_KEY"

    def _make_file(self) -> None:
        """Written in full before it has its name: another process may want it at the same time."""
        import secrets  # both are needed once in the life of a home
        import tempfile

        try:
            handle, name = tempfile.mkstemp(dir=self._file.parent)  # 0600
            try:
                with os.fdopen(handle, "w") as file:
                    file.write(secrets.token_urlsafe(KEY_CHARACTERS))
                    file.flush()
                    os.fsync(file.fileno())
                os.link(name, self._file)
            finally:
                Path(name).unlink()
        except FileExistsError:
            return  # another process was first
        except OSError as error:
            raise Failed(
                f"The key for secrets cannot be written to {self._file}: {error.strerror}.", code="secret_key"
            ) from None


def _checked(keys: Sequence[str]) -> Sequence[str]:
    kept = [key.strip() for key in keys]
    shortest = min(map(len, kept))
    if shortest < KEY_CHARACTERS:
        raise Failed(
            f"A key for secrets has at least {KEY_CHARACTERS} characters, and one here has {shortest}: "
            "`openssl rand -hex 32` makes one.",
            code="secret_key",
            limit=KEY_CHARACTERS,
            actual=shortest,
        )
    return kept


def _derived(key: str) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), 32, salt=None, info=_PURPOSE).derive(key.encode())


def _raw(sealed: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(sealed.removeprefix(_FORMAT))
    except (ValueError, binascii.Error):
        return b""
