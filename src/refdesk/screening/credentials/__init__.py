"""Credentials in every shape that people write them, and private keys."""

from __future__ import annotations

from collections.abc import Iterator

from refdesk.screening.credentials.assignments import assigned
from refdesk.screening.credentials.commands import in_commands
from refdesk.screening.credentials.connections import in_connections
from refdesk.screening.credentials.files import in_files
from refdesk.screening.credentials.headers import in_headers
from refdesk.screening.credentials.logins import signed_in
from refdesk.screening.credentials.nouns import nouns
from refdesk.screening.credentials.pem import private_keys
from refdesk.screening.credentials.prose import told
from refdesk.screening.credentials.providers import tokens
from refdesk.screening.credentials.tables import in_tables
from refdesk.screening.model import Detector, FindingClass, Spotted
from refdesk.screening.small import Small


def credentials(text: str) -> Iterator[Spotted]:
    lowered = Small(text)
    yield from tokens(text)
    named = list(nouns(text, lowered.text))
    for noun in named:
        yield from list(assigned(text, noun)) or told(text, noun)
    yield from signed_in(text, lowered)
    yield from in_tables(text, named)
    yield from in_connections(text, lowered)
    yield from in_headers(text, lowered)
    yield from in_commands(text, lowered)
    yield from in_files(text, lowered)


DETECTORS: dict[FindingClass, tuple[Detector, ...]] = {
    "private_key": (private_keys,),
    "credential": (credentials,),
}
