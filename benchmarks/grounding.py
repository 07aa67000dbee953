"""How often grounding is right about what the documents cover.

    python benchmarks/grounding.py [FOLDER] [--questions N] [--bases NAME ...]

FOLDER holds the sets (default: the shared corpus beside the repository). Each base is asked N of its own
questions (all are answered in it), N of the other sets' together, which its documents do not cover, and those
of ``uncovered/NAME.txt``: written for it by somebody who knows its world, about what its documents lack. Rows
are halves of each kind, to show what a choice of questions is worth. ``demo`` is the catalog that the product
ships. Questions are drawn evenly, always the same; vectors come from the cache that `refdesk eval` fills.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.answer.grounding import acceptable
from refdesk.demo.catalog import packs
from refdesk.demo.make import write
from refdesk.embedding import LOCAL, CachedEmbedder, cache_file, open_embedder
from refdesk.evaluate.ingestion import Ingestion, Source
from refdesk.evaluate.run import indexed
from refdesk.evaluate.sets import load_questions
from refdesk.ingest.context import silent
from refdesk.policy import load_policy
from refdesk.policy.model import Mode
from refdesk.settings import Settings

SETS = Path(__file__).parents[2] / "shared" / "corpus" / "retrieval"
UNCOVERED = Path(__file__).with_name("uncovered")
DEMO = Path(__file__).parents[1] / "src" / "refdesk" / "demo" / "questions"
BASES = ("tv-manual", "stackfaq", "chroma-chunking", "xquad-de", "xquad-es", "demo")
ASKED = ("tv-manual", "stackfaq", "chroma-chunking", "msvc-errors", "fetaqa-tables", "scifact")
POLICY = load_policy("packs")
MODES: tuple[Mode, ...] = ("hybrid", "keyword")

Questions = dict[str, list[str]]
"""By what they are to the base: ``own``, ``near`` or ``far``."""


def drawn(texts: Sequence[str], count: int) -> list[str]:
    return list(texts[:: max(1, len(texts) // count)][:count])


def covered(folder: Path) -> list[str]:
    loaded = load_questions(folder)
    return [query.text for query in loaded.queries if query.id in loaded.qrels]


def questions(sets: Path, base: str, count: int) -> Questions:
    folder = DEMO if base == "demo" else sets / base
    others = [name for name in ASKED if name != base]
    far = [text for name in others for text in drawn(covered(sets / name), max(1, count // len(others)))]
    return {"own": drawn(covered(folder), count), "near": near(base, folder), "far": far}


def near(base: str, folder: Path) -> list[str]:
    file = UNCOVERED / f"{base}.txt"
    written = file.read_text("utf-8").splitlines() if file.is_file() else []
    loaded = load_questions(folder)
    return written + [query.text for query in loaded.queries if query.id not in loaded.qrels]


def sources(sets: Path, base: str, ingestion: Ingestion, room: ExitStack) -> Iterator[Source]:
    if base != "demo":
        return ingestion.sources(sets / base, None)
    folder = Path(room.enter_context(TemporaryDirectory(prefix="refdesk-grounding-")))
    for pack in packs():
        (folder / pack.name).mkdir()
        write(pack, folder / pack.name)
    return ingestion.sources(sets, folder)


def measure(sets: Path, base: str, count: int) -> None:
    settings = Settings()
    embedder = CachedEmbedder(open_embedder(LOCAL, settings), cache_file(settings.cache_folder()))
    ingestion = Ingestion(POLICY, settings, silent)
    asked = questions(sets, base, count)
    with ExitStack() as room:
        documents = sources(sets, base, ingestion, room)
        desk = room.enter_context(indexed(ingestion, documents, embedder, POLICY))
        for mode in MODES:

            def accepted(text: str, mode: Mode = mode) -> bool:
                return acceptable(text, desk.found(text, mode))

            for half in (0, 1):
                print(row(base, mode, half, asked, accepted), flush=True)


def row(base: str, mode: Mode, half: int, asked: Questions, accepted: Callable[[str], bool]) -> str:
    cells = [base, mode, ("first", "second")[half]]
    for kind, texts in asked.items():
        verdicts = [accepted(text) == (kind == "own") for text in texts[half::2]]
        cells.append(f"{sum(verdicts) / len(verdicts):.1%} of {len(verdicts)}" if verdicts else "")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=SETS)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--bases", nargs="+", default=BASES, choices=BASES)
    options = parser.parse_args()
    print("| base | search | half | own accepted | near turned away | far turned away |")
    print("|---|---|---|---|---|---|")
    for base in options.bases:
        measure(options.folder, base, options.questions)


if __name__ == "__main__":
    main()
