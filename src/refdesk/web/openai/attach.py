"""A file that was uploaded becomes a document of a base, under its own id."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryFile

from fastapi import Request

from refdesk.desk import Desk
from refdesk.desk.bases import Base
from refdesk.errors import NotFound, UsageError
from refdesk.results.documents import Document
from refdesk.web.openai.held import Held, HeldFile


def held_by(request: Request) -> Held:
    held: Held = request.app.state.held
    return held


def attach(
    desk: Desk, held: Held, base: Base, file: str, metadata: Mapping[str, str] | None = None
) -> Document:
    """What is in the base already is left as it is. A file that is refused can be tried elsewhere. Raises
    ``Refusal``, ``NotFound``, and ``UsageError`` (``wrong_state``) where another base has it."""
    project = desk.principal.project
    taken = held.files.take(project, file)
    if taken is None:
        return _there(desk, base, file)
    try:
        return _upload(base, taken, metadata)
    except BaseException:
        held.files.put(project, taken)
        raise


def of_base(desk: Desk, base: Base, file: str) -> Document:
    document = desk.documents.get(file)
    if document.base != base.name:
        raise NotFound(f"There is no file {file[:80]!r} in {base.id}.")
    return document


def _there(desk: Desk, base: Base, file: str) -> Document:
    document = desk.documents.find(file)
    if document is None:
        raise NotFound(
            f"There is no file {file[:80]!r}: one that no store has taken is kept for an hour, by the "
            "server that received it. Upload it again."
        )
    if document.base != base.name:
        raise UsageError(
            f"File {file[:80]!r} is in another vector store, and a file is in one alone: upload it again.",
            code="wrong_state",
        )
    return document


def _upload(base: Base, file: HeldFile, metadata: Mapping[str, str] | None) -> Document:
    with TemporaryFile() as opened:
        opened.write(file.content)
        opened.flush()
        path = Path(f"/dev/fd/{opened.fileno()}")
        return base.upload(path, file.name, declared_type=file.declared_type, metadata=metadata, id=file.id)
