"""How fast a server answers searches, alone and while 200 documents are ingested beside it.

    python benchmarks/service.py                          1, 8 and 32 clients, keyword
    python benchmarks/service.py --mode hybrid            with the local embedding model
    python benchmarks/service.py --seconds 20 --clients 8

The server runs as a process with its workers, as `refdesk serve` starts it; the clients are threads here,
each with a connection of its own, and share the machine with it. Ratios say more than times.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

import httpx2

from data import Texts

BASES, PASSAGES, ADDED = 1, 2_000, 200
BAR = 2.0
"""p95 under ingestion over p95 without."""


@contextmanager
def served(home: Path) -> Iterator[tuple[str, str]]:
    """Address and key."""
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
        yield address, re.findall(r"rd_[\w-]+", made.stdout)[0]
    finally:
        server.terminate()
        server.wait(60)


class Server:
    def __init__(self, address: str, key: str, mode: str) -> None:
        self._address, self._key, self._mode = address, key, mode
        self.client = self.connect()
        made = self.client.post("/v2/knowledge-bases", json={"name": "Benchmark"})
        self.base = f"/v2/knowledge-bases/{made.raise_for_status().json()['id']}"

    def connect(self) -> httpx2.Client:
        return httpx2.Client(base_url=self._address, headers={"X-Api-Key": self._key}, timeout=120)

    def add(self, texts: Texts, count: int, passages: int) -> None:
        for number in range(count):
            body = {
                "name": f"{time.monotonic_ns()}-{number}.txt",
                "kind": "text",
                "content": texts.document(passages),
            }
            self.client.post(f"{self.base}/documents", json=body).raise_for_status()

    def waiting(self) -> int:
        told = self.client.get(f"{self.base}/progress").json()
        return int(told["queued"] + told["indexing"])

    def wait(self) -> None:
        while self.waiting():
            time.sleep(0.2)

    def search(self, questions: Sequence[str], clients: int, seconds: float) -> list[float]:
        """Milliseconds of each answered question."""
        took: list[float] = []
        end = time.monotonic() + seconds

        def asking(offset: int) -> None:
            own: list[float] = []
            with self.connect() as client:
                for number in range(offset, sys.maxsize, clients):
                    started = time.perf_counter()
                    body = {"query": questions[number % len(questions)], "mode": self._mode}
                    client.post(f"{self.base}/search", json=body).raise_for_status()
                    own.append((time.perf_counter() - started) * 1000)
                    if time.monotonic() >= end:
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


def row(label: str, took: Sequence[float], seconds: float, against: float | None = None) -> None:
    cells = "".join(f"{at(took, percent):>9.1f}" for percent in (50, 95, 99))
    ratio = "" if against is None else f"{at(took, 95) / against:>8.2f}x"
    print(f"{label:<34}{len(took) / seconds:>9.1f}{cells}{ratio}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--mode", choices=["keyword", "hybrid"], default="keyword")
    options = parser.parse_args()
    texts = Texts()
    questions = texts.questions(200)
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder, served(Path(folder) / "desk") as (address, key):
        server = Server(address, key, options.mode)
        server.add(texts, PASSAGES // 100, 100)
        server.wait()
        print(
            f"{PASSAGES:,} passages, {options.mode}; {ADDED} documents of 10 passages are ingested beside it"
        )
        print(f"{'milliseconds':<34}{'a second':>9}{'p50':>9}{'p95':>9}{'p99':>9}{'p95 over':>9}")
        for clients in options.clients:
            alone = server.search(questions, clients, options.seconds)
            row(f"{clients} clients", alone, options.seconds)
            adding = threading.Thread(target=server.add, args=(texts, ADDED, 10))
            adding.start()
            beside = server.search(questions, clients, options.seconds)
            row(f"{clients} clients, while ingesting", beside, options.seconds, at(alone, 95))
            worst = max(worst, at(beside, 95) / at(alone, 95))
            adding.join()
            server.wait()
    print(f"p95 under ingestion at most {worst:.2f}x, bar {BAR}x: {'met' if worst <= BAR else 'MISSED'}")


if __name__ == "__main__":
    main()
