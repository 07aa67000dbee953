"""Provider accounts as their users see them: whom texts are sent to, to become vectors or answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from pydantic import SecretStr

from refdesk.catalog.accounts import AccountRow
from refdesk.desk.models import check_account, try_account
from refdesk.embedding.accounts import READY
from refdesk.embedding.services import DEFAULT_MODELS, Purpose, Service, as_provider
from refdesk.errors import RefdeskError, UsageError
from refdesk.ids import new_id
from refdesk.results.accounts import Account

if TYPE_CHECKING:
    from refdesk.desk.parts import Parts


class Accounts:
    """A secret goes in and never comes out."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def create(
        self,
        name: str,
        provider: str,
        *,
        purpose: Purpose = "embeddings",
        model: str | None = None,
        secret: SecretStr | str | None = None,
        dimensions: int | None = None,
        base_url: str | None = None,
        region: str | None = None,
        question_prefix: str = "",
        passage_prefix: str = "",
    ) -> Account:
        """Asks nobody yet: ``verify`` does. ``model`` of one for answers is what it is tried with; asked is
        any, as ``NAME:model``. Bedrock's secret is ``ACCESS_KEY_ID:SECRET_ACCESS_KEY``, with
        ``:SESSION_TOKEN`` where there is one. Raises ``UsageError``; ``Refusal`` (``host_not_allowed``)."""
        self._parts.authorize("account.write")
        known = as_provider(provider)
        usual = DEFAULT_MODELS.get(known, "") if purpose == "embeddings" else ""
        service = Service(
            provider=known,
            model=model or usual,
            dimensions=dimensions,
            base_url=base_url,
            region=region,
            question_prefix=question_prefix,
            passage_prefix=passage_prefix,
        )
        if name.strip() in self._parts.house.embedders.ready():
            raise UsageError(
                f"{name.strip()!r} is an account that is ready: choose another name.", code="name_taken"
            )
        made = new_id("acc")
        sealed = self._checked_and_sealed(made, purpose, service, secret)
        parts = self._parts
        row = parts.catalog.accounts.create(
            parts.project, made, name, service, purpose=purpose, secret=sealed, actor=parts.actor
        )
        return _account(row)

    def list(self) -> Sequence[Account]:
        """Those that are ready, then the project's in the order that they came."""
        self._parts.authorize("account.read")
        rows = self._parts.catalog.accounts.all(self._parts.project)
        return [*map(self._ready, self._parts.house.embedders.ready()), *map(_account, rows)]

    def get(self, name_or_id: str) -> Account:
        self._parts.authorize("account.read")
        return self._found(name_or_id)

    def verify(self, name_or_id: str) -> Account:
        """Sends one short text of ours, or asks one short question. What comes of it is the account's
        ``state``, ``error`` the provider's own sentence."""
        self._parts.authorize("account.verify")
        if name_or_id in self._parts.house.embedders.ready():
            return self._ready(name_or_id)
        parts = self._parts
        row = parts.catalog.accounts.get(parts.project, name_or_id)
        try:
            dimensions, sealed = self._tried(row)
        except RefdeskError as error:
            parts.catalog.accounts.failed(row, error.message, parts.actor)
        else:
            parts.catalog.accounts.verified(row, dimensions, sealed, parts.actor)
        return self._found(row.id)

    def update(
        self, name_or_id: str, *, name: str | None = None, secret: SecretStr | str | None = None
    ) -> Account:
        """Another secret has to be verified again; what else an account says stays, for its vectors could
        not be compared with those of another."""
        self._parts.authorize("account.write")
        parts = self._parts
        row = self._made(name_or_id)
        if secret is not None:
            sealed = self._checked_and_sealed(row.id, row.purpose, row.service, secret)
            parts.catalog.accounts.set_secret(row.id, sealed, parts.actor)
        if name is not None:
            parts.catalog.accounts.rename(row, name, parts.actor)
        return self._found(row.id)

    def delete(self, name_or_id: str) -> None:
        """Raises ``UsageError`` (``account_in_use``) naming the bases that use it."""
        self._parts.authorize("account.write")
        self._parts.catalog.accounts.delete(self._made(name_or_id), self._parts.actor)

    def _tried(self, row: AccountRow) -> tuple[int | None, str | None]:
        """The dimensions, and the secret sealed anew: by the first key, where there are several."""
        dimensions = None
        if row.purpose == "answers":
            try_account(self._parts, row)
        else:
            dimensions = self._measured(row)
        if row.secret is None:
            return dimensions, None
        vault = self._parts.house.vault
        return dimensions, vault.seal(vault.open(row.secret, row.id), row.id)

    def _measured(self, row: AccountRow) -> int:
        from refdesk.embedding.opened import measured
        from refdesk.outgoing.patience import Patience

        return measured(self._parts.house.embedders.service(row, Patience(request=15.0, question=15.0)))

    def _checked_and_sealed(
        self, account: str, purpose: Purpose, service: Service, secret: SecretStr | str | None
    ) -> str | None:
        from refdesk.embedding.opened import service_embedder
        from refdesk.embedding.service import secret as checked

        key = None if secret is None else checked(secret, "secret")
        if purpose == "answers":
            check_account(self._parts, service, key)
        else:
            service_embedder(service, key, self._parts.house.embedders.outgoing)
        return None if key is None else self._parts.house.vault.seal(key, account)

    def _found(self, name_or_id: str) -> Account:
        if name_or_id in self._parts.house.embedders.ready():
            return self._ready(name_or_id)
        return _account(self._parts.catalog.accounts.get(self._parts.project, name_or_id))

    def _made(self, name_or_id: str) -> AccountRow:
        if name_or_id in READY or name_or_id in self._parts.house.embedders.ready():
            raise UsageError(
                f"The account {name_or_id!r} was made by nobody: it is ready where its model is."
            )
        return self._parts.catalog.accounts.get(self._parts.project, name_or_id)

    def _ready(self, name: str) -> Account:
        fingerprint = self._parts.house.embedders.get(name).fingerprint
        return Account(
            id=name,
            name=name,
            purpose="embeddings",
            provider=fingerprint.provider,
            model=fingerprint.model,
            dimensions=fingerprint.dimensions,
            base_url=None,
            region=None,
            question_prefix=fingerprint.question_prefix,
            passage_prefix=fingerprint.passage_prefix,
            state="verified",
            error=None,
            created_at=None,
            verified_at=None,
        )


def _account(row: AccountRow) -> Account:
    return Account(
        id=row.id,
        name=row.name,
        purpose=row.purpose,
        **asdict(row.service),
        state=row.state,
        error=row.error,
        created_at=row.created_at,
        verified_at=row.verified_at,
    )
