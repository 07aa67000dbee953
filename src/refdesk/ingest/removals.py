"""Pays what deletions, replacements and broken-off uploads owe. Every step may be repeated."""

from __future__ import annotations

from refdesk.catalog.removals import Removal
from refdesk.ingest.context import Context


def pay(context: Context) -> int:
    """Removes what is due from index and blobs for good; returns how many debts were struck."""
    due = context.catalog.removals.due()
    for removal in due:
        _pay(context, removal)
    for base in {removal.base for removal in due if removal.document is not None and not removal.upload}:
        if not any(removal.base == base and removal.document is None for removal in due):
            context.index(base).tidy()
    for removal in due:
        context.catalog.removals.strike(removal.id)
    if due:
        context.catalog.database.tidy()
    return len(due)


def _pay(context: Context, removal: Removal) -> None:
    if removal.document is None:
        context.index(removal.base).destroy()
        return
    if not removal.upload:
        context.index(removal.base).drop(removal.document, removal.below)
    context.blobs.delete(removal.document, context.catalog.removals.files_in_use(removal.document))
