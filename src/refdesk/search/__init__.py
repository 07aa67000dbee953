"""A question to found passages: two halves, one ranking, a deadline."""

from refdesk.search.halves import Meaning, Searched
from refdesk.search.model import Found, Hit, QuestionWord
from refdesk.search.search import search

__all__ = ["Found", "Hit", "Meaning", "QuestionWord", "Searched", "search"]
