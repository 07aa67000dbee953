"""The text of a file of a package."""

from __future__ import annotations

from pathlib import Path

from refdesk.package.findings import Findings, Source

MOST_BYTES = 1_000_000


def source_of(path: Path, name: str, package: Path, findings: Findings) -> Source | None:
    """Without its byte-order mark; ``None`` where an error says why there is none."""
    try:
        inside = path.resolve().is_relative_to(package.resolve())
        raw = path.read_bytes() if inside else b""
    except OSError as error:
        why = "is not there" if isinstance(error, FileNotFoundError) else "cannot be read"
        findings.missing(name, f"{name} {why}; `refdesk init` writes a package that works.")
        return None
    if not inside:
        findings.missing(name, f"{name} is a link that leads outside the package.")
        return None
    if len(raw) > MOST_BYTES:
        findings.missing(name, f"{name} has {len(raw):,} bytes; at most {MOST_BYTES:,} are read.")
        return None
    try:
        return Source(name, raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        good = Source(name, raw[: error.start].decode("utf-8-sig", "replace"))
        message = f"The byte 0x{raw[error.start]:02X} here is no UTF-8: save the file as UTF-8."
        findings.error(good.place(len(good.text)), "yaml", message)
        return None
