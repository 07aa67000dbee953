"""Processes beside the test that drives them, forked on request, so that a killed one is soon replaced.

    busy.py HOME SEEN TARGETS TROUBLE

A line ``work`` or ``search`` on stdin starts a process, whose id is the answer. Workers work the queue.
Searchers search the bases named in TARGETS and append a line of JSON to SEEN for each search: when it began
and ended (``time.monotonic()``, which all processes share), what was asked, and what was found. What goes
wrong is written to TROUBLE. All end with stdin.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from refdesk import Desk
from refdesk.errors import NotFound
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder

QUESTION = "which ledger is kept"
IDLE = 0.01  # seconds


def open_desk(home: Path) -> Desk:
    return Desk.open(home, settings=Settings(cache=home / "cache"), embedders={"local": WordEmbedder()})


def work(home: Path) -> None:
    with open_desk(home) as desk:
        while True:
            if not desk.work():
                time.sleep(IDLE)


def search(home: Path, seen: Path, targets: Path) -> None:
    chance = random.Random(os.getpid())
    with open_desk(home) as desk, seen.open("a", buffering=1) as file:
        while True:
            for base in targets.read_text().split():
                mode = chance.choice(("keyword", "hybrid"))
                began = time.monotonic()
                try:
                    found = desk.search(QUESTION, [base], mode=mode, top_k=8)
                except NotFound:  # deleted meanwhile
                    continue
                line = {
                    "began": began,
                    "ended": time.monotonic(),
                    "base": base,
                    "mode": mode,
                    "hits": [(hit.base, hit.document, hit.position, hit.text) for hit in found],
                }
                file.write(json.dumps(line) + "\n")
            time.sleep(IDLE)


def start(role: Callable[[], None], trouble: Path) -> int:
    child = os.fork()
    if child:
        return child
    try:
        role()
    except BaseException:
        with trouble.open("a") as file:
            traceback.print_exc(file=file)
    os._exit(1)


def main(home: str, seen: str, targets: str, trouble: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those that were killed
    roles: dict[str, Callable[[], None]] = {
        "work": lambda: work(Path(home)),
        "search": lambda: search(Path(home), Path(seen), Path(targets)),
    }
    children = []
    for line in sys.stdin:
        children.append(start(roles[line.strip()], Path(trouble)))
        sys.stdout.write(f"{children[-1]}\n")
        sys.stdout.flush()
    for child in children:
        try:
            os.kill(child, signal.SIGKILL)
        except ProcessLookupError:
            continue


if __name__ == "__main__":
    main(*sys.argv[1:])
