"""How fast a built worker starts and answers, baked and not, and what more workers cost.

    python benchmarks/package.py                             1,000, 10,000 and 100,000 passages, keyword
    python benchmarks/package.py --mode hybrid --sizes 1000 10000
    python benchmarks/package.py --sizes 10000 --repeat 9

A worker runs from its build, in a virtual environment of nothing but its own requirements. Times are of the
wall, from the start of the process to the end of the answer to its first lookup, and of the processor for the
same; of the runs the fastest counts, where the machine is shared. Memory is what a worker has for itself
(USS) and its share of what it maps with others (PSS), after its first lookup. Vectors of documents are
resampled from real ones, since making them would take hours; a question's is made by the worker.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch
from urllib.request import Request, urlopen

from data import ResampledEmbedder, Texts, real_sentences
from refdesk.package.bake import Baked, bake
from refdesk.package.build import build
from refdesk.package.check import check
from refdesk.package.compiled import INDEX
from refdesk.package.init import init
from refdesk.settings import Settings

SIZES = (1_000, 10_000, 100_000)
WORKERS = 4
CHUNK = 256
"""Tokens: a paragraph of these documents is one passage."""
BAR = 0.5
"""Seconds from the start of a baked worker of 10,000 passages to its first answer, by keyword."""
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Started:
    ready: float
    first: float
    cpu: float
    second: float
    private: float
    shared: float


def built(folder: Path, passages: int, mode: str) -> Path:
    """A build with documents of about so many passages."""
    package = folder / f"package-{passages}"
    init(package)
    shutil.rmtree(package / "documents")
    (package / "documents").mkdir()
    texts = Texts()
    for name, text in texts.documents(passages):
        (package / "documents" / name).write_text(text)
    agent = package / "agent.yaml"
    said = f"mode: {mode}\n    embed: local\n    chunk_size: {CHUNK}\n    chunk_overlap: 0"
    agent.write_text(agent.read_text().replace("mode: keyword", said))
    checked = check(package)
    assert checked.package is not None, checked.findings
    out = folder / f"build-{passages}"
    build(checked.package, out, Settings().cache_folder())
    return out


def baked(out: Path) -> list[Baked]:
    resampled = ResampledEmbedder(real_sentences(1_000), embed_questions=False)
    with patch("refdesk.package.bake.open_embedder", return_value=resampled):
        return bake(out)


def environment(out: Path, folder: Path) -> Path:
    """The interpreter of a virtual environment with what the build needs."""
    uv = str(Path(sys.executable).with_name("uv"))
    subprocess.run([uv, "venv", "-q", "--python", sys.executable, str(folder)], check=True)
    python = folder / "bin" / "python"
    install = [uv, "pip", "install", "-q", "--compile-bytecode", "--require-hashes", "--python", str(python)]
    subprocess.run([*install, "-r", str(out / "requirements.txt")], check=True)
    return python


@contextmanager
def worker(python: Path, out: Path, question: str) -> Iterator[Started]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = time.perf_counter()
    process = subprocess.Popen(
        [str(python), "worker.py", "--port", str(port)], cwd=out, stderr=subprocess.DEVNULL
    )
    try:
        wait_for(process, port)
        ready = time.perf_counter() - started
        ask(port, question)
        first = time.perf_counter() - started
        cpu = cpu_of(process.pid)
        again = time.perf_counter()
        ask(port, question)
        second = time.perf_counter() - again
        yield Started(ready, first, cpu, second, *memory_of(process.pid))
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def wait_for(process: subprocess.Popen[bytes], port: int) -> None:
    while True:
        if process.poll() is not None:
            raise SystemExit("the worker did not start")
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except ConnectionRefusedError:
            time.sleep(0.002)
        else:
            return


def ask(port: int, question: str) -> None:
    body = json.dumps({"query": question}).encode()
    url = f"http://127.0.0.1:{port}/agents/reception/tools/look_up"
    with urlopen(Request(url, body)) as reply:
        assert json.loads(reply.read())["hits"]


def cpu_of(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def memory_of(process: int) -> tuple[float, float]:
    """USS and PSS in MB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) for line in lines}
    return (sizes["Private_Clean"] + sizes["Private_Dirty"]) / 1024, sizes["Pss"] / 1024


def measured(python: Path, out: Path, question: str, repeat: int) -> Started:
    runs = []
    for _ in range(repeat):
        with worker(python, out, question) as started:
            runs.append(started)
    return min(runs, key=lambda one: one.first)


def told(what: str, passages: int, one: Started) -> None:
    print(
        f"| {passages:,} | {what} | {one.ready:.2f} | {one.first:.2f} | {one.cpu:.2f} | "
        f"{one.second * 1000:.1f} | {one.private:.0f} |",
        flush=True,
    )


def together(python: Path, out: Path, question: str) -> tuple[float, float]:
    """USS and PSS of one of several workers on one index."""
    with ExitStack() as stack:
        processes = [stack.enter_context(worker(python, out, question)) for _ in range(WORKERS)]
        return processes[-1].private, processes[-1].shared


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--mode", default="keyword", choices=("keyword", "meaning", "hybrid"))
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--baked-only", action="store_true")
    given = parser.parse_args(arguments)
    question = Texts().questions(1)[0]
    print(
        "| passages | index | listens (s) | first answer (s) | of CPU (s) | second (ms) | own memory (MB) |"
    )
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = None
        for size in given.sizes:
            out = built(folder, size, given.mode)
            python = python or environment(out, folder / "venv")
            if given.mode == "keyword" and not given.baked_only:
                told("made at start", size, measured(python, out, question, 1))
            begun = time.perf_counter()
            [made] = baked(out)
            seconds = time.perf_counter() - begun
            told("baked", size, measured(python, out, question, given.repeat))
            own, share = together(python, out, question)
            disk = sum(file.stat().st_size for file in (out / INDEX).rglob("*") if file.is_file()) / 1_048_576
            print(f"\n{made.passages:,} passages, {disk:.0f} MB on disk, baked in {seconds:.1f} s; ", end="")
            print(
                f"{WORKERS} workers: {own:.0f} MB each for itself, {share:.0f} MB with its share\n",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])
