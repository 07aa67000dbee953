"""How fast documents are read, and with how much memory, beside the libraries that people take for it.

    python benchmarks/reading.py                    the corpus beside the repository
    python benchmarks/reading.py FOLDER…            your own PDFs and Word files

Every reader reads the same files in a process of its own, pass after pass until two CPU seconds are used, in
three rounds in which the readers take turns; the median counts. CPU seconds, so that other work on the
machine matters little. Refdesk needs none of the libraries that it is compared with: `pip install pypdf
pdfminer.six markitdown[pdf] mammoth python-docx docx2python`. What is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import csv
import gc
import importlib
import json
import logging
import os
import resource
import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

CORPUS = Path(__file__).parents[2] / "shared" / "corpus" / "documents"
ROUNDS = 3
CPU_SECONDS = 2.0
PATIENCE = 300

Read = Callable[[Path], object]


class Measured(NamedTuple):
    """The files that were read, CPU seconds of a pass over them, peak memory of the process or its child."""

    names: list[str]
    cpu: float
    peak_mb: float


def refdesk_pdf() -> Read:
    from refdesk.policy import load_policy
    from refdesk.reading.limits import Limits
    from refdesk.reading.pdf import read_pdf

    limits = Limits.of(load_policy("packs"))
    return as_in_the_child(lambda file: read_pdf(file.read_bytes(), limits))


def refdesk_word() -> Read:
    from refdesk.reading.word import WordLimits, read_word

    limits = WordLimits(max_characters=10**7, max_image_bytes=10**7)
    return as_in_the_child(lambda file: read_word(file.read_bytes(), limits))


def as_in_the_child(read: Read) -> Read:
    """The reading child collects garbage between two documents only; the cost counts."""
    gc.disable()
    gc.freeze()

    def read_and_collect(file: Path) -> None:
        read(file)
        gc.collect()

    return read_and_collect


def refdesk_whole() -> Read:
    """As the product reads: in a child process, with the figures made."""
    from refdesk.policy import load_policy
    from refdesk.reading import read

    policy = load_policy("packs")
    return lambda file: read(file, file.name, None, policy)


def bare_pypdfium2() -> Read:
    pdfium = importlib.import_module("pypdfium2")

    def read(file: Path) -> str:
        document = pdfium.PdfDocument(file.read_bytes())
        texts = []
        for page in document:
            textpage = page.get_textpage()
            texts.append(textpage.get_text_range())
            textpage.close()
            page.close()
        document.close()
        return "\n".join(texts)

    return read


def pypdf() -> Read:
    reader = importlib.import_module("pypdf").PdfReader
    return lambda file: [page.extract_text() for page in reader(file).pages]


def pdfminer() -> Read:
    read: Read = importlib.import_module("pdfminer.high_level").extract_text
    return read


def markitdown() -> Read:
    converter = importlib.import_module("markitdown").MarkItDown(enable_plugins=False)
    return lambda file: converter.convert(str(file)).text_content


def mammoth() -> Read:
    convert = importlib.import_module("mammoth").convert_to_html
    return lambda file: convert(BytesIO(file.read_bytes())).value


def python_docx() -> Read:
    opened = importlib.import_module("docx").Document

    def read(file: Path) -> str:
        document = opened(str(file))
        rows = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
        return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *rows])

    return read


def docx2python() -> Read:
    opened = importlib.import_module("docx2python").docx2python

    def read(file: Path) -> str:
        with opened(file) as document:
            return str(document.text)

    return read


READERS: dict[str, dict[str, Callable[[], Read]]] = {
    "pdf": {
        "refdesk, text": refdesk_pdf,
        "refdesk, child and figures": refdesk_whole,
        "pypdfium2, bare": bare_pypdfium2,
        "pypdf": pypdf,
        "pdfminer.six": pdfminer,
        "markitdown": markitdown,
    },
    "docx": {
        "refdesk, text": refdesk_word,
        "refdesk, child and figures": refdesk_whole,
        "mammoth": mammoth,
        "python-docx": python_docx,
        "docx2python": docx2python,
    },
}


def measure(reader: str, kind: str, files: Sequence[Path]) -> Measured:
    """Runs in a process of its own. The first pass finds what the reader reads; the clock starts after it."""
    read = READERS[kind][reader]()
    readable = [file for file in files if _reads(read, file)]
    began, passes = _cpu(), 0
    while readable and _cpu() - began < CPU_SECONDS:
        for file in readable:
            read(file)
        passes += 1
    return Measured([file.name for file in readable], (_cpu() - began) / max(1, passes), _peak_mb())


def _reads(read: Read, file: Path) -> bool:
    try:
        read(file)
    except Exception:
        return False
    return True


def _children() -> list[Path]:
    """Of this process, those that live: a reading child is not reaped before the end."""
    found = Path("/proc/self/task").glob("*/children")
    return [Path("/proc") / pid for listed in found for pid in listed.read_text().split()]


def _cpu() -> float:
    """Of this process and its children, those that live and those that were replaced."""
    gone = resource.getrusage(resource.RUSAGE_CHILDREN)
    ticks = 0
    for child in _children():
        fields = (child / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return time.process_time() + gone.ru_utime + gone.ru_stime + ticks / os.sysconf("SC_CLK_TCK")


def _peak_mb() -> float:
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    theirs = [
        int(line.split()[1])
        for child in _children()
        for line in (child / "status").read_text().splitlines()
        if line.startswith("VmHWM")
    ]
    return max(own, *theirs, 0) / 1024


def in_own_process(reader: str, kind: str, files: Sequence[Path]) -> Measured | None:
    """``None`` where the library is not installed."""
    done = subprocess.run(
        [sys.executable, __file__, "--measure", kind, reader, *map(str, files)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    if "ModuleNotFoundError" in done.stderr:
        return None
    if done.returncode:
        raise SystemExit(f"{reader} ended with {done.returncode}:\n{done.stderr}")
    return Measured(*json.loads(done.stdout.splitlines()[-1]))


def compare(kind: str, files: Sequence[Path]) -> None:
    """Prints one table. A unit is a page of a PDF, or a Word document."""
    units = {file.name: pages_of(file) if kind == "pdf" else 1 for file in files}
    unit = "pages" if kind == "pdf" else "documents"
    rounds: dict[str, list[Measured]] = {reader: [] for reader in READERS[kind]}
    missing = []
    for _ in range(ROUNDS):
        for reader in [each for each in rounds if each not in missing]:
            if (measured := in_own_process(reader, kind, files)) is None:
                missing.append(reader)
            else:
                rounds[reader].append(measured)
    print(f"\n{len(files)} {kind} files, {sum(units.values())} {unit}, median of {ROUNDS} rounds\n")
    print(f"| reader | {unit} per CPU second | CPU time, first = 1 | files not read | peak memory |")
    print("|---|---|---|---|---|")
    first: float | None = None
    for reader, measured in rounds.items():
        if not measured:
            continue
        read = sum(units[name] for name in measured[0].names)
        each = statistics.median(one.cpu for one in measured) / read
        first = first or each
        peak = max(one.peak_mb for one in measured)
        failed = len(files) - len(measured[0].names)
        print(f"| {reader} | {1 / each:,.0f} | {each / first:.1f} | {failed} | {peak:.0f} MB |")
    if missing:
        print(f"\nNot installed, so not compared: {', '.join(missing)}")


def pages_of(file: Path) -> int:
    return len(importlib.import_module("pypdfium2").PdfDocument(file.read_bytes()))


def kept_files(kind: str) -> list[Path]:
    """Real documents of the corpus that its manifest says are kept: no bombs, no files made for limits."""
    with (CORPUS / "manifest.tsv").open(encoding="utf-8", newline="") as manifest:
        rows = list(csv.DictReader(manifest, delimiter="\t", quoting=csv.QUOTE_NONE))
    kept = [row["file"] for row in rows if row["declared"] == kind and row["outcome"] == "kept"]
    return [CORPUS / name for name in kept if not name.startswith("own-")]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "folders", nargs="*", type=Path, help="PDF and Word files to read instead of the corpus"
    )
    parser.add_argument("--measure", nargs=2, metavar=("KIND", "READER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        kind, reader = given.measure
        logging.disable()
        warnings.simplefilter("ignore")
        print(json.dumps(measure(reader, kind, given.folders)))
        return
    for kind in READERS:
        found = [file for folder in given.folders for file in sorted(folder.rglob(f"*.{kind}"))]
        if files := found if given.folders else kept_files(kind):
            compare(kind, files)


if __name__ == "__main__":
    main()
