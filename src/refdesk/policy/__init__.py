"""Limits and behaviours as data: one TOML file for each kind of user, one typed shape for all.

Code asks for a value (``policy.passages.size``), never which policy it is.
"""

from refdesk.policy.load import POLICIES, PolicyLine, lines_in_force, load_policy, policy_lines
from refdesk.policy.model import (
    Agents,
    Answers,
    Bases,
    Documents,
    Embedding,
    Figures,
    Ingestion,
    Passages,
    Policy,
    Screening,
    Search,
)

__all__ = [
    "POLICIES",
    "Agents",
    "Answers",
    "Bases",
    "Documents",
    "Embedding",
    "Figures",
    "Ingestion",
    "Passages",
    "Policy",
    "PolicyLine",
    "Screening",
    "Search",
    "lines_in_force",
    "load_policy",
    "policy_lines",
]
