"""How fast passages are searched: Refdesk, LanceDB, Chroma and SQLite FTS5 with sqlite-vec on the same data.

    make bench                                         all of it: an hour, most of it building
    python benchmarks/search.py --passages 20000 --bases 1
    python benchmarks/search.py --skip lance chroma    without engines that are not installed
    make bench-also                                    with txtai and LlamaIndex, which stand in no ratio
    python benchmarks/search.py --also txtai           with one of them, once they are installed
    python benchmarks/search.py --home DIR             keeps data and indexes there and takes them again

Each engine runs in processes of its own, the others' in environments of their own (``make bench`` makes
``.venv-bench`` from ``requirements.txt`` beside this file, ``make bench-also`` ``.venv-bench-also`` from
``requirements-also.txt``). How each is used stands at the top of its module in ``speed/engines``; all get the
same passages, vectors and questions and give the texts of 8 hits. CPU is of all threads: the mean is that of
all questions together, by question; percentiles are of single ones. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import starmap
from pathlib import Path
from typing import Any

from refdesk.errors import Failed
from speed.clock import disk
from speed.contenders import BAKED, COLUMNS, CONTENDERS, OPTIONAL, OWN, REFDESK, TUNED, Environment
from speed.given import Given
from speed.made import make, make_real
from speed.processes import command, importable, printed, run, worker
from speed.table import TUNED_FROM, rows, show

DEFAULT = [name for name in COLUMNS if name not in OPTIONAL]
APPROXIMATE = {
    "local_index": "Refdesk, which compares all of so few",
    "local_index_bits": "Refdesk, the share compared that it compares of 200,000",
    "lance_indexed": "LanceDB with IVF_HNSW_SQ",
    "chroma": "Chroma",
    "txtai": "txtai",
}
STARTS = 7
REAL_QUESTIONS = 400


def main() -> int:
    options = _options()
    chosen = [name for name in COLUMNS if name not in options.skip and name in {*DEFAULT, *options.also}]
    _check_installed(chosen)
    for name in options.skip:
        print(f"{COLUMNS[name].label} is left out.")
    folder = options.home or Path(tempfile.mkdtemp())
    try:
        if options.real:
            recall(folder / "real", options.real, chosen)
        bars = [met for one in _comparisons(options, chosen, folder) for met in one]
    finally:
        if options.home is None:
            shutil.rmtree(folder)
    return 0 if all(bars) else 1


def _comparisons(
    options: argparse.Namespace, chosen: Sequence[str], folder: Path
) -> Iterator[Iterator[bool]]:
    for passages in options.passages:
        for bases in options.bases:
            place = folder / f"{passages}-in-{bases}"
            given = make(place / "data", passages, bases, options.questions)
            tuned = passages // bases > TUNED_FROM
            engines = [name for name in chosen if tuned or name != TUNED]
            yield compare(given, place, engines, passages)


def compare(given: Given, place: Path, engines: Sequence[str], passages: int) -> Iterator[bool]:
    results = {name: _measured(name, given, place) for name in engines}
    if REFDESK in results and given.about()["embeds"]:
        _with_embedding(results, given, place)
    bases = f"{given.bases} bases" if given.bases > 1 else "one base"
    print(f"\n{passages:,} passages in {bases}; {given.about()['origin']}")
    print(
        f"{datetime.now(UTC):%Y-%m-%d}, {os.cpu_count()} cores, Python {platform.python_version()}; ", end=""
    )
    print("; ".join(dict.fromkeys(one["search"]["versions"] for one in results.values())))
    print(f"{os.getloadavg()[0]:.1f} processes ran at once: wall times include waiting\n")
    yield from show(results, list(rows(passages, given.bases)))


def recall(place: Path, sentences: int, chosen: Sequence[str]) -> None:
    """What engines that approximate find of the nearest, on real vectors."""
    try:
        given = make_real(place / "data", sentences, REAL_QUESTIONS)
    except Failed as error:
        print(f"Recall on real vectors is left out. {error.message}")
        return
    print(f"\nrecall@10 among {len(given.vectors()):,} real sentences, questions of the same sets:\n")
    for name, label in APPROXIMATE.items():
        if name.startswith(tuple(chosen)):
            _built(name, given, place / name)
            print(f"- {label}: {run(name, 'recall', given, place / name)['recall']:.3f}")


def _measured(name: str, given: Given, place: Path) -> dict[str, Any]:
    built_by = CONTENDERS[name].searches
    store = place / (built_by or name)
    found: dict[str, Any] = {}
    if built_by is None:
        found["build"] = _built(name, given, store)
        found["disk"] = disk(store)
        found["first"] = [run(name, "first", given, store) for _ in range(STARTS)]
    if (built_by is None or name == TUNED) and name not in {REFDESK, BAKED}:
        found["recall"] = run(name, "recall", given, store)  # Refdesk gives 8 at most; its index is asked
    found["search"] = run(name, "search", given, store)
    if built_by is None and name != BAKED:
        found["change"] = run(name, "change", given, store)
    if name == REFDESK:
        found["beside"] = _beside(name, given, store)
    return found


def _beside(name: str, given: Given, store: Path) -> dict[str, Any]:
    """Changes by one process while another searches, and those searches that begin during the changes."""
    beside = command(CONTENDERS[name].environment.python, *worker(name, "searching", given, store))
    with subprocess.Popen(beside, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as searching:
        assert searching.stdout is not None
        searching.stdout.readline()
        changes = run(name, "change", given, store)
        found = json.loads(searching.communicate()[0].splitlines()[-1])
    first, last = changes["during"]
    for mode in ("keyword", "hybrid"):
        changes[mode] = {"cpu": [used for began, used in found[mode] if first <= began < last]}
    return changes


def _built(name: str, given: Given, store: Path) -> dict[str, Any]:
    """What it cost is kept beside what was built."""
    kept = store.with_suffix(".built.json")
    if not kept.exists():
        shutil.rmtree(store, ignore_errors=True)
        kept.write_text(json.dumps(run(name, "build", given, store)))
    return dict(json.loads(kept.read_text()))


def _with_embedding(results: dict[str, dict[str, Any]], given: Given, place: Path) -> None:
    """Refdesk embeds the question itself; to the others' searches the cost of doing so before is added."""
    asked = printed(OWN.python, "speed.embedding", str(given.folder))
    for name in results:
        found = results[name]["search"]
        if "hybrid" in found and CONTENDERS[name].environment is not OWN:
            plain = found["hybrid"]
            added = {
                clock: [sum(pair) for pair in zip(plain[clock], asked[clock], strict=True)]
                for clock in ("cpu", "wall")
            }
            found["hybrid with embedding"] = added | {"mean": plain["mean"] + asked["mean"]}
    own = _measured("refdesk_embedding", given, place)["search"]["hybrid"]
    results[REFDESK]["search"]["hybrid with embedding"] = own


def _check_installed(chosen: Sequence[str]) -> None:
    """Exits with a sentence for each environment that lacks an engine."""
    missing: dict[Environment, list[str]] = {}
    for name in chosen:
        if not importable(name):
            missing.setdefault(CONTENDERS[name].environment, []).append(name)
    if missing:
        raise SystemExit("\n".join(starmap(_lacking, missing.items())))


def _lacking(environment: Environment, names: Sequence[str]) -> str:
    return (
        f"{', '.join(COLUMNS[name].label for name in names)}: not installed in {environment.name}. Run "
        f"`{environment.made_by}`, which installs them, or run this {environment.without} {' '.join(names)}."
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, nargs="+", default=[1_000, 20_000, 200_000])
    parser.add_argument("--bases", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--real", type=int, default=10_000, help="real vectors for recall; 0 for none")
    parser.add_argument("--skip", nargs="+", choices=DEFAULT, default=[], help="engines to leave out")
    parser.add_argument("--also", nargs="+", choices=OPTIONAL, default=[], help="engines to take in as well")
    parser.add_argument("--home", type=Path, help="a folder for data and indexes, kept")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
