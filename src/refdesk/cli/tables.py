"""Lists for a person: a heading and aligned columns without boxes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from refdesk.cli.output import printable

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod


class Column(NamedTuple):
    heading: str
    key: str
    number: bool = False
    whole: bool = False  # what people copy is never broken, however narrow the terminal


def table(
    screen: Console, title: str | None, columns: Sequence[Column], rows: Iterable[Mapping[str, Any]]
) -> None:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, pad_edge=False, title_justify="left", header_style="dim", padding=(0, 2, 0, 0))
    for column in columns:
        justify: JustifyMethod = "right" if column.number else "left"
        grid.add_column(column.heading, justify=justify, overflow="fold", no_wrap=column.whole)
    for row in rows:
        grid.add_row(*(Text(_cell(row.get(column.key))) for column in columns))
    if title:
        screen.print(Text(printable(title), style="bold"))
    with screen.capture() as drawn:
        screen.print(grid)
    for line in drawn.get().splitlines():
        screen.out(line.rstrip(), highlight=False)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_cell, value))
    return f"{value:,}" if isinstance(value, int) else printable(str(value))


def counted(count: int, noun: str) -> str:
    """``1 document``, ``3 documents``."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"
