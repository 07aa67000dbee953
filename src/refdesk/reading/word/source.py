"""What all stories of one document share while they are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from refdesk.reading.word.container import Package
from refdesk.reading.word.images import Images
from refdesk.reading.word.length import Length
from refdesk.reading.word.notes import Notes
from refdesk.reading.word.numbering import Numbering
from refdesk.reading.word.remarks import Remarks
from refdesk.reading.word.styles import Styles


@dataclass(slots=True)
class Source:
    """``length`` counts the text before it is written as Markdown."""

    package: Package
    styles: Styles
    numbering: Numbering
    notes: Notes
    images: Images
    length: Length
    remarks: Remarks = field(default_factory=Remarks)
