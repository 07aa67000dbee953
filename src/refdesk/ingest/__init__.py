"""From a file to findable passages: acceptance, the steps of the queue, and what deletions still owe."""

from refdesk.ingest.accept import Accepted, Upload, accept, checked_metadata
from refdesk.ingest.context import Context
from refdesk.ingest.removals import pay
from refdesk.ingest.worker import Worker

__all__ = ["Accepted", "Context", "Upload", "Worker", "accept", "checked_metadata", "pay"]
