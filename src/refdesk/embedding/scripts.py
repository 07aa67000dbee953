"""Which questions a model was not trained to read, by their script; and whether it knows many languages."""

from __future__ import annotations

from refdesk.embedding.known import known
from refdesk.embedding.model import Fingerprint

_LATIN_ENDS = "\u0250"


def reads(fingerprint: Fingerprint, question: str) -> bool:
    """Whether at least half of the letters are of a script that the model knows; a model that is not in our
    table is taken to know all. Other languages in Latin letters are left to what they share with English."""
    if multilingual(fingerprint):
        return True
    letters = [character for character in question if character.isalpha()]
    return 2 * sum(character < _LATIN_ENDS for character in letters) >= len(letters)


def multilingual(fingerprint: Fingerprint) -> bool:
    """So is a model taken to be that is not in our table."""
    model = known(fingerprint)
    return model is None or not model.latin_only
