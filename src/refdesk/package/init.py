"""A small package that works as it is written: one agent, one tool, one base, three short documents."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

from refdesk.errors import Failed, UsageError

_STARTER = "starter"


def init(folder: Path) -> list[str]:
    """Writes it and gives the names of its files. Raises ``UsageError`` where one is there already, before
    anything is written."""
    files = _files()
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file: name a new folder.")
    there = next((name for name in files if (folder / name).exists()), None)
    if there is not None:
        raise UsageError(f"{folder / there} exists already: name a new folder.")
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text)
    except OSError as error:
        raise Failed(
            f"{folder} cannot be written: {(error.strerror or 'the system refused').lower()}."
        ) from None
    return list(files)


def _files() -> dict[str, bytes]:
    root = resources.files("refdesk.package") / _STARTER
    names = (
        "agent.yaml",
        "tools/look_up.yaml",
        "documents/opening-hours.md",
        "documents/repairs.md",
        "documents/price-list.md",
    )
    return {name: (root / name).read_bytes() for name in names}
