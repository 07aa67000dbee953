"""How much of the reference text the first passages hold: our splitting beside plain cuts.

    python benchmarks/passages.py [FOLDER]

FOLDER is the chroma-chunking set (default: the shared corpus beside the repository). Retrieval is BM25 alone
(k1 0.9, b 0.4, English stems), so that the splitting is what differs; recall is the length of
reference text inside the first k passages divided by the length of all reference text of the question,
averaged over questions, after Smith and Troynikov, "Evaluating Chunking Strategies for Retrieval" (2024).
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

import numpy as np
import Stemmer

from refdesk.passages import Passage, count_tokens, split
from refdesk.policy import load_policy

DEFAULT = Path(__file__).parents[2] / "shared" / "corpus" / "retrieval" / "chroma-chunking"
CUTS = (3, 5, 8)
K1, B = 0.9, 0.4

Splitter = Callable[[str], list[Passage]]


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    document: str
    references: list[tuple[int, int]]


def read(path: Path) -> Iterable[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines)


def plain_cuts(size: int) -> Splitter:
    def cut(text: str) -> list[Passage]:
        starts = range(0, len(text), size)
        return [
            Passage(n, text[at : at + size], at, min(at + size, len(text))) for n, at in enumerate(starts, 1)
        ]

    return cut


def policy_cuts(name: str, **overrides: int) -> Splitter:
    policy = load_policy(name, {f"passages.{key}": value for key, value in overrides.items()}).passages
    return lambda text: split(text, "markdown", (), policy.model_copy(update={"max_count": None}))


class Ranking:
    """BM25 over passages."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._stem = Stemmer.Stemmer("english").stemWords
        counts = [Counter(self._terms(text)) for text in texts]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        self._norm = K1 * (1 - B + B * lengths / lengths.mean())
        postings: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, count in enumerate(counts):
            for term, times in count.items():
                postings[term].append((number, times))
        self._postings = {term: np.array(pairs).T for term, pairs in postings.items()}

    def _terms(self, text: str) -> list[str]:
        return list(self._stem(re.findall(r"\w+", text.casefold())))

    def best(self, question: str, k: int) -> list[int]:
        total = len(self._norm)
        scores = np.zeros(total)
        for term in set(self._terms(question)):
            if (found := self._postings.get(term)) is None:
                continue
            holding, times = found
            if len(holding) > total / 5:
                continue
            idf = log(1 + (total - len(holding) + 0.5) / (len(holding) + 0.5))
            scores[holding] += idf * times / (times + self._norm[holding])
        return list(np.argsort(-scores, kind="stable")[:k])


def covered(references: list[tuple[int, int]], spans: list[tuple[int, int]]) -> tuple[int, int]:
    """Characters of the references, and how many of them lie inside the spans."""
    wanted = {place for start, end in references for place in range(start, end)}
    held = {place for start, end in spans for place in range(start, end)}
    return len(wanted), len(wanted & held)


def recalls(documents: dict[str, str], questions: list[Question], cut: Splitter) -> dict[str, float]:
    began = time.process_time()
    passages = [(name, passage) for name, text in documents.items() for passage in cut(text)]
    seconds = time.process_time() - began
    ranking = Ranking([" ".join(passage.section) + " " + passage.text for _, passage in passages])
    sums = dict.fromkeys(CUTS, 0.0)
    for question in questions:
        best = [passages[i] for i in ranking.best(question.text, max(CUTS))]
        for k in CUTS:
            spans = [(found.start, found.end) for name, found in best[:k] if name == question.document]
            wanted, held = covered(question.references, spans)
            sums[k] += held / wanted
    row = {f"@{k}": 100 * total / len(questions) for k, total in sums.items()}
    mean = sum(len(passage.text) for _, passage in passages) / len(passages)
    tokens = sum(count_tokens(passage.text) for _, passage in passages) / len(passages)
    return row | {"passages": len(passages), "characters": mean, "tokens": tokens, "seconds": seconds}


def load(folder: Path) -> tuple[dict[str, str], list[Question]]:
    documents = {str(row["_id"]): str(row["text"]) for row in read(folder / "corpus.jsonl.gz")}
    questions = []
    for row in read(folder / "queries.jsonl.gz"):
        references = row["references"]
        assert isinstance(references, list)
        spans = [(int(span["start"]), int(span["end"])) for span in references]
        questions.append(Question(str(row["text"]), str(row["corpus_id"]), spans))
    return documents, questions


def main(folder: Path) -> None:
    documents, questions = load(folder)
    rows: dict[str, Splitter] = {
        "plain cuts of 1,000 characters": plain_cuts(1_000),
        "packs: 1,000 characters": policy_cuts("packs"),
        "bases: 1,000, one sentence shared": policy_cuts("bases"),
        "plain cuts of 600 characters": plain_cuts(600),
        "voice: 600 characters": policy_cuts("voice"),
        "plain cuts of 400 characters": plain_cuts(400),
        "package: 90 tokens, 20 shared": policy_cuts("package"),
        "package: 90 tokens, none shared": policy_cuts("package", overlap=0),
    }
    print(
        f"{'splitting':36}"
        + "".join(f"{f'recall@{k}':>10}" for k in CUTS)
        + "  passages  chars tokens  CPU s"
    )
    for name, cut in rows.items():
        row = recalls(documents, questions, cut)
        print(
            f"{name:36}"
            + "".join(f"{row[f'@{k}']:10.1f}" for k in CUTS)
            + f"{row['passages']:10,.0f}{row['characters']:7.0f}{row['tokens']:7.0f}{row['seconds']:7.2f}"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT)
