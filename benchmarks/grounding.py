"""How often grounding is right about what the documents cover.

    python benchmarks/grounding.py [FOLDER] [--questions N]

FOLDER holds the sets (default: the shared corpus beside the repository). Each base is asked N of its own
questions (all are answered in it) and N of every other set's, which its documents do not cover: a share
accepted and a share turned away, by hybrid search and by keyword alone. Questions are drawn evenly, always
the same; vectors come from the cache that `refdesk eval` fills, so run that first on the bases.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from refdesk.answer.grounding import acceptable
from refdesk.embedding import LOCAL, CachedEmbedder, cache_file, open_embedder, similarity
from refdesk.evaluate.ingestion import Everything, Ingestion
from refdesk.evaluate.sets import load_questions
from refdesk.index.local import LocalIndex
from refdesk.ingest.context import silent
from refdesk.ingest.settings import IndexSettings
from refdesk.policy import load_policy
from refdesk.policy.model import Mode
from refdesk.search import Found, Meaning, Searched, search
from refdesk.settings import Settings

SETS = Path(__file__).parents[2] / "shared" / "corpus" / "retrieval"
BASES = ("tv-manual", "stackfaq", "msvc-errors", "fetaqa-tables", "scifact")
ASKED = (*BASES, "chroma-chunking")
POLICY = load_policy("packs")
MODES: tuple[Mode, ...] = ("hybrid", "keyword")


@dataclass(frozen=True, slots=True)
class Case:
    base: str
    asked: str
    mode: Mode
    question: str
    found: Found

    @property
    def own(self) -> bool:
        return self.base == self.asked


def questions(folder: Path, name: str, count: int) -> list[str]:
    loaded = load_questions(folder / name)
    texts = [query.text for query in loaded.queries if query.id in loaded.qrels]
    return texts[:: max(1, len(texts) // count)][:count]


def cases(folder: Path, base: str, asked: dict[str, Sequence[str]]) -> Iterator[Case]:
    settings = Settings()
    embedder = CachedEmbedder(open_embedder(LOCAL, settings), cache_file(settings.cache_folder()))
    meaning = Meaning(embedder, partial(similarity, embedder.fingerprint))
    ingestion = Ingestion(POLICY, settings, silent)
    ready = ingestion.prepare(ingestion.sources(folder / base, None))
    with TemporaryDirectory(prefix="refdesk-grounding-") as place:
        index = LocalIndex(Path(place) / "index")
        ingestion.index(ready, index, embedder)
        known = IndexSettings(index)
        searched = Searched(base, base, index, known.languages, known.fingerprint)
        for name, texts in asked.items():
            for text in texts:
                for mode in MODES:
                    found = search(
                        text, [searched], Everything(ready), POLICY.search, meaning=meaning, mode=mode
                    )
                    yield Case(base, name, mode, text, found)
        index.close()


def share(verdicts: Sequence[bool]) -> str:
    return f"{sum(verdicts) / len(verdicts):6.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=SETS)
    parser.add_argument("--questions", type=int, default=60)
    options = parser.parse_args()
    asked = {name: questions(options.folder, name, options.questions) for name in ASKED}
    print("| base | own accepted, hybrid | others turned away | own accepted, keyword | others turned away |")
    print("|---|---|---|---|---|")
    totals: dict[tuple[Mode, bool], list[bool]] = {}
    for base in BASES:
        right: dict[tuple[Mode, bool], list[bool]] = {}
        for case in cases(options.folder, base, asked):
            right.setdefault((case.mode, case.own), []).append(
                acceptable(case.question, case.found) == case.own
            )
        for kind, verdicts in right.items():
            totals.setdefault(kind, []).extend(verdicts)
        print(row(base, right), flush=True)
    print(row("all", totals))


def row(name: str, right: dict[tuple[Mode, bool], list[bool]]) -> str:
    return (
        " | ".join([f"| {name}", *(share(right[mode, own]) for mode in MODES for own in (True, False))])
        + " |"
    )


if __name__ == "__main__":
    main()
