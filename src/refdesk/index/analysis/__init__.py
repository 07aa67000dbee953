"""The analyzer: words of texts and questions as terms, the same for every index.

A term's first character is its kind: ``=`` the word as typed, ``~`` folded, ``^`` its stem, ``.`` a part.
"""

from refdesk.index.analysis.languages import MOST, detect_languages
from refdesk.index.analysis.model import Analyzed, Word
from refdesk.index.analysis.question import analyze_question
from refdesk.index.analysis.text import analyze

VERSION = 2
"""Part of an index's fingerprint: raise it with any change that makes other terms of the same text."""

__all__ = ["MOST", "VERSION", "Analyzed", "Word", "analyze", "analyze_question", "detect_languages"]
