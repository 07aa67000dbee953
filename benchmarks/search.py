"""How fast a base is built, opened, searched and changed, through the product's own ingestion and search.

    python benchmarks/search.py                        20,000 passages in one base
    python benchmarks/search.py --passages 1000        other sizes, also several: 1000 20000 200000
    python benchmarks/search.py --home DIR             keeps the desk there and takes it again

CPU is of all threads of the process; wall time means little on a machine that does other work.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from data import PER_DOCUMENT, ResampledEmbedder, Texts
from refdesk import Desk
from refdesk.desk.bases import Base
from refdesk.policy.model import Mode

BASE = "Benchmark"
ROUNDS = 7
MB = 1 << 20
BAR = {"first": 1000.0, "keyword": 5.0, "hybrid": 15.0, "embedded": 35.0}
"""Milliseconds at 20,000 passages in one base: the first answer of a new process, the others' p95."""

FIRST_ANSWER = """
import json, resource, sys, time
began = time.perf_counter()
from refdesk import Desk
imported = time.perf_counter()
with Desk.open(sys.argv[1]) as desk:
    opened = time.perf_counter()
    found = desk.search(sys.argv[3], [sys.argv[2]], mode="keyword")
    answered = time.perf_counter()
    print(json.dumps({
        "import": imported - began, "open": opened - imported, "answer": answered - opened,
        "hits": len(found.hits), "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }))
"""


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds."""

    cpu: Sequence[float]
    wall: Sequence[float]

    def row(self, label: str, bar: float | None = None) -> str:
        cells = [_at(self.cpu, 50), _at(self.cpu, 95), _at(self.wall, 50), _at(self.wall, 95)]
        verdict = "" if bar is None else _verdict(bar, cpu=cells[1], wall=cells[3])
        return _line(label, [f"{cell:.2f}" for cell in cells], verdict)


def _at(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]


def _verdict(bar: float, **measured: float) -> str:
    said = (f"{name} {'met' if value <= bar else 'MISSED'}" for name, value in measured.items())
    return f"p95 ≤ {bar:g}: {', '.join(said)}"


def _line(label: str, cells: Sequence[str], verdict: str = "") -> str:
    return f"{label:<34}" + "".join(f"{cell:>11}" for cell in cells) + (f"   {verdict}" if verdict else "")


def timed(work: Callable[[], object]) -> tuple[float, float]:
    """CPU (with that of children that ended) and wall, in milliseconds."""
    cpu, wall = _cpu(), time.perf_counter()
    work()
    return (_cpu() - cpu) * 1000, (time.perf_counter() - wall) * 1000


def _cpu() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def repeated(works: Sequence[Callable[[], object]]) -> Times:
    pairs = [timed(work) for work in works]
    return Times([cpu for cpu, _ in pairs], [wall for _, wall in pairs])


def build(desk: Desk, texts: Texts, passages: int) -> Base:
    base = desk.bases.create(BASE)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.documents(passages):
            (Path(folder) / name).write_text(text)
        cpu, wall = timed(lambda: base.add(folder, wait=True))
    print(f"built in {wall / 1000:.1f} s ({cpu / 1000:.1f} s CPU): reading, passages, terms, vectors, index")
    return desk.bases.get(BASE)


def disk(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / MB


def first_answers(home: Path, questions: Sequence[str]) -> None:
    runs = []
    for question in questions:
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", FIRST_ANSWER, str(home), BASE, question],
            check=True, capture_output=True, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"},
        )  # fmt: skip
        runs.append({**json.loads(done.stdout), "process": time.perf_counter() - started})
    best = sorted(runs, key=lambda run: run["process"])[len(runs) // 2]
    parts = [best[part] * 1000 for part in ("import", "open", "answer")]
    print(_line("a new process, wall, median", ["import", "open", "answer", "in all"]))
    cells = [f"{part:.0f}" for part in (*parts, best["process"] * 1000)]
    opened = parts[1] + parts[2]
    met = "met" if best["process"] * 1000 <= BAR["first"] else "MISSED"
    print(_line("  milliseconds", cells, f"in all ≤ {BAR['first']:g}: {met}"))
    print(_line("  without imports", [f"{opened:.0f}"], f"memory {best['memory'] / 1024:.0f} MB"))


def searches(home: Path, questions: Sequence[str], mode: Mode, embedder: ResampledEmbedder) -> Times:
    with Desk.open(home, embedders={"local": embedder}) as desk:
        base = desk.bases.get(BASE)
        for question in questions[:5]:
            desk.search(question, [base], mode=mode)
        return repeated([lambda q=q: desk.search(q, [base], mode=mode) for q in questions])


def changes(home: Path, texts: Texts, embedder: ResampledEmbedder) -> None:
    """A document of 100 passages in and out again, with reading, and what of it is the index's alone."""
    with Desk.open(home, embedders={"local": embedder}) as desk, tempfile.TemporaryDirectory() as folder:
        base = desk.bases.get(BASE)
        added, deleted = [], []
        for number in range(ROUNDS):
            path = Path(folder) / f"more-{number}.txt"
            path.write_text(texts.document())
            added.append(lambda path=path: base.add(path, wait=True))
        adding = repeated(added)
        ids = [one.id for one in base.list_documents() if one.name.startswith("more-")]
        deleted = [lambda one=one: desk.documents.delete(one) for one in ids]
        print(adding.row(f"add a document of {PER_DOCUMENT}"))
        print(repeated(deleted).row("delete it, and tidy"))


def measure(passages: int, home: Path, count: int) -> None:
    texts = Texts()
    silent = ResampledEmbedder(texts.real, embed_questions=False)
    asking = ResampledEmbedder(texts.real, embed_questions=True)
    print(f"\n{passages:,} passages in one base; {texts.origin}; {silent.origin}")
    waiting = os.getloadavg()[0]
    if waiting > 1:
        print(f"{waiting:.1f} other processes run on {os.cpu_count()} cores: wall times include waiting")
    with Desk.open(home, embedders={"local": silent}) as desk:
        base = desk.bases.find(BASE) or build(desk, texts, passages)
        held = sum(one.passages or 0 for one in base.list_documents())
        print(f"{held:,} passages, {disk(home / 'index'):.0f} MB of index on disk")
    questions = texts.questions(count)
    first_answers(home, questions[:ROUNDS])
    print(_line("a search, milliseconds", ["CPU p50", "CPU p95", "wall p50", "wall p95"]))
    print(searches(home, questions, "keyword", silent).row("keyword", BAR["keyword"]))
    print(searches(home, questions, "meaning", silent).row("meaning, without the embedding"))
    print(searches(home, questions, "hybrid", silent).row("hybrid, without the embedding", BAR["hybrid"]))
    if asking.embeds_questions:
        print(searches(home, questions, "hybrid", asking).row("hybrid, with the embedding", BAR["embedded"]))
    print(f"memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    print(_line("a change, milliseconds", ["CPU p50", "CPU p95", "wall p50", "wall p95"]))
    changes(home, texts, silent)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, nargs="+", default=[20_000])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--home", type=Path, help="a folder for the desks, kept")
    options = parser.parse_args()
    folder = options.home or Path(tempfile.mkdtemp())
    try:
        for passages in options.passages:
            measure(passages, folder / str(passages), options.questions)
    finally:
        if options.home is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
