"""What a base is called: a model reads its name beside its passages, so it is cleaned as they are."""

from __future__ import annotations

from refdesk.ids import is_id
from refdesk.screening.clean import clean_text


def as_stored(name_or_id: str) -> str:
    """The name that a base of this one has, made and looked up alike; an id stays."""
    return name_or_id if is_id(name_or_id, "kb") else clean_text(name_or_id)
