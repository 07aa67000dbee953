"""The documents of a build as finished indexes on disk, each with what it was made under.

The same work is done once in an image, or at its start by every worker that finds no bake: the answers are
the same.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from refdesk.errors import Failed
from refdesk.package.compiled import FILE_MODE, FOLDER_MODE, INDEX, MODELS, policy_of, read_compiled
from refdesk.package.contents import contents
from refdesk.package.documents import documents
from refdesk.package.embedders import open_embedder
from refdesk.package.indexing import Indexing
from refdesk.package.manifest import Base
from refdesk.package.stamp import FILES, stamp

Progress = Callable[[str, str, int, int], None]


def silent(stage: str, name: str, done: int, total: int) -> None:
    """A ``Progress`` that tells nobody."""


@dataclass(frozen=True, slots=True)
class Baked:
    """``skipped`` has documents that stayed out, by name, each with why."""

    base: str
    documents: int
    passages: int
    skipped: dict[str, str] = field(default_factory=dict)


def bake(folder: Path, progress: Progress = silent) -> list[Baked]:
    """Every base of a build, in place of what was baked before. Raises ``Failed``."""
    compiled = read_compiled(folder)
    made = []
    try:
        (folder / INDEX).mkdir(exist_ok=True)
        (folder / INDEX).chmod(FOLDER_MODE)
        for base in compiled.bases.values():
            with tempfile.TemporaryDirectory(dir=folder / INDEX, prefix=".baking-") as work:
                into = Path(work) / base.key
                made.append(bake_base(folder, base, into, progress))
                _open_to_all(into)
                _move_in(into, folder / INDEX / base.key)
    except OSError as error:
        raise Failed(f"The bake cannot be written to {folder / INDEX}: {error.strerror or error}.") from None
    return made


def bake_base(
    folder: Path, base: Base, into: Path, progress: Progress = silent, *, models: Path | None = None
) -> Baked:
    """One base, with its documents in ``folder``, into the new folder ``into``; ``models`` as in
    ``open_embedder``, else the build's. Raises ``Failed`` where its model
    cannot be used, and where none of its documents has any text."""
    found = documents(folder / base.path, folder)
    files = found.files
    embedder = open_embedder(base, models or folder / MODELS) if base.embed else None
    with tempfile.TemporaryDirectory(prefix="refdesk-") as work, Indexing(Path(work)) as indexing:
        known = contents(files)  # before they are read: what changes meanwhile is another content
        taken = indexing.take(files, policy_of(base), progress)
        taken.skipped |= dict.fromkeys(found.unnamed, "Its name is not in UTF-8: rename it.")
        if not taken.passages:
            raise Failed(_nothing(base, taken.skipped))
        indexing.embed(embedder, progress)
        indexing.bake(into, {**stamp(base, known.digest), FILES: known.written()})
    return Baked(base.key, len(taken.live), taken.passages, taken.skipped)


def _nothing(base: Base, skipped: dict[str, str]) -> str:
    if not skipped:
        return (
            f"The base {base.key} holds no document: put .txt, .md or .pdf files with text into its folder."
        )
    name, why = next(iter(skipped.items()))
    more = f" (and {len(skipped) - 1} more)" if len(skipped) > 1 else ""
    return f"The base {base.key} yields no text, so nothing starts. {name}{more}: {why}"


def _open_to_all(made: Path) -> None:
    """An image is baked by one user and run by another."""
    for path in made.iterdir():
        path.chmod(FILE_MODE)
    made.chmod(FOLDER_MODE)


def _move_in(made: Path, place: Path) -> None:
    if place.exists():
        shutil.rmtree(place)
    made.rename(place)
