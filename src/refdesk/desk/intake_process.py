"""Accepts a server's uploads: ``python -m refdesk.desk.intake_process HOME``, with the server's socket as its
standard input. When that ends, as it does when the server is gone, it does what it has begun and ends.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from refdesk.desk.house import House
from refdesk.desk.intake import Task, answered, received
from refdesk.desk.parts import Parts
from refdesk.desk.projects import reached
from refdesk.desk.uploading import taken_in
from refdesk.ingest.accept import Accepted
from refdesk.ingest.removals import settle

AT_ONCE = 64
"""More than a server's threads: that a reader is busy is said by the reader."""


def main(home: str) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # may go to a whole group; the server decides
        signal.signal(number, signal.SIG_IGN)
    with (
        socket.socket(fileno=sys.stdin.fileno()) as control,
        closing(House.open(home)) as house,
        ThreadPoolExecutor(AT_ONCE) as threads,
    ):
        settle(house.context)  # what an earlier one left when it died
        while descriptors := socket.recv_fds(control, 1, 2)[1]:
            threads.submit(_take, house, *descriptors)


def _take(house: House, answer: int, file: int | None = None) -> None:
    with socket.socket(fileno=answer) as to, suppress(OSError, EOFError):  # the server is gone
        try:
            answered(to, partial(_done, house, received(to), file))
        finally:
            if file is not None:
                os.close(file)


def _done(house: House, task: Task, file: int | None) -> Accepted | None:
    parts = Parts(house, reached(house, task.principal, task.project), task.principal)
    if task.upload is not None:
        task = replace(task, upload=replace(task.upload, path=Path(f"/dev/fd/{file}")))
    return taken_in(parts, task)


if __name__ == "__main__":
    main(sys.argv[1])
