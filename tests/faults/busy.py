"""Run as a process beside others on one desk: writes documents, or searches and checks what it is given.

    busy.py HOME JOURNAL writer NUMBER SEED OPERATIONS
    busy.py HOME JOURNAL searcher NUMBER SEED STOPFILE

Every text names its base, its document and its version. The journal says, before and after each change,
what has begun and what is done, so that a searcher knows what it may and must see.
"""

from __future__ import annotations

import os
import random
import re
import sys
from collections import defaultdict
from pathlib import Path

from refdesk import Desk
from refdesk.testing import WordEmbedder

BASES = ("Alpha", "Beta")
_SAID = re.compile(r"base (\w+) document (\S+) version (\d+)")


class Journal:
    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_APPEND | os.O_CREAT | os.O_RDWR)
        self._path = path

    def write(self, what: str, base: str, name: str, version: int) -> None:
        os.write(self._file, f"{what} {base} {name} {version}\n".encode())

    def read(self) -> tuple[dict[tuple[str, str], int], dict[tuple[str, str], list[int]]]:
        """The last change that is done, and all that have begun, of each document."""
        done: dict[tuple[str, str], int] = {}
        begun: dict[tuple[str, str], list[int]] = defaultdict(list)
        for line in Path(self._path).read_text().splitlines():
            what, base, name, version = line.split()
            if what == "done":
                done[base, name] = int(version)
            else:
                begun[base, name].append(int(version))
        return done, begun


def write(desk: Desk, journal: Journal, number: int, chance: random.Random, operations: int) -> None:
    folder = Path(os.environ["SCRATCH"])
    versions: dict[tuple[str, str], int] = defaultdict(int)
    for _ in range(operations):
        base, name = chance.choice(BASES), f"w{number}-{chance.randrange(3)}.md"
        [found] = [d for d in desk.bases.get(base).list_documents() if d.name == name] or [None]
        if found is not None and chance.random() < 0.3:
            gone = -versions[base, name]  # each change has a number of its own
            journal.write("begin", base, name, gone)
            desk.documents.delete(found.id)
            journal.write("done", base, name, gone)
            continue
        version = versions[base, name] = versions[base, name] + 1
        path = folder / base / name
        path.parent.mkdir(exist_ok=True)
        said = f"The ledger of base {base} document {name} version {version} is kept."
        path.write_text(
            f"# Ledger\n\n{said}\n\n## More\n\nStill base {base} document {name} version {version}.\n"
        )
        journal.write("begin", base, name, version)
        [added] = desk.bases.get(base).add(path, wait=True).documents
        assert added.state == "ready", added
        journal.write("done", base, name, version)


def look(desk: Desk, journal: Journal, chance: random.Random, stop: Path) -> int:
    searches = 0
    while not stop.exists() or searches < 5:
        base = chance.choice(BASES)
        before, _ = journal.read()
        found = desk.search("ledger kept", [base], mode=chance.choice(("keyword", "hybrid", "meaning")))
        _, begun = journal.read()
        for hit in found:
            check(base, hit.base, hit.name, hit.text, before, begun)
        searches += 1
    return searches


def check(
    asked: str,
    base: str,
    name: str,
    text: str,
    before: dict[tuple[str, str], int],
    begun: dict[tuple[str, str], list[int]],
) -> None:
    said = _SAID.search(text)
    assert said is not None, text
    assert (said[1], said[2], base) == (asked, name, asked), (asked, base, name, text)
    version, key = int(said[3]), (asked, name)
    changes = begun[key]
    assert version in changes, f"{text} was never written"
    last = before.get(key)
    if last is None:
        return
    # what was done before the search began may have been followed, never undone
    place = changes.index(last)
    assert version in changes[place:], f"{text} after {changes[: place + 1]} was done; begun {changes}"


def main(home: str, journal: str, role: str, number: str, seed: str, last: str) -> None:
    chance = random.Random(f"{role}{number}{seed}")
    with Desk.open(home, embedders={"local": WordEmbedder()}) as desk:
        if role == "writer":
            write(desk, Journal(journal), int(number), chance, int(last))
        else:
            sys.stdout.write(str(look(desk, Journal(journal), chance, Path(last))))


if __name__ == "__main__":
    main(*sys.argv[1:])
