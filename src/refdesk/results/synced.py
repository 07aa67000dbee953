"""What came of making a base equal a folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from refdesk.results.added import AddedDocument


@dataclass(frozen=True, slots=True)
class Synced:
    """By name; ``renamed``: the old name and the new. ``documents`` are the files that were sent in, also
    those that were refused: of these the base keeps what it had."""

    added: Sequence[str]
    replaced: Sequence[str]
    renamed: Sequence[tuple[str, str]]
    deleted: Sequence[str]
    unchanged: Sequence[str]
    documents: Sequence[AddedDocument]
    seconds: float
    notes: Sequence[str] = field(default=())

    @property
    def refused(self) -> Sequence[AddedDocument]:
        return [document for document in self.documents if document.state == "refused"]

    @property
    def failed(self) -> bool:
        return any(document.state == "failed" for document in self.documents)

    def to_dict(self) -> dict[str, Any]:
        """How many of each; ``refused`` where any was."""
        counts: dict[str, Any] = {
            "added": len(self.added),
            "replaced": len(self.replaced),
            "renamed": len(self.renamed),
            "deleted": len(self.deleted),
            "unchanged": len(self.unchanged),
        }
        if self.refused:
            counts["refused"] = [document.to_dict() for document in self.refused]
        return counts
