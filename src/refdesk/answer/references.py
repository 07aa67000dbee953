"""What was found, as references of an answer."""

from __future__ import annotations

from refdesk.answer.model import Reference, Run
from refdesk.search import Found


def references_of(found: Found) -> tuple[Reference, ...]:
    return tuple(
        Reference(
            number=hit.number,
            base=hit.base,
            document=hit.document,
            version=hit.version,
            name=hit.name,
            title=hit.title,
            source_url=hit.source_url,
            section=hit.section,
            page=hit.page,
            position=hit.position,
            text=hit.text,
            metadata=hit.metadata,
        )
        for hit in found
    )


def placed(run: Run) -> tuple[Reference, ...]:
    """The references of a run that was made or read here, which know where their passages were."""
    return tuple(one for one in run.references if isinstance(one, Reference))
