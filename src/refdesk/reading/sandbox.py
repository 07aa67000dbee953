"""One reading child seen from the parent: started, given a document, listened to, ended at its limit.

The child may be in a document's hands, so what it sends is data to check, and the only sure thing to do
with it is to kill its process group.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from refdesk.errors import Failed
from refdesk.reading import frames
from refdesk.reading.answer import Answer, Clocks
from refdesk.reading.limits import Limits

T = TypeVar("T")

_START_SECONDS = 60.0
_CHUNK = 1024 * 1024
_BOOTSTRAP = (
    "import sys; sys.path[:] = sys.argv[3:]; "
    "from refdesk.reading.child import main; main(*map(int, sys.argv[1:3]))"
)
_KEPT_ENVIRONMENT = ("LD_LIBRARY_PATH",)
"""What an interpreter may need to load at all; everything else is none of a document's business."""


class OutOfTime(Exception):
    """A clock ran out, and the child was killed."""


class Died(Exception):
    """The child ended, or said what no child says: the document was too much for it."""


class Child:
    """A process that reads one document after the other. Not thread safe: who holds it uses it alone."""

    def __init__(self, memory_mb: int) -> None:
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-c", _BOOTSTRAP, str(memory_mb), str(os.getpid()), *_import_path()],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                close_fds=True,
                start_new_session=True,
                cwd="/",
                env={name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ},
            )
        self._ready = False
        self.served = 0

    def read(self, about: dict[str, Any], data: bytes, limits: Limits) -> Answer:
        """Hands the document over and listens until it is done or a clock runs out."""
        self._await_ready()
        clocks, answer = Clocks.of(limits), Answer(limits)
        self.served += 1
        try:
            self._send(frames.pack(frames.DOCUMENT, {**about, "limits": limits.to_dict()}, data), clocks)
            while answer.takes(self._next(clocks, limits.frame_bytes), clocks):
                pass
        except OutOfTime:
            answer.cut_by = "deadline"
        except (Died, frames.BadFrame):
            answer.cut_by = "decode"
        finally:
            if not answer.again:
                self.kill()
        return answer

    def lives(self) -> bool:
        """Whether it can take a document. Idle children die too: of the machine's memory, of people."""
        if self._process.poll() is not None:
            self._socket.close()
        return self._process.returncode is None

    def kill(self) -> None:
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._socket.close()

    def _await_ready(self) -> None:
        if self._ready:
            return
        try:
            self._ready = self._next(Clocks({"read": _START_SECONDS}), _CHUNK).tag == frames.READY
        except (OutOfTime, Died, frames.BadFrame):
            self._ready = False
        if not self._ready:
            self.kill()
            raise Failed(
                "The process that reads documents could not start; is its memory limit high enough, and are "
                "pypdfium2 and Pillow installed?"
            )

    def _next(self, clocks: Clocks, most: int) -> frames.Frame:
        return frames.unpack(lambda count: self._receive(count, clocks), most)

    def _receive(self, count: int, clocks: Clocks) -> bytes:
        data = bytearray()
        while len(data) < count:
            chunk = self._within(clocks, partial(self._socket.recv, min(count - len(data), _CHUNK)))
            if not chunk:
                raise Died
            data += chunk
        return bytes(data)

    def _send(self, message: bytes, clocks: Clocks) -> None:
        self._within(clocks, partial(self._socket.sendall, message))

    def _within(self, clocks: Clocks, action: Callable[[], T]) -> T:
        """``action`` on the socket, within what the running clock has left."""
        left = clocks.remaining()
        if left <= 0:
            raise OutOfTime
        self._socket.settimeout(left)
        try:
            return action()
        except TimeoutError:
            raise OutOfTime from None
        except OSError:
            raise Died from None


def _import_path() -> list[str]:
    """The parent's absolute import path: the child reads with the very libraries that are installed here."""
    package = str(Path(__file__).parents[2])
    return list(dict.fromkeys([*(each for each in sys.path if Path(each).is_absolute()), package]))
