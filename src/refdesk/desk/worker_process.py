"""One ingestion worker as a process of its own: ``python -m refdesk.desk.worker_process HOME``.

It stops, and gives back what it was at, on SIGTERM, and when its standard input ends, as it does when its
parent is gone.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from contextlib import closing
from types import FrameType

from refdesk.desk.house import House
from refdesk.errors import RefdeskError
from refdesk.ingest.worker import Worker, worker_name

IDLE = 0.5  # seconds between looks at an empty queue
TROUBLED = 2.0  # seconds until the next try where the catalog did not answer

log = logging.getLogger(__name__)


def main(home: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the whole group; the parent decides
    signal.signal(signal.SIGTERM, _stop)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with closing(House.open(home)) as house:
        worker = Worker(house.context, name=worker_name(os.getpid()))
        while True:
            _work(worker)


def _work(worker: Worker) -> None:
    try:
        while worker.run_one():
            pass
    except RefdeskError as error:
        log.warning("worker cause=%s", error.code)
        time.sleep(TROUBLED)
    time.sleep(IDLE)


def _stop(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # once is enough: the claim is being given back
    raise SystemExit


def _end_with_parent() -> None:
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main(sys.argv[1])
