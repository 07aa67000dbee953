"""A new build in the place of a former one: either it is there with what is kept, or all is as it was."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from refdesk.errors import Failed


def replace_build(made: Path, place: Path, keep: Sequence[str]) -> list[str]:
    """Which of ``keep``, paths in a build, were in the former one and are in the new one now. All of it is
    renaming, on one file system. Raises ``OSError`` with everything as it was; ``Failed``, which names where
    the former build is, where that cannot be."""
    before = made.parent.with_name(f"{made.parent.name}-before")
    if not place.exists():
        made.rename(place)
        return []
    place.rename(before)
    kept: list[str] = []
    try:
        made.rename(place)
        for name in keep:
            if (before / name).exists() or (before / name).is_symlink():
                (before / name).rename(place / name)
                kept.append(name)
    except OSError as error:
        _put_back(made, place, before, kept, error)
        raise
    shutil.rmtree(before, ignore_errors=True)
    return kept


def _put_back(made: Path, place: Path, before: Path, kept: Sequence[str], why: OSError) -> None:
    try:
        for name in kept:
            (place / name).rename(before / name)
        with suppress(FileNotFoundError):
            place.rename(made)
        before.rename(place)
    except OSError as error:
        raise Failed(
            f"The build cannot be put into {place} ({why.strerror or why}), nor the former one put back "
            f"({error.strerror or error}): the former one is in {before}."
        ) from None
