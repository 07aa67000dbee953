"""Files over the wire, streamed from where they are, as ``add`` of a desk takes them (D3, D5)."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BufferedReader
from pathlib import Path
from typing import Any, NamedTuple

from refdesk.client.http import Http, json_of
from refdesk.client.places import quoted
from refdesk.errors import NotFound, Refusal
from refdesk.files import Named, collect
from refdesk.results.added import Added, AddedDocument, screened_notes

Progress = Callable[[str, str, int, int], None]
"""``(stage, name, done, total)``: documents for ``read``, which is their upload, and for ``index``."""

_UNFINISHED = ("queued", "indexing")
_FIRST_LOOK, _SLOWER, _LAST_LOOK = 0.2, 1.5, 2.0  # seconds between looks, and how they grow

Labels = Mapping[str, Any]


def silent(stage: str, name: str, done: int, total: int) -> None:
    """Progress that nobody watches."""


def add(
    http: Http, base: str, paths: Sequence[str | Path], *, wait: bool, labels: Labels, progress: Progress
) -> Added:
    started = time.monotonic()
    collected = collect(paths)
    added: list[_Added] = []
    for number, file in enumerate(collected.files, start=1):
        added.append(_added(http, base, file, labels))
        progress("read", file.name, number, len(collected.files))
    if wait:
        added = _finished(http, base, added, progress)
    notes = [*collected.notes(), *screened_notes((one.name, one.notes) for one in added)]
    return Added([one.document for one in added], time.monotonic() - started, notes)


def sent(
    http: Http,
    base: str,
    file: Named,
    labels: Labels,
    *,
    declared_type: str | None = None,
    replaces: str | None = None,
    same_name: str | None = None,
) -> tuple[Mapping[str, Any], str]:
    """The document as the server shows it, and what changed. Raises ``Refusal``, also where the file cannot
    be read here."""
    where = f"{base}/documents"
    method = "POST" if replaces is None else "PUT"
    address = where if replaces is None else f"{where}/{quoted(replaces)}"

    def opened() -> Any:
        return _opened(file.path)

    query = {"name": file.name, "same_name": same_name, **labels}
    response = http.upload(method, address, opened, declared_type, **query)
    return json_of(response), response.headers.get("document-change", "replaced")


@contextmanager
def _opened(path: Path) -> Iterator[BufferedReader]:
    try:
        file = path.open("rb")
    except OSError as error:
        raise Refusal(f"The file cannot be read: {error.strerror}.", code="damaged") from None
    with file:
        yield file


class _Added(NamedTuple):
    """With the name and the notes that the document has on the server."""

    document: AddedDocument
    name: str
    notes: Sequence[str]


def _added(http: Http, base: str, file: Named, labels: Labels) -> _Added:
    try:
        table, change = _put(http, base, file, labels)
    except Refusal as refusal:
        refused = AddedDocument(None, file.name, "refused", None, refusal.code, refusal.message, None)
        return _Added(refused, file.name, ())
    told = {key: table[key] for key in ("id", "state", "code", "error", "passages")}
    return _Added(AddedDocument(name=file.name, change=change, **told), table["name"], table["notes"])


def _put(http: Http, base: str, file: Named, labels: Labels) -> tuple[Mapping[str, Any], str]:
    """The document, and whether it was added, replaced or found unchanged. What the server has is not sent
    again, unless it may be of use: to a document that failed, or with what it is labelled."""
    there = list(http.items(f"{base}/documents", name=file.name))
    labelled = any(value is not None for value in labels.values())
    known = bool(there) and not labelled and there[-1]["state"] != "failed"
    if known and _same_bytes(http, base, file, there[-1]["id"]):
        return there[-1], "unchanged"
    return sent(http, base, file, labels, same_name="replace")


def _same_bytes(http: Http, base: str, file: Named, document: str) -> bool:
    with _opened(file.path) as content:
        sha256 = hashlib.file_digest(content, "sha256").hexdigest()
    same = http.items(f"{base}/documents", name=file.name, sha256=sha256)
    return any(one["id"] == document for one in same)


def _finished(http: Http, base: str, added: Sequence[_Added], progress: Progress) -> list[_Added]:
    """As they are when none is queued or in work any more."""
    ours = {one.document.id for one in added if one.document.state in _UNFINISHED}
    waiting, look = ours, _FIRST_LOOK
    while waiting:
        waiting = waiting & {one["id"] for one in http.items(f"{base}/documents", state=_UNFINISHED)}
        progress("index", "", len(ours) - len(waiting), len(ours))
        if waiting:
            time.sleep(look)
            look = min(look * _SLOWER, _LAST_LOOK)
    return [_now(http, base, one) if one.document.id in ours else one for one in added]


def _now(http: Http, base: str, one: _Added) -> _Added:
    try:
        table = http.get(f"{base}/documents/{quoted(str(one.document.id))}")
    except NotFound:
        gone = replace(one.document, state="failed", code="not_found", error="It was deleted meanwhile.")
        return one._replace(document=gone)
    now = replace(one.document, **{key: table[key] for key in ("state", "code", "error", "passages")})
    return _Added(now, table["name"], table["notes"])
