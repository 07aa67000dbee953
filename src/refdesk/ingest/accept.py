"""Accepting a document: read and screened while the request waits, or checked and queued (policy).

Refused means nothing is left. Accepted means that the text, and the original where the policy keeps it,
are stored and the row says ``queued``; what goes wrong from there on is ``failed``.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from refdesk.catalog.bases import BaseRow
from refdesk.catalog.common import Actor
from refdesk.catalog.document_rows import Content, DocumentRow
from refdesk.catalog.documents import Superseded
from refdesk.catalog.removals import Announced
from refdesk.errors import NotFound, Refusal, UsageError
from refdesk.ids import new_id
from refdesk.ingest.context import Context
from refdesk.ingest.kept import content_of, store_reading
from refdesk.ingest.removals import settle
from refdesk.ingest.screened import Kept, Labels, screened
from refdesk.passages import split
from refdesk.policy import Policy
from refdesk.policy.model import Kind
from refdesk.reading.kinds import Format, check_size, format_of
from refdesk.reading.model import Reading
from refdesk.reading.problem import Problem
from refdesk.reading.sniff import check_content

log = logging.getLogger(__name__)

MAX_ADDRESS = 2_000  # characters
_ADDRESS = re.compile(rf"https?://[^\s\x00-\x1f\x7f\ud800-\udfff]{{1,{MAX_ADDRESS}}}", re.IGNORECASE)

Change = Literal["added", "replaced", "unchanged"]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody wants in. ``name`` is what the person calls it (D2); ``source_url`` and
    ``metadata`` come back with every hit. ``target`` says what it becomes: a version of the base's document
    of the same name, where there is one; a new document all the same; or a version of the document with the
    id that ``target`` is. ``id`` is that of a new document, where it was given one before."""

    path: Path
    name: str
    declared_type: str | None = None
    source_url: str | None = None
    metadata: Mapping[str, str] | None = None
    target: str = "named"
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Accepted:
    document: str
    change: Change


@dataclass(frozen=True, slots=True)
class _Checked:
    """An upload that may be read; ``called`` are its labels as they may be stored, without its text. ``type``
    is what is kept of name and declared type: the document is read as that whatever it is called later."""

    upload: Upload
    kind: Kind
    type: str
    raw: bytes
    labels: Labels
    called: Labels


@dataclass(frozen=True, slots=True)
class _Read:
    """``reading`` is ``None`` where the policy reads in the queue."""

    kind: Kind
    labels: Labels
    content: Content
    reading: Reading | None
    original: bytes | None


def accept(context: Context, policy: Policy, base: BaseRow, upload: Upload, actor: Actor) -> Accepted:
    """Adds a file, or replaces the base's document of the same name (D3). Raises ``Refusal``."""
    while True:
        try:
            return _accept(context, policy, base, upload, actor)
        except Superseded:
            log.info("accept superseded base=%s", base.id)


def stored_names(policy: Policy, name: str) -> set[str]:
    """What a file called ``name`` may be called once it is cleaned and screened, with a title of its own and
    with one from its name. More is redacted only where its text says that more is secret."""
    return {screened(policy, None, Labels(name, title)).labels.name for title in ("", title_of(name))}


def accept_version(
    context: Context, policy: Policy, there: DocumentRow, upload: Upload, actor: Actor, *, keep_live: bool
) -> None:
    """Another version of this document, whatever its content. ``keep_live`` leaves the live version answering
    until the switch. Raises ``Refusal``, and ``Superseded`` where the document changed meanwhile."""
    read = _read(context, policy, _checked(policy, upload), there)
    announced = context.catalog.removals.announce(there.base_id, there.id)
    _keep(context, policy, announced, read, there, actor=actor, keep_live=keep_live)


def _accept(context: Context, policy: Policy, base: BaseRow, upload: Upload, actor: Actor) -> Accepted:
    """Raises ``Superseded`` where somebody else added, replaced or deleted the document meanwhile."""
    checked = _checked(policy, upload)
    called = checked.called
    there = _target(context, base, upload, called.name)
    if there is not None and there.content.sha256 == hashlib.sha256(checked.raw).hexdigest():
        return _unchanged(context, there, called)
    read = _read(context, policy, checked, there)
    if read.labels.name != called.name:  # what is redacted in the name was found by the text
        before, there = there, _target(context, base, upload, read.labels.name)
        if _set_title(there) != _set_title(before):
            read = _read(context, policy, checked, there)
    document = there.id if there else upload.id or new_id("doc")
    announced = context.catalog.removals.announce(base.id, document)
    _keep(context, policy, announced, read, there, actor=actor, named=upload.target == "named")
    return Accepted(announced.document, "replaced" if there else "added")


def _checked(policy: Policy, upload: Upload) -> _Checked:
    checked_source_url(upload.source_url)
    metadata = checked_metadata(policy, upload.metadata)
    form = format_of(upload.name, upload.declared_type, policy)
    labels = Labels(upload.name, title_of(upload.name), upload.source_url, metadata)
    raw = _bytes(upload.path, form.kind, policy)
    if not policy.reads_at_once:
        _check_content(form, raw)
    return _Checked(upload, form.kind, form.type, raw, labels, _screened(policy, None, labels).labels)


def title_of(name: str) -> str:
    """Of a document that has no title of its own (D2)."""
    return PurePosixPath(name).stem or name


def _keep(
    context: Context,
    policy: Policy,
    announced: Announced,
    read: _Read,
    there: DocumentRow | None,
    *,
    actor: Actor,
    named: bool = False,
    keep_live: bool = True,
) -> None:
    """Stores what was read and queues it, as ``there`` or a document of its own, which where it is ``named``
    is the only one of its name; or leaves nothing."""
    documents = context.catalog.documents
    try:
        _store(context, announced, read)
        facts = _facts(read, there)
        if there is None:
            documents.insert(policy, announced, facts, read.content, actor=actor, unless_named=named)
        else:
            documents.replace(policy, announced, there, facts, read.content, actor=actor, keep_live=keep_live)
    except BaseException:
        context.catalog.removals.withdraw(announced)
        settle(context)
        raise


def _target(context: Context, base: BaseRow, upload: Upload, name: str) -> DocumentRow | None:
    if upload.target == "new":
        return None
    if upload.target == "named":
        return context.catalog.documents.named(base.id, name)
    there = context.catalog.documents.find(upload.target, base.project_id)
    if there is None or there.base_id != base.id:
        raise NotFound(f"There is no document {upload.target!r} in base {base.name}.")
    return there


def _bytes(path: Path, kind: Kind, policy: Policy) -> bytes:
    try:
        check_size(kind, path.stat().st_size, policy)
        return path.read_bytes()
    except OSError as error:
        raise Refusal(f"The file cannot be read: {error.strerror}.", code="damaged") from None


def _check_content(form: Format, raw: bytes) -> None:
    """As reading begins; what is to be read later is known now for another kind of file than it claims."""
    try:
        check_content(form.kind, form.extension, raw)
    except Problem as problem:
        raise Refusal(problem.message, code=problem.code) from None


def checked_source_url(url: str | None) -> None:
    """It becomes a link: ``javascript:`` and the like are no address of a source."""
    if url is not None and not _ADDRESS.fullmatch(url):
        raise UsageError(
            f"The source address {url!r} is not accepted: it begins with http:// or https:// and has "
            f"at most {MAX_ADDRESS} characters without spaces.",
            code="bad_source_url",
        )


def checked_metadata(policy: Policy, metadata: Mapping[str, str] | None) -> dict[str, str] | None:
    if metadata is None:
        return None
    most, longest = policy.documents.metadata_entries, policy.documents.metadata_characters
    if len(metadata) > most:
        raise UsageError(
            f"The document has {len(metadata)} metadata entries; at most {most} are accepted.",
            code="bad_metadata",
            limit=most,
            actual=len(metadata),
        )
    for key, value in metadata.items():
        if not isinstance(value, str):
            raise UsageError(
                f"The metadata value of {key!r} is no text: metadata are flat strings.", code="bad_metadata"
            )
        if not key.strip() or max(len(key), len(value)) > longest:
            raise UsageError(
                f"Metadata keys and values have 1 to {longest} characters, and one here has "
                f"{max(len(key), len(value))}.",
                code="bad_metadata",
                limit=longest,
                actual=max(len(key), len(value)),
            )
    return dict(metadata)


def _unchanged(context: Context, there: DocumentRow, labels: Labels) -> Accepted:
    """Same name, same bytes: nothing happens but that a failed document is tried again."""
    context.catalog.documents.describe(there.id, labels.source_url, labels.metadata)
    if there.state == "failed":
        context.catalog.documents.requeue([there.id], keep_live=True)
    return Accepted(there.id, "unchanged")


def _screened(policy: Policy, reading: Reading | None, labels: Labels) -> Kept:
    kept = screened(policy, reading, labels)
    if kept.refusal is not None:
        raise kept.refusal
    return kept


def _read(context: Context, policy: Policy, checked: _Checked, there: DocumentRow | None) -> _Read:
    """``there`` is the document that it will replace, whose title stays where somebody has set it."""
    kind, raw, upload, labels = checked.kind, checked.raw, checked.upload, checked.labels
    set_title = _set_title(there)
    if not policy.reads_at_once:
        called = replace(checked.called, set_title=set_title)
        return _Read(kind, called, content_of(raw, None, checked.type), None, raw)
    reading = context.reader().read(upload.path, upload.name, upload.declared_type, policy)
    labels = replace(labels, title=reading.title or labels.title, set_title=set_title)
    kept = _screened(policy, reading, labels)
    assert kept.reading is not None
    if policy.passages.max_count is not None:  # too many passages: refused now
        split(kept.reading.text, kind, kept.reading.pages, policy.passages)
    original = raw if policy.documents.keep_original[kind] and not kept.redacted else None
    content = content_of(raw, kept.reading, checked.type)
    return _Read(kind, kept.labels, content, kept.reading, original)


def _set_title(there: DocumentRow | None) -> str | None:
    return None if there is None else there.set_title


def _store(context: Context, announced: Announced, read: _Read) -> None:
    if read.reading is not None:
        store_reading(context.blobs, announced.document, announced.files, read.reading)
    if read.original is not None:
        context.blobs.put(announced.document, announced.files, "original", read.original)


def _facts(read: _Read, there: DocumentRow | None) -> dict[str, Any]:
    """A replacement that says nothing of address or metadata leaves them as they are."""
    labels = read.labels
    url = labels.source_url if there is None or labels.source_url is not None else there.source_url
    tags = labels.metadata if there is None or labels.metadata is not None else there.metadata
    return {
        "name": labels.name,
        **labels.titles(_set_title(there)),
        "kind": read.kind,
        "source_url": url,
        "metadata": dict(tags or {}),
    }
