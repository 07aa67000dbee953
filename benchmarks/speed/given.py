"""The data of one comparison, on disk: what every engine is given. Needs numpy alone.

documents/BASE/NAME.txt           what the product reads
passages.jsonl, passages.npy      what it splits them into, and one vector a passage
more/, more.jsonl, more.npy       the same of documents that are added and deleted again
questions.json, questions.npy     the questions and their vectors
about.json                        the embedding model's fingerprint, and words on where all this is from
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]


class Passage(NamedTuple):
    """``indexed`` is the text with its title, as the product indexes and embeds it."""

    base: int
    document: str
    position: int
    text: str
    indexed: str

    @property
    def key(self) -> str:
        return key(self.document, self.position)


def key(document: str, position: int) -> str:
    """The names of documents are unique in the data."""
    return f"{document}:{position}"


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    passages: Sequence[Passage]
    vectors: Vectors


class Given:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.documents = folder / "documents"
        self.more_files = folder / "more"

    @property
    def bases(self) -> int:
        return len(list(self.documents.iterdir()))

    def about(self) -> dict[str, Any]:
        return dict(json.loads((self.folder / "about.json").read_text()))

    def questions(self) -> list[str]:
        return list(json.loads((self.folder / "questions.json").read_text()))

    def question_vectors(self) -> Vectors:
        return _load(self.folder / "questions.npy")

    def passages(self) -> Iterator[Passage]:
        return _passages(self.folder / "passages.jsonl")

    def vectors(self) -> Vectors:
        return _load(self.folder / "passages.npy")

    def by_base(self) -> Iterator[tuple[int, list[Passage], Vectors]]:
        """In the order of the bases."""
        vectors, start = self.vectors(), 0
        for base, group in groupby(self.passages(), lambda passage: passage.base):
            passages = list(group)
            yield base, passages, vectors[start : start + len(passages)]
            start += len(passages)

    def more(self) -> list[Document]:
        vectors, start, found = _load(self.folder / "more.npy"), 0, []
        for name, group in groupby(_passages(self.folder / "more.jsonl"), lambda passage: passage.document):
            passages = list(group)
            found.append(Document(name, passages, vectors[start : start + len(passages)]))
            start += len(passages)
        return found


def write_passages(file: Path, passages: Sequence[Passage]) -> None:
    with file.open("w") as lines:
        lines.writelines(json.dumps(passage) + "\n" for passage in passages)


def _passages(file: Path) -> Iterator[Passage]:
    with file.open() as lines:
        for line in lines:
            yield Passage(*json.loads(line))


def _load(file: Path) -> Vectors:
    import numpy as np  # a process that measures its start imports it with its engine

    return np.load(file, mmap_mode="r")
