"""Pays what deletions, replacements and broken-off uploads owe. Every step may be repeated."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from refdesk.catalog.asked import Removal
from refdesk.errors import RefdeskError
from refdesk.ingest.context import Context

log = logging.getLogger(__name__)


def pay(context: Context) -> None:
    """Removes what is due from index and blobs for good. A base where that fails still owes, and its error is
    raised after all others were paid."""
    due = context.catalog.removals.due()
    paid: list[Removal] = []
    trouble: RefdeskError | OSError | None = None
    for base in dict.fromkeys(removal.base for removal in due):
        debts = [removal for removal in due if removal.base == base]
        try:
            _pay(context, base, debts)
        except (RefdeskError, OSError) as error:
            trouble = trouble or error
        else:
            paid += debts
    if paid:
        context.catalog.database.tidy()
        context.catalog.removals.strike([removal.id for removal in paid if removal.final])
    if trouble is not None:
        raise trouble


def settle(context: Context) -> None:
    """As ``pay``, for a caller that has other work: what cannot be removed now waits for the next start."""
    try:
        pay(context)
    except (RefdeskError, OSError) as error:
        log.warning("removals unpaid cause=%s", type(error).__name__)


def _pay(context: Context, base: str, debts: Sequence[Removal]) -> None:
    """The debts of one base."""
    removals, index = context.catalog.removals, context.index(base)
    if removals.has_base(base):
        indexed = {removal.document for removal in debts if removal.document and not removal.upload}
        for document in indexed:
            index.drop(document, removals.oldest_version(document))
        if indexed:
            index.tidy()
    else:
        index.destroy()
    for document in dict.fromkeys(removal.document for removal in debts if removal.document):
        # listed before the catalog is asked: an upload that begins in between is in neither
        there = context.blobs.uploads(document)
        context.blobs.delete(document, there - removals.files_in_use(document))
