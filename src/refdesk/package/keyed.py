"""The keys of a mapping against those that there are."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from collections.abc import Sequence

from refdesk.package.findings import Findings, Place, did_you_mean
from refdesk.package.keys import Key
from refdesk.package.nodes import Entry, Mapping


def keyed(
    mapping: Mapping,
    table: MappingOf[str, Key],
    what: str,
    place: Place,
    findings: Findings,
    *,
    extra: str | None = None,
    refused: Sequence[str] = (),
) -> dict[str, Entry]:
    """The known ones. ``place`` is where a missing key is told, ``extra`` the beginning of keys that are not
    read, and ``refused`` are those that belong elsewhere."""
    for name, entry in mapping.entries.items():
        if name in refused:
            findings.error(
                entry.place,
                "refused_key",
                f"`{name}` has no place beside `knowledge`: the tool takes the question and gives passages.",
            )
        elif name not in table and not (extra and name.startswith(extra)):
            findings.error(
                entry.place,
                "unknown_key",
                f"{what} has no key `{name}`; it takes {', '.join(table)}.{did_you_mean(name, table)}",
            )
    for name, key in table.items():
        if key.required and name not in mapping.entries:
            findings.error(place, "missing_key", f"{what} has no `{name}`, which it needs: {key.help}")
    return {name: entry for name, entry in mapping.entries.items() if name in table}
