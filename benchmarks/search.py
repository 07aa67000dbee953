"""How fast passages are searched: Refdesk, LanceDB, Chroma and SQLite FTS5 with sqlite-vec on the same data.

    make bench                                         all of it: an hour, most of it building
    python benchmarks/search.py --passages 20000 --bases 1
    python benchmarks/search.py --skip lance chroma    without engines that are not installed
    python benchmarks/search.py --home DIR             keeps data and indexes there and takes them again

Each engine runs in processes of its own, the others' in an environment of their own (``make bench`` makes
``.venv-bench`` from ``requirements.txt`` beside this file). How each is used stands at the top of its module
in ``speed/engines``; all get the same passages, vectors and questions and give the texts of 8 hits. CPU is
of all threads: the mean is that of all questions together, by question; percentiles are of single ones. Exit
code 1 where a bar is missed.
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
from pathlib import Path
from typing import Any

from refdesk.errors import Failed
from speed.clock import disk
from speed.given import Given
from speed.made import make, make_real
from speed.table import BAKED, NAMES, OTHERS, REFDESK, TUNED, TUNED_FROM, rows, show

HERE = Path(__file__).parent
OWN = Path(sys.executable)
THEIRS = HERE.parent / ".venv-bench" / "bin" / "python"
STORES = {"sqlite_rare": "sqlite", TUNED: "lance", "refdesk_embedding": REFDESK}
"""Where an engine searches what another has built."""
APPROXIMATE = {
    "local_index": "Refdesk, which compares all of so few",
    "local_index_bits": "Refdesk, the share compared that it compares of 200,000",
    "lance_indexed": "LanceDB with IVF_HNSW_SQ",
    "chroma": "Chroma",
}
THEIR_NAMES = {*OTHERS, "lance_indexed"}
STARTS = 7
LAUNCH = """
import runpy, sys
sys.path.append(sys.argv.pop(1))
runpy.run_module(sys.argv.pop(1), run_name="__main__")
"""
"""Runs a module of this folder, which stands behind all libraries: no file here hides one of theirs."""
REAL_QUESTIONS = 400
QUIET = {"LANCEDB_LOG": "error", "PYTHONWARNINGS": "ignore", "ANONYMIZED_TELEMETRY": "False"}


def main() -> int:
    options = _options()
    _check_installed(options.skip)
    folder = options.home or Path(tempfile.mkdtemp())
    try:
        if options.real:
            recall(folder / "real", options.real, options.skip)
        bars = [met for one in _comparisons(options, folder) for met in one]
    finally:
        if options.home is None:
            shutil.rmtree(folder)
    return 0 if all(bars) else 1


def _comparisons(options: argparse.Namespace, folder: Path) -> Iterator[Iterator[bool]]:
    for passages in options.passages:
        for bases in options.bases:
            place = folder / f"{passages}-in-{bases}"
            given = make(place / "data", passages, bases, options.questions)
            engines = [name for name in NAMES if name not in options.skip]
            if passages // bases <= TUNED_FROM and TUNED in engines:
                engines.remove(TUNED)
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


def recall(place: Path, sentences: int, skip: Sequence[str]) -> None:
    """What engines that approximate find of the nearest, on real vectors."""
    try:
        given = make_real(place / "data", sentences, REAL_QUESTIONS)
    except Failed as error:
        print(f"Recall on real vectors is left out. {error.message}")
        return
    print(f"\nrecall@10 among {len(given.vectors()):,} real sentences, questions of the same sets:\n")
    for name, label in APPROXIMATE.items():
        if not name.startswith(tuple(skip)):
            _built(name, given, place / name)
            print(f"- {label}: {_run(name, 'recall', given, place / name)['recall']:.3f}")


def _measured(name: str, given: Given, place: Path) -> dict[str, Any]:
    store = place / STORES.get(name, name)
    found: dict[str, Any] = {}
    if name not in STORES:
        found["build"] = _built(name, given, store)
        found["disk"] = disk(store)
        found["first"] = [_run(name, "first", given, store) for _ in range(STARTS)]
    if (name not in STORES or name == TUNED) and name not in {REFDESK, BAKED}:
        found["recall"] = _run(name, "recall", given, store)  # Refdesk gives 8 at most; its index is asked
    found["search"] = _run(name, "search", given, store)
    if name not in STORES and name != BAKED:
        found["change"] = _run(name, "change", given, store)
    if name == REFDESK:
        found["beside"] = _beside(name, given, store)
    return found


def _beside(name: str, given: Given, store: Path) -> dict[str, Any]:
    """Changes by one process while another searches, and those searches that begin during the changes."""
    command = _command(OWN, "speed.worker", name, "searching", str(given.folder), str(store))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as searching:
        assert searching.stdout is not None
        searching.stdout.readline()
        changes = _run(name, "change", given, store)
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
        kept.write_text(json.dumps(_run(name, "build", given, store)))
    return dict(json.loads(kept.read_text()))


def _with_embedding(results: dict[str, dict[str, Any]], given: Given, place: Path) -> None:
    """Refdesk embeds the question itself; to the others' searches the cost of doing so before is added."""
    asked = _json(OWN, "speed.embedding", str(given.folder))
    for name in OTHERS:
        found = results.get(name, {}).get("search", {})
        if "hybrid" in found:
            plain = found["hybrid"]
            added = {
                clock: [sum(pair) for pair in zip(plain[clock], asked[clock], strict=True)]
                for clock in ("cpu", "wall")
            }
            found["hybrid with embedding"] = added | {"mean": plain["mean"] + asked["mean"]}
    own = _measured("refdesk_embedding", given, place)["search"]["hybrid"]
    results[REFDESK]["search"]["hybrid with embedding"] = own


def _run(name: str, task: str, given: Given, store: Path) -> dict[str, Any]:
    print(f"{NAMES.get(name, name)}: {task}", file=sys.stderr)
    python = THEIRS if name in THEIR_NAMES else OWN
    return _json(python, "speed.worker", name, task, str(given.folder), str(store))


def _json(python: Path, *module: str) -> dict[str, Any]:
    done = subprocess.run(
        _command(python, *module),
        env={**os.environ, **QUIET}, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return dict(json.loads(done.stdout.splitlines()[-1]))


def _command(python: Path, *module: str) -> list[str]:
    return [str(python), "-P", "-c", LAUNCH, str(HERE), *module]


def _check_installed(skip: Sequence[str]) -> None:
    missing = [name for name in OTHERS if name not in skip and not _importable(name)]
    for name in skip:
        print(f"{NAMES[name]} is left out.")
    if missing:
        raise SystemExit(
            f"{', '.join(NAMES[name] for name in missing)}: not installed in {THEIRS.parents[1].name}. Run "
            f"`make bench`, which installs them, or leave them out: --skip {' '.join(missing)}."
        )


def _importable(name: str) -> bool:
    command = [str(THEIRS), "-c", f"import speed.engines.{name}"]
    if not THEIRS.exists():
        return False
    return subprocess.run(command, cwd=HERE, check=False, capture_output=True).returncode == 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--passages", type=int, nargs="+", default=[1_000, 20_000, 200_000])
    parser.add_argument("--bases", type=int, nargs="+", default=[1, 50])
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--real", type=int, default=10_000, help="real vectors for recall; 0 for none")
    parser.add_argument("--skip", nargs="+", choices=NAMES, default=[], help="engines to leave out")
    parser.add_argument("--home", type=Path, help="a folder for data and indexes, kept")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
