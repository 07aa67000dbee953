"""Which files a call means, and what each is called in the base (D2, D3)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from refdesk.errors import NotFound


@dataclass(frozen=True, slots=True)
class Named:
    path: Path
    name: str


@dataclass(slots=True)
class Collected:
    """``skipped`` counts what of a folder was not looked at, by reason."""

    files: list[Named]
    skipped: Counter[str] = field(default_factory=Counter)

    def notes(self) -> list[str]:
        return [
            f"Left out: {count} {reason} {'entry' if count == 1 else 'entries'}."
            for reason, count in sorted(self.skipped.items())
            if count
        ]


def collect(paths: Sequence[str | Path]) -> Collected:
    """The files of a call. A file argument goes by its file name, a folder's file by its path inside; a
    folder's hidden files and special files are left out and counted."""
    collected = Collected([])
    chosen: dict[Path, int] = {}  # a file named twice is one file
    for given in paths:
        path = Path(given)
        if path.is_dir():
            for file in _of_folder(path, collected.skipped):
                chosen.setdefault(_absolute(file), len(file.relative_to(path).parts))
        elif path.is_file():
            chosen.setdefault(_absolute(path), 1)
        else:
            raise NotFound(f"There is no file or folder {str(given)!r}.", code="file_not_found")
    collected.files = _named(chosen)
    return collected


def _absolute(path: Path) -> Path:
    return Path(os.path.normpath(path.absolute()))


def _of_folder(folder: Path, skipped: Counter[str]) -> list[Path]:
    files = []
    for inner, folders, names in os.walk(folder):
        hidden = [name for name in folders if name.startswith(".")]
        skipped["hidden"] += len(hidden)
        folders[:] = sorted(set(folders) - set(hidden))
        for name in sorted(names):
            path = Path(inner, name)
            if name.startswith("."):
                skipped["hidden"] += 1
            elif not path.is_file():
                skipped["links to nothing or special"] += 1
            else:
                files.append(path)
    return files


def _named(chosen: dict[Path, int]) -> list[Named]:
    """Files of the same name get the shortest path endings that tell them apart."""
    parts = dict(chosen)
    while True:
        names = {path: "/".join(path.parts[-count:]) for path, count in parts.items()}
        often = Counter(names.values())
        same = [path for path, name in names.items() if often[name] > 1 and parts[path] < len(path.parts) - 1]
        if not same:
            return [Named(path, _storable(name)) for path, name in names.items()]
        for path in same:
            parts[path] += 1


def _storable(name: str) -> str:
    """A file name that is no Unicode text has its stray bytes replaced."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
