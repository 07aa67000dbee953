"""Retrieval quality: questions with known answers, through the product's own ingestion and search."""

from refdesk.evaluate.run import Report, evaluate

__all__ = ["Report", "evaluate"]
