"""Requests to other machines: where they may go, and one exchange that goes there and nowhere else."""

from refdesk.outgoing.exchange import Answer, Exchange, TooLarge
from refdesk.outgoing.hosts import NotAsked, Outgoing

__all__ = ["Answer", "Exchange", "NotAsked", "Outgoing", "TooLarge"]
