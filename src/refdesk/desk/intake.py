"""Uploads of a server, accepted by another process: whoever searches does not wait while a document is read,
screened and stored.

An upload's file and a socket for its answer go to that process as descriptors. It ends with this one.
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Self

from refdesk.access import Principal
from refdesk.desk.priority import yielding
from refdesk.errors import Failed, RefdeskError, Refusal

if TYPE_CHECKING:
    from refdesk.desk.house import House
    from refdesk.ingest.accept import Upload

PATIENCE = 20.0  # seconds that uploads in work have when the server is stopped
ENDING = 5.0  # seconds that a process which dies is waited for
NICE = 5
BROKE_OFF = "upload_broke_off"
_CHUNK = 65_536

_Process = subprocess.Popen[bytes]

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Task:
    """For ``principal``, who may do it: ``upload`` into ``base``; or ``document`` read again. The upload's
    path is the sender's: its file comes beside the task."""

    principal: Principal
    project: str
    base: str | None = None
    upload: Upload | None = None
    document: str | None = None


class Intake:
    """A context manager; inside it the house's uploads are accepted by the process."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self._start()
        self._house.intake = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._house.intake = None
        self._control.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    @property
    def process(self) -> int:
        """Its process id."""
        return self._process.pid

    def do(self, task: Task) -> Any:
        """What the task gives. Raises what it raises, and ``Failed`` (``upload_broke_off``)."""
        ours, theirs = socket.socketpair()
        taker = None
        with ours:
            try:
                taker = self._give(theirs, task.upload)
                send(ours, task)
                done, result = received(ours)
            except (OSError, EOFError):
                self._ending(taker)
                raise _broke_off() from None
        if not done:
            raise result
        return result

    def _give(self, answer: socket.socket, upload: Upload | None) -> _Process:
        """Which process takes it."""
        with answer, ExitStack() as stack:
            descriptors = [answer.fileno()]
            if upload is not None:
                descriptors.append(stack.enter_context(_opened(upload.path)).fileno())
            return self._hand_over(descriptors)

    def _hand_over(self, descriptors: list[int]) -> _Process:
        with self._lock:
            if self._process.poll() is not None:
                self._start_again()
            try:
                socket.send_fds(self._control, [b"u"], descriptors)
            except OSError:  # it died just now
                self._start_again()
                socket.send_fds(self._control, [b"u"], descriptors)
            return self._process

    def _ending(self, process: _Process | None) -> None:
        """It closes one descriptor after the other: until the last, another upload would be given to it."""
        with self._lock, suppress(subprocess.TimeoutExpired):
            if process is self._process:
                process.wait(ENDING)

    def _start_again(self) -> None:
        self._control.close()
        self._process.kill()
        log.warning("intake died code=%s", self._process.wait())
        self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-m", "refdesk.desk.intake_process", str(self._house.home)],
                stdin=theirs.fileno(),
                env={**os.environ, **self._house.settings.environment()},
            )
        yielding(self._process.pid, NICE)


def send(to: socket.socket, message: Any) -> None:
    """The whole of what this side has to say."""
    to.sendall(pickle.dumps(message))
    to.shutdown(socket.SHUT_WR)


def received(of: socket.socket) -> Any:
    """All that the other side, a process of this house, has to say. ``EOFError`` where it ended instead."""
    data = bytearray()
    while chunk := of.recv(_CHUNK):
        data += chunk
    if not data:
        raise EOFError
    return pickle.loads(data)  # noqa: S301


def answered(to: socket.socket, do: Callable[[], Any]) -> None:
    """Tells what ``do`` gives or raises."""
    answer: tuple[bool, Any]
    try:
        answer = True, do()
    except RefdeskError as error:
        answer = False, error
    except Exception as error:
        log.error("upload failed error=%s", type(error).__name__)  # its message may hold a document's words
        answer = False, Failed("Something failed on our side: try again.")
    send(to, answer)


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise Refusal(f"The file cannot be read: {error.strerror}.", code="damaged") from None


def _broke_off() -> Failed:
    return Failed(
        "The process that reads uploads ended before this one was done: try again.",
        code=BROKE_OFF,
        retry_after=1,
    )
