"""A document's title: the one that somebody has set, else its own."""

from __future__ import annotations

from sqlalchemy import func

from refdesk.catalog.schema import documents

SHOWN = func.coalesce(documents.c.set_title, documents.c.title)
