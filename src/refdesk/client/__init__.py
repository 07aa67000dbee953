"""A desk that runs elsewhere, over HTTP: the methods of ``Desk`` with the same arguments, results and errors.

from refdesk import Client

with Client("https://desk.example.com", key) as client:
    handbook = client.bases.create("Handbook")
    handbook.add("policies/", wait=True)
    for hit in client.search("when will a refund arrive?", bases=[handbook]):
        print(hit.number, hit.title, hit.locator, hit.text)
"""

from refdesk.client.bases import Base, Bases
from refdesk.client.client import Client
from refdesk.client.documents import Documents, Passage

__all__ = ["Base", "Bases", "Client", "Documents", "Passage"]
