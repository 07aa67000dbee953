"""Retrieval quality: questions with known answers, through the product's own ingestion and search."""

from refdesk.evaluate.compare import Difference, compare, load_run, per_query, save_run
from refdesk.evaluate.report import Means, Report
from refdesk.evaluate.run import evaluate

__all__ = ["Difference", "Means", "Report", "compare", "evaluate", "load_run", "per_query", "save_run"]
