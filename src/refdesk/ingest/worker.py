"""A worker: claims a document's version, makes it findable, and switches it live."""

from __future__ import annotations

import logging
import os
import socket
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TypeVar

from refdesk.catalog.claims import Claim
from refdesk.catalog.document_rows import Content
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
from refdesk.ingest.steps import Prepared, embed, entries, prepare, reusable
from refdesk.passages import split
from refdesk.policy import Policy, load_policy
from refdesk.reading.model import Page, Reading
from refdesk.search.deadline import Beside

LOOK_EVERY = 0.5  # seconds between looks at the queue while a service is waited for

T = TypeVar("T")
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Embedded:
    """Passages without a vector are found by keyword: because of ``trouble`` (ING6), or as their vectors are
    ``pending``. ``fingerprint`` is of the model that made those that there are."""

    vectors: Mapping[bytes, Vector]
    trouble: RefdeskError | None = None
    fingerprint: str | None = None
    pending: bool = False


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
        """``project`` limits the work to one project's documents; ``done`` counts those that are over."""
        self.done = 0
        self._context = context
        self._project = project
        self._name = name or f"{worker_name(os.getpid())}:{id(self):x}"
        self._written: Counter[str] = Counter()  # passages, by base

    def run_one(self, progress: Progress = silent, *, fresh: bool = False) -> bool:
        """Does one document of the queue, ``fresh``: one that does not wait for its vectors alone; ``False``
        where none can be claimed."""
        queue = self._context.catalog.queue
        claim = queue.claim(self._name, self._project, fresh=fresh)
        if claim is None:
            if not fresh:
                self.rest()
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

    def rest(self) -> None:
        """There is no work: the indexes that were written to are made ready for many searches."""
        while self._written:
            base, passages = self._written.popitem()
            try:
                self._context.index(base).merge(passages)
            except RefdeskError as error:  # searches are as right as before, and a little slower
                log.warning("index unmerged cause=%s", error.code)

    def _fail(self, claim: Claim, error: RefdeskError) -> None:
        self.done += 1
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
        embedded = self._embedded(claim, prepared, index, heart, progress)
        settings = IndexSettings(index)
        if settings.analyzer is None:
            settings.set_analyzer(VERSION)
        languages = languages_of(source.text)
        made = entries(prepared, languages, embedded.vectors)
        heart.stage("index", len(prepared))
        model = embedded.fingerprint if embedded.vectors else None
        index.put(claim.document, claim.version, made, model, languages=languages, check=heart.hold)
        self._written[claim.base] += len(made)
        if not self._switch(claim, len(passages), embedded):
            raise LostClaim
        settle(self._context)

    def _switch(self, claim: Claim, passages: int, embedded: _Embedded) -> bool:
        queue, trouble = self._context.catalog.queue, embedded.trouble
        if embedded.pending:
            return queue.appear(claim, passages)
        self.done += 1
        code, error = (trouble.code, trouble.message) if trouble else (None, None)
        return queue.switch(claim, passages, code=code, error=error)

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
        kept = screened(policy, reading, _labels(claim, reading))
        if kept.redacted or kept.refusal:  # the policy has become stricter since the file was accepted
            self._context.blobs.remove(claim.document, claim.files, "original")
        if kept.refusal is not None:
            raise kept.refusal
        assert kept.reading is not None
        content = content_of(raw, kept.reading, claim.content.declared_type)
        store_reading(self._context.blobs, claim.document, claim.files, kept.reading)
        if not self._context.catalog.queue.read(claim, kept.labels.titles(claim.set_title), content):
            raise LostClaim
        return _Source(kept.labels.set_title or kept.labels.title, kept.reading.text, content)

    def _embedded(
        self, claim: Claim, prepared: list[Prepared], index: Index, heart: Heartbeat, progress: Progress
    ) -> _Embedded:
        """Where vectors are bought, what nobody can find yet is found by keyword first: a service may be
        silent."""
        if claim.embedding_account_id is None:
            return _Embedded({})
        try:
            embedder = self._context.embedder(claim.embedding_account_id)
            model = embedder.fingerprint
            IndexSettings(index).check(model.key)
        except Failed as error:
            return _Embedded({}, error)
        heart.stage("embed", len(prepared))
        tick = _ticker(claim, len(prepared), heart, progress)
        if not model.bought:
            return _Embedded(*embed(prepared, embedder, index, tick), model.key)
        if claim.live is None:
            there = reusable(prepared, index, model.key)
            if any(one.digest not in there for one in prepared):
                return _Embedded(there, None, model.key, pending=True)
        keep = self._keeper(claim, index, model.key, heart)
        buying = Beside(partial(embed, prepared, embedder, index, tick, keep))
        return _Embedded(*self._waited(buying, heart), model.key)

    def _waited(self, buying: Beside[T], heart: Heartbeat) -> T:
        """Documents that nobody can find yet are done meanwhile: a silent service stops no other."""
        while True:
            try:
                return buying.wait(time.monotonic() + LOOK_EVERY)
            except TimeoutError:
                heart.check()
                while self.run_one(fresh=True):
                    heart.check()

    def _keeper(
        self, claim: Claim, index: Index, fingerprint: str, heart: Heartbeat
    ) -> Callable[[Mapping[bytes, Vector]], None]:
        def keep(vectors: Mapping[bytes, Vector]) -> None:
            index.keep(claim.document, fingerprint, vectors, check=heart.exist)
            heart.hold()

        return keep


def _labels(claim: Claim, reading: Reading) -> Labels:
    return Labels(claim.name, reading.title or claim.own_title, set_title=claim.set_title)


def _ticker(claim: Claim, total: int, heart: Heartbeat, progress: Progress) -> Callable[[int], None]:
    done = 0

    def tick(count: int) -> None:
        nonlocal done
        done += count
        heart.done(done)
        progress("embed", claim.name, done, total)

    return tick
