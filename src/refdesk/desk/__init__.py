"""The product as a Python object. Every door (command line, HTTP, console, MCP) is thin over it.

from refdesk import Desk

desk = Desk.open("./desk")
handbook = desk.bases.create("Handbook")
handbook.add("policies/", "price-list.pdf", wait=True)
for hit in desk.search("when will a refund arrive?", bases=[handbook]):
    print(hit.number, hit.title, hit.locator, hit.text)

The names come on first use: a search needs one of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from refdesk.desk.agents import Agent, Agents
    from refdesk.desk.bases import Base, Bases
    from refdesk.desk.desk import Desk
    from refdesk.desk.documents import Document, DocumentFigure, Documents
    from refdesk.results.added import Added, AddedDocument

__all__ = [
    "Added",
    "AddedDocument",
    "Agent",
    "Agents",
    "Base",
    "Bases",
    "Desk",
    "Document",
    "DocumentFigure",
    "Documents",
]

_HOME = {
    "Added": "results.added",
    "AddedDocument": "results.added",
    "Agent": "results.agents",
    "Agents": "desk.agents",
    "Base": "desk.bases",
    "Bases": "desk.bases",
    "Desk": "desk.desk",
    "Document": "results.documents",
    "DocumentFigure": "results.documents",
    "Documents": "desk.documents",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"refdesk.{_HOME[name]}"), name)
