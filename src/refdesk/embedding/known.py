"""What a search has to know of the models that Refdesk runs itself; ``models`` has the rest."""

from __future__ import annotations

from typing import NamedTuple

from refdesk.embedding.model import Fingerprint


class Known(NamedTuple):
    """``on_topic`` and ``off_topic`` are median cosines of the best passage: one that answers the question,
    and one of another subject (``calibration`` says how they are measured)."""

    on_topic: float
    off_topic: float
    latin_only: bool = False


KNOWN = {
    "bge-small-en-v1.5": Known(on_topic=0.77, off_topic=0.56, latin_only=True),
    "multilingual-e5-small": Known(on_topic=0.87, off_topic=0.81),
}


def known(fingerprint: Fingerprint) -> Known | None:
    return KNOWN.get(fingerprint.model) if fingerprint.provider == "local" else None
