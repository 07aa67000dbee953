"""What stands behind the sources of a run: their documents as they are now, and their figures."""

from __future__ import annotations

from refdesk.answer.model import Reference, Run
from refdesk.catalog.document_rows import DocumentRow
from refdesk.desk.documents import document_of
from refdesk.desk.figured import picture
from refdesk.desk.parts import Parts
from refdesk.errors import NotFound, NotPermitted
from refdesk.results.opened import OpenedDocument

GONE = "image no longer available"


def opened(parts: Parts, run: Run, number: int) -> OpenedDocument:
    """Who may read documents opens every source; whose run it is, those that its answer cites (RUN4)."""
    reference = _reference(run, number)
    _check_may_open(parts, run, number)
    row = parts.catalog.documents.find(reference.document, parts.project.id)
    text = None if row is None else parts.blobs.get(row.id, row.files, "text")
    if row is None or text is None:
        return _opened(reference, None, None, None)
    whole = text.decode()
    return _opened(reference, row, whole, _span(parts, reference, row, whole))


def figure(parts: Parts, run: Run, number: int, figure: int) -> bytes:
    """The picture that was issued, by its SHA-256: no other, whatever the document has by now (FIG5)."""
    reference = _reference(run, number)
    for one in reference.figures:
        if one.number == figure:
            webp = picture(parts, reference.document, one.sha256)
            if webp is None:
                raise NotFound(f"Figure {figure}: {GONE}.", code="figure_gone")
            return webp
    raise NotFound(f"Source {number} of this run has no figure {figure}.")


def _check_may_open(parts: Parts, run: Run, number: int) -> None:
    if parts.permits("document.read"):
        return
    if run.person != parts.principal.name:
        raise NotPermitted(
            f"The run is not {parts.principal.name}'s: its sources are opened by whose run it is, and by who "
            "may read documents."
        )
    if number not in {citation.number for citation in run.citations}:
        raise NotPermitted(f"The answer does not cite source {number}: only those that it cites are opened.")


def _reference(run: Run, number: int) -> Reference:
    for reference in run.references:
        if reference.number == number:
            assert isinstance(reference, Reference), "a desk reads them with their place"
            return reference
    raise NotFound(f"This run has no source {number}; it has {len(run.references)}.")


def _span(parts: Parts, reference: Reference, row: DocumentRow, text: str) -> tuple[int, int] | None:
    if row.indexed_version == reference.version and text.startswith(reference.text):
        return 0, len(reference.text)  # of an agent that has it whole
    if row.indexed_version is not None:
        for one in parts.index(row.base_id).document(row.id, row.indexed_version):
            same = row.indexed_version == reference.version and one.position == reference.position
            if same or one.text == reference.text:
                return one.start, one.end
    start = text.find(reference.text)
    return None if start < 0 or not reference.text else (start, start + len(reference.text))


def _opened(
    reference: Reference, row: DocumentRow | None, text: str | None, span: tuple[int, int] | None
) -> OpenedDocument:
    issued = row is not None and row.version == reference.version
    return OpenedDocument(
        state="gone" if row is None else "issued" if issued else "changed",
        number=reference.number,
        name=reference.name,
        title=reference.title,
        page=reference.page,
        section=reference.section,
        cited=reference.text,
        document=None if row is None else document_of(row),
        text=text,
        start=span[0] if span else None,
        end=span[1] if span else None,
    )
