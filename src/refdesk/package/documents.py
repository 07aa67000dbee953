"""The documents of a base's folder: which are read, and what is left out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

READ = (".md", ".pdf", ".txt")  # CMP5


@dataclass(frozen=True, slots=True)
class File:
    """``name`` is its path in the base's folder, with ``/``."""

    name: str
    path: Path


@dataclass(slots=True)
class Documents:
    """``ignored`` counts by ending (``no ending``, ``hidden``, ``links to folders``, ``names not in UTF-8``);
    ``escaping`` are links that leave the package; ``unnamed`` are documents whose names are not in UTF-8,
    as they are shown."""

    files: Sequence[File] = ()
    ignored: Counter[str] = field(default_factory=Counter)
    escaping: list[str] = field(default_factory=list)
    unnamed: list[str] = field(default_factory=list)


def documents(folder: Path, package: Path) -> Documents:
    """In the order of their names. ``package`` is the folder that nothing may lead out of."""
    found = Documents()
    root = package.resolve()
    files = []
    for path in _entries(folder, found.ignored):
        name = path.relative_to(folder).as_posix()
        shown = name.encode("utf-8", "backslashreplace").decode()
        if path.is_symlink() and not path.resolve().is_relative_to(root):
            found.escaping.append(shown)
        elif path.is_dir():
            found.ignored["links to folders"] += 1
        elif path.suffix.lower() not in READ or not path.is_file():
            found.ignored[_ending(path)] += 1
        elif shown != name:
            found.unnamed.append(shown)
        else:
            files.append(File(name, path))
    found.files = sorted(files, key=lambda one: one.name)
    return found


def _ending(path: Path) -> str:
    ending = path.suffix.lower()
    try:
        ending.encode()
    except UnicodeEncodeError:
        return "names not in UTF-8"
    return ending or "no ending"


def _entries(folder: Path, ignored: Counter[str]) -> Iterator[Path]:
    """Files, and links of every kind; hidden ones are ignored, with all that is in them."""
    for inner, folders, names in os.walk(folder):
        links = [name for name in folders if Path(inner, name).is_symlink()]
        hidden = [name for name in (*folders, *names) if name.startswith(".")]
        ignored["hidden"] += len(hidden)
        folders[:] = [name for name in folders if name not in hidden and name not in links]
        yield from (Path(inner, name) for name in (*names, *links) if name not in hidden)


def leaves(written: str) -> bool:
    """Whether a path is absolute, or leads out by its ``..`` alone."""
    path = PurePosixPath(written.replace("\\", "/"))
    depth = 0
    for part in path.parts:
        depth += {"..": -1, ".": 0}.get(part, 1)
        if depth < 0:
            return True
    return path.is_absolute() or written[1:2] == ":"
