"""Ingestion workers beside a server: started, watched, started again where one dies, stopped together."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from types import FrameType, TracebackType
from typing import Self

from refdesk.desk.house import House
from refdesk.desk.priority import yielding
from refdesk.errors import RefdeskError
from refdesk.ingest.worker import worker_name

LOOK = 0.2  # seconds between looks at the processes
PATIENCE = 20.0  # seconds that they have to give back their work when they are stopped
NICE = 10
SHORT_LIFE = 5.0  # seconds: who dies sooner is started again later, and later still each time
LONGEST_PAUSE = 30.0  # seconds

log = logging.getLogger(__name__)

Process = subprocess.Popen[bytes]


class WorkerPool:
    """A context manager: the workers run inside it. They work on the documents of all projects of the house,
    with the embedding models that its settings name; models made in this process are not theirs."""

    def __init__(self, house: House, processes: int) -> None:
        self._house = house
        self._wanted = processes
        self._running: dict[Process, float] = {}
        self._pause = 0.0
        self._stopping = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="workers", daemon=True)

    @property
    def processes(self) -> list[int]:
        """Their process ids."""
        return [process.pid for process in list(self._running)]

    def __enter__(self) -> Self:
        self._start_missing()
        self._watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        self._watcher.join()
        for process in self._running:
            process.terminate()
        give_up = time.monotonic() + PATIENCE
        for process in list(self._running):
            try:
                process.wait(max(0.0, give_up - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            self._bury(process)

    def until_stopped(self) -> None:
        """Waits for SIGTERM or SIGINT; needs the main thread."""

        def stop(_signal: int, _frame: FrameType | None) -> None:
            self._stopping.set()

        before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
        self._stopping.wait()
        for number, handler in before.items():
            signal.signal(number, handler)

    def _watch(self) -> None:
        while not self._stopping.wait(LOOK):
            for process, started in list(self._running.items()):
                if process.poll() is not None:
                    soon = time.monotonic() - started < SHORT_LIFE
                    self._pause = min(max(1.0, self._pause * 2), LONGEST_PAUSE) if soon else 0.0
                    log.warning("worker died code=%s pause=%.0f", process.returncode, self._pause)
                    self._bury(process)
            if len(self._running) < self._wanted and not self._stopping.wait(self._pause):
                self._start_missing()

    def _start_missing(self) -> None:
        while len(self._running) < self._wanted:
            process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "refdesk.desk.worker_process", str(self._house.home)],
                stdin=subprocess.PIPE,
                env={**os.environ, **self._house.settings.environment()},
            )
            yielding(process.pid, NICE)
            self._running[process] = time.monotonic()

    def _bury(self, process: Process) -> None:
        """What it had is given to the next at once, not when its lease has run out."""
        del self._running[process]
        assert process.stdin is not None
        process.stdin.close()
        try:
            self._house.catalog.queue.died(worker_name(process.pid))
        except RefdeskError as error:  # the lease runs out all the same
            log.warning("worker claims kept cause=%s", error.code)
