"""A built worker as a process that has nothing but its own requirements."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import zipfile
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Self
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SECONDS = 120
_NAMED = re.compile(r"^([a-z0-9][a-z0-9._-]*)==", re.MULTILINE)
_START = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); sys.argv[0] = 'worker.py';"
    "sys.path.insert(0, ''); runpy.run_path('worker.py', run_name='__main__')"
)


def own_packages(out: Path, folder: Path) -> Path:
    """A folder of what ``requirements.txt`` names and of nothing else: links to what is installed here, and
    the build's wheel."""
    folder.mkdir()
    for name in set(_NAMED.findall((out / "requirements.txt").read_text())) - {"refdesk-worker"}:
        try:
            found = distribution(name)
        except PackageNotFoundError:  # of another platform or Python
            continue
        for top in {
            file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")
        }:
            (folder / top).symlink_to(Path(str(found.locate_file(top))))
    [wheel] = (out / "wheels").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


class Worker:
    """A context manager; ``log`` is what it wrote so far. With ``ready`` it waits until it serves."""

    def __init__(self, out: Path, packages: Path, *arguments: str, **environment: str) -> None:
        kept = {
            name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") if name in os.environ
        }
        self.lines: list[str] = []
        self.url = ""
        self._ready = threading.Event()
        command = [sys.executable, "-I", "-S", "-c", _START, str(packages), *(arguments or ("--port", "0"))]
        self.process = subprocess.Popen(
            command, cwd=out, env=kept | environment, stderr=subprocess.PIPE, text=True
        )
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    @property
    def log(self) -> str:
        return "\n".join(self.lines)

    def __enter__(self) -> Self:
        self._ready.wait(SECONDS)
        if not self.url:
            self.__exit__()
            raise AssertionError(f"the worker did not start: {self.log}")
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.ended()

    def ended(self) -> int:
        """Its exit code, when it has ended."""
        code = self.process.wait(SECONDS)
        self._reading.join(SECONDS)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return self._sent(Request(self.url + path, headers=headers))

    def post(self, path: str, body: object, **headers: str) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self._sent(Request(self.url + path, data, headers))

    def look_up(self, query: str, tool: str = "look_up") -> Mapping[str, Any]:
        status, found = self.post(f"/agents/reception/tools/{tool}", {"query": query})
        assert status == 200, found
        assert isinstance(found, dict)
        return found

    def look_up_until_found(self, query: str) -> Mapping[str, Any]:
        """A service that failed is left alone for a while."""
        give_up = time.monotonic() + SECONDS
        while (found := self.look_up(query))["failed"] and time.monotonic() < give_up:
            time.sleep(0.05)
        return found

    def _sent(self, request: Request) -> tuple[int, Any]:
        try:
            with urlopen(request, timeout=SECONDS) as reply:
                return reply.status, json.loads(reply.read() or b"null")
        except HTTPError as error:
            with error:
                return error.code, json.loads(error.read() or b"null")

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.lines.append(line.rstrip("\n"))
            if found := re.search(r" ready .*(http://\S+)", line):
                self.url = found[1]
                self._ready.set()
        self._ready.set()
