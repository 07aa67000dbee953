"""The fingerprint of a base's documents: what they are called and what is in them.

A file whose size and time of change are those that were written down is taken to be the same; any other is
read. So a start costs no more than a look at each file, and a copy of a build costs one reading.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from refdesk.package.documents import File

Known = Mapping[str, tuple[int, int, str]]
"""Size, time of change in nanoseconds and SHA-256 of a file, by name."""


@dataclass(frozen=True, slots=True)
class Contents:
    digest: str
    files: Known

    def written(self) -> str:
        return json.dumps(self.files, ensure_ascii=False, sort_keys=True)


def contents(files: Sequence[File], known: str | None = None) -> Contents:
    """``known`` is what ``Contents.written`` gave before."""
    before: Known = json.loads(known) if known else {}
    now = {file.name: _look(file.path, before.get(file.name)) for file in files}
    named = json.dumps([[name, one[2]] for name, one in sorted(now.items())], ensure_ascii=False)
    return Contents(hashlib.sha256(named.encode()).hexdigest(), now)


def _look(path: Path, before: Sequence[object] | None) -> tuple[int, int, str]:
    status = path.stat()
    if before is not None and list(before[:2]) == [status.st_size, status.st_mtime_ns]:
        return status.st_size, status.st_mtime_ns, str(before[2])
    with path.open("rb") as file:
        return status.st_size, status.st_mtime_ns, hashlib.file_digest(file, "sha256").hexdigest()
