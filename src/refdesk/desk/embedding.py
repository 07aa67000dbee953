"""Which embedding account a base has: one that was chosen, the policy's, or the deployment's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refdesk.catalog.asked import Located
from refdesk.desk.parts import Parts
from refdesk.embedding.accounts import READY
from refdesk.errors import UsageError
from refdesk.index.analysis import VERSION
from refdesk.ingest.settings import IndexSettings

if TYPE_CHECKING:
    from refdesk.catalog.bases import BaseRow


def checked_account(parts: Parts, account: str | None) -> str | None:
    """The id of an account, given by name or id, that a base may have. Raises ``NotFound``, ``UsageError``
    (``account_unverified``, ``account_fixed``), and ``Failed`` where a ready account's model is not here."""
    found = account if account is None else _usable(parts, account)
    if parts.one_model and found != parts.default_account():
        fixed = parts.default_account()
        raise UsageError(
            f"The policy {parts.policy.name} has one embedding model a deployment, the account "
            f"{fixed or 'none'}: leave the base's account out.",
            code="account_fixed",
            limit=fixed,
            actual=account,
        )
    return found


def _usable(parts: Parts, account: str) -> str:
    embedders = parts.house.embedders
    if account in READY or embedders.is_ready(account):
        embedders.get(account)
        return account
    row = parts.catalog.accounts.get(parts.project, account)
    if row.purpose != "embeddings":
        raise UsageError(f"The account {row.name} is for answers: a base takes one for embeddings.")
    if row.state != "verified":
        raise UsageError(
            f"The account {row.name} is {row.state}, and a base takes a verified one: "
            f"run `refdesk accounts verify {row.id}`.",
            code="account_unverified",
            limit="verified",
            actual=row.state,
        )
    return row.id


def account_in_force(parts: Parts, base: Located) -> str | None:
    """The account that a question to the base is asked with; ``None``: it is searched by keyword."""
    if base.embedding_account_id is None:
        return None
    return parts.default_account() if parts.one_model else base.embedding_account_id


def reindex(parts: Parts, base: BaseRow) -> int:
    """Every document that is not fully indexed, with the account that the base has or that it follows."""
    follows = base.follows_policy or parts.one_model
    account = (parts.default_account() if follows else None) or base.embedding_account_id
    return index_by(parts, base, account, follows_policy=follows)


def index_by(parts: Parts, base: BaseRow, account: str | None, *, follows_policy: bool) -> int:
    """Queues what the account leaves to do: every document where it, its model or the analyzer is another
    than they were indexed with, else those that failed. Vectors that exist are reused (ING6)."""
    settings = IndexSettings(parts.index(base.id))
    fingerprint = None if account is None else parts.embedder(account).fingerprint.key
    turned = account != base.embedding_account_id
    if turned or (fingerprint is not None and fingerprint != settings.fingerprint):
        # before the account: a worker that still has the old one is refused what it would put
        settings.turn_to(fingerprint)
        turned = True
    parts.catalog.bases.set_embedding_account(base.id, account, follows_policy=follows_policy)
    every = turned or settings.analyzer != VERSION
    documents = parts.catalog.documents.of_base(base.id)
    queued = parts.catalog.documents.requeue(
        [row.id for row in documents if every or row.state == "failed"],
        keep_live=parts.policy.ingestion.while_reprocessing == "keep",
        also_in_work=turned,
    )
    settings.set_analyzer(VERSION)  # last: broken off before, the next call queues them all again
    return queued
