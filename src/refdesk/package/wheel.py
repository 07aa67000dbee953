"""The wheel of the worker's own modules: the same bytes for the same sources, wherever it is made."""

from __future__ import annotations

import hashlib
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version as installed_version
from io import BytesIO

from refdesk.package.modules import ROOT, needed
from refdesk.package.requirements import CORE

NAME = "refdesk-worker"
ROOTS = ("refdesk.package.worker.main", "refdesk.reading.child")
_DATA = (".toml", ".txt")
_STAMP = (1980, 1, 1, 0, 0, 0)
_FOLDER = "refdesk_worker-{}"


@dataclass(frozen=True, slots=True)
class Wheel:
    file: str
    version: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def worker_wheel() -> Wheel:
    """Stored, not deflated: compressors differ from machine to machine."""
    version = installed_version("refdesk")
    files = {**_sources(), **_about(version)}
    record = f"{_FOLDER.format(version)}.dist-info/RECORD"
    files[record] = _recorded(files, record)
    content = BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, _STAMP)
            info.create_system = 3
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return Wheel(f"{_FOLDER.format(version)}-py3-none-any.whl", version, content.getvalue())


def _sources() -> dict[str, bytes]:
    paths = set(needed(ROOTS).values())
    folders = {path.parent for path in paths} - {ROOT / "package"}
    paths |= {file for folder in folders for file in folder.iterdir() if file.suffix in _DATA}
    return {path.relative_to(ROOT.parent).as_posix(): path.read_bytes() for path in sorted(paths)}


def _about(version: str) -> dict[str, bytes]:
    folder = f"{_FOLDER.format(version)}.dist-info"
    metadata = [
        "Metadata-Version: 2.1",
        f"Name: {NAME}",
        f"Version: {version}",
        "Summary: What the worker of a package built by Refdesk needs of it.",
        "License: Apache-2.0",
        "Requires-Python: >=3.11",
        *(f"Requires-Dist: {name}" for name in CORE),
    ]
    wheel = [
        "Wheel-Version: 1.0",
        f"Generator: refdesk {version}",
        "Root-Is-Purelib: true",
        "Tag: py3-none-any",
    ]
    return {
        f"{folder}/METADATA": ("\n".join(metadata) + "\n").encode(),
        f"{folder}/WHEEL": ("\n".join(wheel) + "\n").encode(),
    }


def _recorded(files: Mapping[str, bytes], record: str) -> bytes:
    lines = [
        f"{name},sha256={urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for name, data in files.items()
    ]
    return ("\n".join([*lines, f"{record},,"]) + "\n").encode()
