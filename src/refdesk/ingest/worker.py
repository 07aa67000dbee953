"""A worker: claims a document's version, makes it findable, and switches it live."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from refdesk.catalog.claims import Claim
from refdesk.catalog.documents import Content
from refdesk.embedding.model import Vector
from refdesk.errors import Failed, RefdeskError, Refusal
from refdesk.index.analysis import VERSION
from refdesk.index.model import Index
from refdesk.ingest.context import Context, Progress, silent
from refdesk.ingest.heartbeat import Heartbeat, LostClaim
from refdesk.ingest.kept import content_of, store_reading
from refdesk.ingest.removals import settle
from refdesk.ingest.screened import Labels, screened
from refdesk.ingest.settings import IndexSettings, languages_of
from refdesk.ingest.steps import Prepared, embed, entries, prepare
from refdesk.passages import split
from refdesk.policy import Policy, load_policy
from refdesk.reading.model import Page

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Source:
    """What of a version is indexed."""

    title: str
    text: str
    content: Content


def worker_name(process: int) -> str:
    """Of a process that is one worker and nothing else."""
    return f"{socket.gethostname()}:{process}"


class Worker:
    def __init__(self, context: Context, project: str | None = None, name: str | None = None) -> None:
        """``project`` limits the work to one project's documents."""
        self._context = context
        self._project = project
        self._name = name or f"{worker_name(os.getpid())}:{id(self):x}"

    def run_one(self, progress: Progress = silent) -> bool:
        """Does one document of the queue; ``False`` where none can be claimed."""
        queue = self._context.catalog.queue
        claim = queue.claim(self._name, self._project)
        if claim is None:
            return False
        try:
            with Heartbeat(queue, claim) as heart:
                self._do(claim, load_policy(claim.policy, claim.overrides), heart, progress)
        except LostClaim:
            self._lost(claim)
        except RefdeskError as error:
            self._fail(claim, error)
        except (KeyboardInterrupt, SystemExit):
            if not queue.release(claim):
                self._lost(claim)
            raise
        except Exception as error:
            log.error("ingest document=%s error=%s", claim.document, type(error).__name__)
            self._fail(claim, Failed(f"Processing failed ({type(error).__name__}): retry it."))
        return True

    def _fail(self, claim: Claim, error: RefdeskError) -> None:
        if not self._context.catalog.queue.fail(claim, error.code, error.message):
            self._lost(claim)

    def _lost(self, claim: Claim) -> None:
        log.info("ingest claim=lost document=%s version=%d", claim.document, claim.version)
        self._context.catalog.queue.abandon(claim)
        settle(self._context)

    def _do(self, claim: Claim, policy: Policy, heart: Heartbeat, progress: Progress) -> None:
        source = self._source(claim, policy, heart)
        pages = [Page(*page) for page in source.content.pages or ()]
        passages = split(source.text, claim.kind, pages, policy.passages)
        prepared = prepare(source.title, passages)
        index = self._context.index(claim.base)
        vectors, trouble = self._vectors(claim, prepared, index, heart, progress)
        settings = IndexSettings(index)
        if settings.analyzer is None:
            settings.set_analyzer(VERSION)
        languages = languages_of(source.text)
        made = entries(prepared, languages, vectors)
        heart.stage("index", len(prepared))
        index.put(claim.document, claim.version, made, languages=languages)
        held = self._context.catalog.queue.switch(
            claim,
            len(passages),
            code=trouble.code if trouble else None,
            error=trouble.message if trouble else None,
        )
        if not held:
            raise LostClaim
        settle(self._context)

    def _source(self, claim: Claim, policy: Policy, heart: Heartbeat) -> _Source:
        text = self._context.blobs.get(claim.document, claim.files, "text")
        if text is not None and claim.content.chars is not None:
            return _Source(claim.title, text.decode(), claim.content)
        heart.stage("read")
        return self._read_now(claim, policy)

    def _read_now(self, claim: Claim, policy: Policy) -> _Source:
        """The bases policy reads in the queue, from the original that was accepted."""
        raw = self._context.blobs.get(claim.document, claim.files, "original")
        if raw is None:
            raise Refusal("The file that was uploaded is gone: upload it again.", code="damaged")
        with NamedTemporaryFile() as file:
            file.write(raw)
            file.flush()
            reading = self._context.reader().read(
                Path(file.name), claim.name, claim.content.declared_type, policy
            )
        kept = screened(policy, reading, Labels(claim.name, reading.title or claim.title))
        if kept.redacted or kept.refusal:  # the policy has become stricter since the file was accepted
            self._context.blobs.remove(claim.document, claim.files, "original")
        if kept.refusal is not None:
            raise kept.refusal
        assert kept.reading is not None
        content = content_of(raw, kept.reading, claim.content.declared_type)
        store_reading(self._context.blobs, claim.document, claim.files, kept.reading)
        if not self._context.catalog.queue.read(claim, kept.labels.title, content):
            raise LostClaim
        return _Source(kept.labels.title, kept.reading.text, content)

    def _vectors(
        self, claim: Claim, prepared: list[Prepared], index: Index, heart: Heartbeat, progress: Progress
    ) -> tuple[dict[bytes, Vector], RefdeskError | None]:
        """The vectors, and the reason why passages without one are found by keyword for now (ING6)."""
        if claim.embedding_account_id is None:
            return {}, None
        try:
            embedder = self._context.embedder(claim.embedding_account_id)
            IndexSettings(index).check(embedder.fingerprint.key)
        except Failed as error:
            return {}, error
        heart.stage("embed", len(prepared))
        vectors, trouble = embed(prepared, embedder, index, _ticker(claim, len(prepared), heart, progress))
        if vectors:
            IndexSettings(index).agree(embedder.fingerprint.key)
        return vectors, trouble


def _ticker(claim: Claim, total: int, heart: Heartbeat, progress: Progress) -> Callable[[int], None]:
    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        heart.done(done)
        progress("embed", claim.name, done, total)

    return tick
