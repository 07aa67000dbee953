"""Small sets in BEIR's layout."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

Row = Mapping[str, Any]
MakeSet = Callable[..., Path]


@pytest.fixture
def make_set(tmp_path: Path) -> MakeSet:
    """Writes rows as ``.jsonl`` and judgements as ``qrels.tsv``; ``zipped`` puts ``.gz`` behind."""

    def make(
        corpus: Sequence[Row] | None = None,
        queries: Sequence[Row] = (),
        qrels: Sequence[tuple[str, str, int]] = (),
        *,
        qrels_name: str = "qrels.tsv",
        zipped: bool = False,
    ) -> Path:
        folder = tmp_path / "set"
        folder.mkdir(exist_ok=True)
        contents = {
            "queries.jsonl": _lines(queries),
            qrels_name: "query-id\tcorpus-id\tscore\n"
            + "".join(f"{query}\t{document}\t{grade}\n" for query, document, grade in qrels),
        }
        if corpus is not None:
            contents["corpus.jsonl"] = _lines(corpus)
        for name, text in contents.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            if zipped:
                path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode()))
            else:
                path.write_text(text, encoding="utf-8")
        return folder

    return make


def _lines(rows: Sequence[Row]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)
