"""The product as a Python object. Every door (command line, HTTP, console, MCP) is thin over it.

from refdesk import Desk

desk = Desk.open("./desk")
handbook = desk.bases.create("Handbook")
handbook.add("policies/", "price-list.pdf", wait=True)
for hit in desk.search("when will a refund arrive?", bases=[handbook]):
    print(hit.number, hit.title, hit.locator, hit.text)
"""

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
