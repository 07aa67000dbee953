"""How fast a server answers searches, alone and while 200 documents are ingested beside it.

    python benchmarks/service.py                          1, 8 and 32 clients, keyword
    python benchmarks/service.py --mode hybrid            with the local embedding model
    python benchmarks/service.py --seconds 20 --clients 8

The server runs as a process with its workers, as `refdesk serve` starts it, and shares the machine with those
who ask. The clients are threads here, each with a connection of its own; who uploads is a process of its own,
so that a client waits for the server and not for this interpreter. Elsewhere it would be another machine;
here it takes about a tenth of a core, at the priority of the clients. "While ingesting" lasts from the first
upload until the last document is ready, at most MOST seconds. Where the weights of the local embedding model
are there, documents are embedded too, whatever the mode. Ratios say more than times.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.process import BaseProcess
from pathlib import Path
from statistics import quantiles

import httpx2

from data import Texts

PASSAGES, ADDED = 2_000, 200
MOST = 60.0
BAR = 2.0
"""p95 under ingestion over p95 without."""


@contextmanager
def served(home: Path) -> Iterator[Server]:
    environment = {**os.environ, "REFDESK_HOME": str(home), "REFDESK_REQUESTS_PER_MINUTE": "100000000"}
    refdesk = [sys.executable, "-m", "refdesk"]
    server = subprocess.Popen(
        [*refdesk, "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    address = re.findall(r"http://[\d.:]+", server.stderr.readline())[0]
    threading.Thread(target=server.stderr.read, daemon=True).start()
    made = subprocess.run(
        [*refdesk, "keys", "create", "--json"], env=environment, capture_output=True, text=True, check=True
    )
    try:
        yield Server(address, re.findall(r"rd_[\w-]+", made.stdout)[0]).with_base()
    finally:
        server.terminate()
        server.wait(60)


@dataclass(frozen=True)
class Server:
    """``base`` is the address of one with documents; what is searched and added is in it."""

    address: str
    key: str
    base: str = ""

    def connect(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.address, headers={"X-Api-Key": self.key}, timeout=120)

    def with_base(self) -> Server:
        with self.connect() as client:
            made = client.post("/v2/knowledge-bases", json={"name": "Benchmark"})
        return replace(self, base=f"/v2/knowledge-bases/{made.raise_for_status().json()['id']}")

    def ingest(self, documents: Sequence[str]) -> None:
        """Returns when all are ready."""
        with self.connect() as client:
            for number, content in enumerate(documents):
                name = f"{time.monotonic_ns()}-{number}.txt"
                body = {"name": name, "kind": "text", "content": content}
                client.post(f"{self.base}/documents", json=body).raise_for_status()
            while (told := client.get(f"{self.base}/progress").json())["queued"] + told["indexing"]:
                time.sleep(0.2)

    def search(
        self, questions: Sequence[str], mode: str, clients: int, end: Callable[[], bool]
    ) -> list[float]:
        """Milliseconds of each answered question."""
        took: list[float] = []

        def asking(offset: int) -> None:
            own: list[float] = []
            with self.connect() as client:
                for number in range(offset, sys.maxsize, clients):
                    started = time.perf_counter()
                    body = {"query": questions[number % len(questions)], "mode": mode}
                    client.post(f"{self.base}/search", json=body).raise_for_status()
                    own.append((time.perf_counter() - started) * 1000)
                    if end():
                        break
            took.extend(own)

        threads = [threading.Thread(target=asking, args=(offset,)) for offset in range(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return took


def at(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


@dataclass(frozen=True)
class Measured:
    took: Sequence[float]
    seconds: float

    def row(self, label: str, against: Measured | None = None) -> None:
        cells = "".join(f"{at(self.took, percent):>9.1f}" for percent in (50, 95, 99))
        ratio = "" if against is None else f"{self.times(against):>8.2f}x"
        print(f"{label:<34}{len(self.took) / self.seconds:>9.1f}{cells}{ratio}", flush=True)

    def times(self, against: Measured) -> float:
        return at(self.took, 95) / at(against.took, 95)


def measured(search: Callable[[Callable[[], bool]], list[float]], end: Callable[[], bool]) -> Measured:
    started = time.monotonic()
    took = search(end)
    return Measured(took, time.monotonic() - started)


def past(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() >= end


def beside(server: Server, documents: Sequence[str]) -> tuple[BaseProcess, Callable[[], bool]]:
    """Who ingests, and whether that is over."""
    ingesting = multiprocessing.get_context("spawn").Process(target=server.ingest, args=(documents,))
    ingesting.start()
    late = past(MOST)
    return ingesting, lambda: late() or not ingesting.is_alive()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=10.0, help="without ingestion")
    parser.add_argument("--mode", choices=["keyword", "hybrid"], default="keyword")
    options = parser.parse_args()
    texts = Texts()
    questions = texts.questions(200)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "desk") as server:
        server.ingest([texts.document(100) for _ in range(PASSAGES // 100)])
        print(f"{PASSAGES:,} passages, {options.mode}; {ADDED} documents of 10 passages ingested beside it")
        print(f"{'milliseconds':<34}{'a second':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'p95 over':>9}")
        for clients in options.clients:
            search = partial(server.search, questions, options.mode, clients)
            alone = measured(search, past(options.seconds))
            alone.row(f"{clients} clients")
            documents = [texts.document(10) for _ in range(ADDED)]
            ingesting, over = beside(server, documents)
            busy = measured(search, over)
            busy.row(f"{clients} clients, while ingesting", alone)
            worst = max(worst, busy.times(alone))
            ingesting.join()
    print(f"p95 under ingestion at most {worst:.2f}x, bar {BAR}x: {'met' if worst <= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
