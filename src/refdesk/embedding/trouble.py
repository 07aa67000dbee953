"""What only a service of embeddings can do wrong."""

from __future__ import annotations

from refdesk.outgoing.trouble import Trouble, unlike


def garbage(what: str) -> Trouble:
    return unlike("the embeddings asked for", what)
