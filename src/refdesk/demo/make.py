"""The demo's documents as files: Markdown as it stands, Word, PDF and image made from it."""

from __future__ import annotations

from pathlib import Path

from refdesk.demo.catalog import Pack, sources
from refdesk.demo.figures import png
from refdesk.demo.pdf import pdf
from refdesk.demo.source import Source, figures
from refdesk.demo.word import word


def content(source: Source) -> bytes:
    match source.format:
        case "word":
            return word(source)
        case "pdf":
            return pdf(source)
        case "image":
            [figure] = figures(source.body)
            return png(figure.name)
        case _:
            return source.body.encode("utf-8")


def write(pack: Pack, folder: Path) -> list[Path]:
    """Writes the pack's documents into ``folder``, which exists; their paths by name."""
    paths = []
    for source in sources(pack):
        path = folder / source.name
        path.write_bytes(content(source))
        paths.append(path)
    return paths
