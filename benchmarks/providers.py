"""How long a search takes when its embedding provider fails, for each way to fail.

    python benchmarks/providers.py [--questions N] [--at-once N]

A fake provider over real HTTP, a base of the voice policy (0.9 seconds a search), questions that nobody asked
before. Prints how many were answered, by which half, and in how many milliseconds.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from refdesk import Desk
from refdesk.search import Found
from refdesk.settings import Settings
from refdesk.testing import FakeProvider, Mode

KEY = "sk-benchmark"
FAULTS: tuple[Mode, ...] = (
    "answer", "hang", "drip", "refuse", "401", "402", "429", "500", "garbage", "empty", "close",
)  # fmt: skip
DOCUMENTS = 50


def filled(home: Path, provider: FakeProvider) -> Desk:
    settings = Settings(cache=home / "cache", allow_private_hosts=True)
    desk = Desk.open(home / "desk", policy="voice", settings=settings)
    made = desk.accounts.create(
        "Fake", "openai-compatible", model="words", base_url=f"{provider.url}/v1", secret=KEY
    )
    desk.accounts.verify(made.id)
    base = desk.bases.create("Rules", embedding_account_id=made.id)
    folder = home / "documents"
    folder.mkdir()
    for number in range(DOCUMENTS):
        text = "\n\n".join(
            f"Rule {number}.{part} is about parcel {number} and shelf {part}." for part in range(8)
        )
        (folder / f"rule-{number:02}.md").write_text(f"# Rule {number}\n\n{text}\n")
    base.add(folder, wait=True)
    return desk


def measure(desk: Desk, fault: Mode, questions: int, at_once: int) -> None:
    def ask(number: int) -> tuple[Found, float]:
        started = time.perf_counter()
        found = desk.search(
            f"which shelf has parcel {number % DOCUMENTS} ({fault} {number})", bases=["Rules"]
        )
        return found, (time.perf_counter() - started) * 1000

    with ThreadPoolExecutor(at_once) as pool:
        asked = list(pool.map(ask, range(questions)))
    took = sorted(milliseconds for _, milliseconds in asked)
    by = Counter(found.answered_by for found, _ in asked)
    found_something = sum(bool(found.hits) for found, _ in asked)
    print(
        f"{fault:8} found {found_something}/{questions}  {dict(by)}  "
        f"p50 {took[len(took) // 2]:6.1f}  p99 {took[int(len(took) * 0.99)]:6.1f}  most {took[-1]:6.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100, help="for each way to fail")
    parser.add_argument("--at-once", type=int, default=8)
    given = parser.parse_args()
    logging.getLogger("refdesk").setLevel(logging.ERROR)  # each question's note is expected
    with (
        tempfile.TemporaryDirectory() as folder,
        FakeProvider(key=KEY, retry_after="30") as provider,
        filled(Path(folder), provider) as desk,
    ):
        for fault in FAULTS:
            provider.mode = "answer"
            desk.accounts.verify("Fake")  # its embedder is made anew, and has nothing to rest from
            provider.mode = fault
            measure(desk, fault, given.questions, given.at_once)


if __name__ == "__main__":
    main()
