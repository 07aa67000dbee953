"""Provider accounts. A secret goes in and never comes out."""

from __future__ import annotations

from collections.abc import Sequence

from refdesk.client.http import Http
from refdesk.client.places import quoted
from refdesk.client.shaped import shaped
from refdesk.results.accounts import Account

_PATH = "/provider-accounts"


class Accounts:
    def __init__(self, http: Http) -> None:
        self._http = http

    def create(
        self,
        name: str,
        provider: str,
        *,
        purpose: str = "embeddings",
        model: str | None = None,
        secret: str | None = None,
        dimensions: int | None = None,
        base_url: str | None = None,
        region: str | None = None,
        question_prefix: str = "",
        passage_prefix: str = "",
    ) -> Account:
        """Asks nobody yet: ``verify`` does. Bedrock's secret is ``ACCESS_KEY_ID:SECRET_ACCESS_KEY``, with
        ``:SESSION_TOKEN`` where there is one. Raises ``UsageError``; ``Refusal`` (``host_not_allowed``)."""
        table = {
            "name": name,
            "provider": provider,
            "purpose": purpose,
            "model": model,
            "secret": secret,
            "dimensions": dimensions,
            "base_url": base_url,
            "region": region,
            "question_prefix": question_prefix,
            "passage_prefix": passage_prefix,
        }
        return shaped(Account, self._http.create(_PATH, table))

    def list(self) -> Sequence[Account]:
        """Those that are ready, and the project's."""
        return [shaped(Account, one) for one in self._http.items(_PATH)]

    def get(self, name_or_id: str) -> Account:
        return shaped(Account, self._http.get(_path(name_or_id)))

    def verify(self, name_or_id: str) -> Account:
        """Sends one short text of the server's. What comes of it is the account's ``state``, ``error`` the
        provider's own sentence."""
        return shaped(Account, self._http.post(f"{_path(name_or_id)}/verify"))

    def update(self, name_or_id: str, *, name: str | None = None, secret: str | None = None) -> Account:
        """Another secret has to be verified again."""
        given = {"name": name, "secret": secret}
        changes = {key: value for key, value in given.items() if value is not None}
        return shaped(Account, self._http.patch(_path(name_or_id), changes))

    def delete(self, name_or_id: str) -> None:
        """Raises ``UsageError`` (``account_in_use``) naming the bases that use it."""
        self._http.delete(_path(name_or_id))


def _path(name_or_id: str) -> str:
    return f"{_PATH}/{quoted(name_or_id)}"
