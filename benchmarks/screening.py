"""How good and how fast screening is.

    python benchmarks/screening.py [FOLDER] [--missed]

Recall and precision on both halves of the labelled set, by shape; megabytes a second (CPU time, packs
policy) over the retrieval sets in FOLDER (default: the shared corpus beside the repository), the slowest
document, and what is found in their first 5 MB. ``--missed`` lists what the tuning half misses; the test half
is never listed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from refdesk.policy import load_policy
from refdesk.screening import screen
from refdesk.screening.detectors import detect
from refdesk.screening.spans import merged

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
import labelled

SETS = Path(__file__).parents[2] / "shared" / "corpus" / "retrieval"
FIRST_BYTES = 5_000_000
REPEATS = 3
"""The best of so many is taken for each document: other work on the machine must not count."""
RULES = load_policy("packs").screening


def spans(text: str) -> list[tuple[int, int]]:
    return [(span.start, span.end) for span in merged(detect(text, ("credential", "private_key")))]


def half(name: str, missed: bool) -> None:
    scores: dict[str, labelled.Score] = defaultdict(labelled.Score)
    for item in labelled.load(name):
        score = labelled.score(item, spans(item.text))
        scores[item.shape] += score
        if missed and (score.missed or score.false):
            print(f"  {item.shape}: {item.text!r}")
    total = sum(scores.values(), start=labelled.Score())
    exact = total.exact / total.found
    print(f"\n{name}: recall {total.recall:.3f}, precision {total.precision:.3f}, exact {exact:.3f}")
    print("| shape | found | missed | false |\n|---|---|---|---|")
    for shape, score in sorted(scores.items()):
        print(f"| {shape} | {score.found} | {score.missed} | {score.false} |")


def documents(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.glob("*/corpus.jsonl.gz")):
        for line in gzip.decompress(path.read_bytes()).decode().splitlines():
            record = json.loads(line)
            yield f"{path.parent.name}/{record['_id']}", f"{record['title']}\n{record['text']}"


def timed(text: str, name: str) -> float:
    start = time.process_time()
    screen(text, name, name, RULES)
    return time.process_time() - start


def corpus(folder: Path) -> None:
    seconds, size, found = 0.0, 0, Counter[str]()
    slowest = (0.0, "", 0)
    for name, text in documents(folder):
        took = min(timed(text, name) for _ in range(REPEATS))
        screened = screen(text, name, name, RULES)
        seconds += took
        slowest = max(slowest, (took, name, len(text)))
        if size < FIRST_BYTES:
            found.update(finding.cls for finding in screened.findings)
            for finding in screened.findings:
                print(f"  {name}: {finding.cls} ({finding.detector}), {finding.place}")
        size += len(text.encode())
    print(f"\n{size / 1e6:.1f} MB in {seconds:.2f} s of CPU: {size / 1e6 / seconds:.1f} MB/s")
    print(f"slowest: {slowest[1]}, {slowest[2]:,} characters, {slowest[0]:.3f} s")
    print(f"found in the first {FIRST_BYTES / 1e6:.0f} MB: {dict(found) or 'nothing'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=SETS)
    parser.add_argument("--missed", action="store_true")
    options = parser.parse_args()
    half("tuning", options.missed)
    half("test", missed=False)
    corpus(options.folder)


if __name__ == "__main__":
    main()
