"""Which detectors look for which class."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from refdesk.screening.credentials import DETECTORS as CREDENTIALS
from refdesk.screening.model import Detector, FindingClass, Spotted
from refdesk.screening.personal import DETECTORS as PERSONAL

DETECTORS: dict[FindingClass, tuple[Detector, ...]] = {**CREDENTIALS, **PERSONAL}


def detect(text: str, classes: Collection[FindingClass]) -> Iterator[Spotted]:
    """Everything of ``classes`` in the text, in no order; spans may overlap."""
    for cls in classes:
        for detector in DETECTORS[cls]:
            yield from detector(text)
