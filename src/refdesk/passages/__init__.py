"""Text → passages: sections, pages, tables and sentences kept whole where they fit."""

from refdesk.passages.model import SECTION_SEPARATOR, Passage, section_path
from refdesk.passages.split import split
from refdesk.passages.tokens import count_tokens

__all__ = ["SECTION_SEPARATOR", "Passage", "count_tokens", "section_path", "split"]
