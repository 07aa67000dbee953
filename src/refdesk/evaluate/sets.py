"""A folder of questions with known answers, in BEIR's layout.

``corpus.jsonl``      ``{"_id", "title", "text"}`` a line; a folder ``documents/`` may stand in its place
``queries.jsonl``     ``{"_id", "text"}`` a line; ``type``, ``references`` (spans that answer it) and
                      ``answers`` (wordings, one of which an answering text holds) where a set has them
``qrels.tsv``         or ``qrels/test.tsv``: question, document and grade between tabs, under a header

Each file may be gzipped, with ``.gz`` behind its name.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from refdesk.errors import NotFound, UsageError


@dataclass(frozen=True, slots=True)
class Document:
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Span:
    """Characters of a document's text."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Query:
    """``references`` are the spans that answer it, ``answers`` wordings one of which a text that answers it
    holds; both where the set says so."""

    id: str
    text: str
    type: str | None = None
    references: tuple[Span, ...] = ()
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Questions:
    """``qrels`` maps a query to its documents' grades; a query that nothing answers is not in it."""

    queries: tuple[Query, ...]
    qrels: Mapping[str, Mapping[str, int]]
    notes: tuple[str, ...] = field(default=())


def load_questions(folder: Path, file: str = "queries.jsonl") -> Questions:
    """``file`` may name another with the same questions, such as in another language.

    Raises ``NotFound`` for a missing file, ``UsageError`` with file and line for one of another shape.
    """
    if not folder.is_dir():
        raise NotFound(f"There is no folder {str(folder)!r}.", code="file_not_found")
    queries = tuple(_query(row, place) for row, place in _unique(_needed(folder, file)))
    grades: dict[str, dict[str, int]] = {}
    for query, document, grade in _judgements(_needed(folder, "qrels.tsv", "qrels/test.tsv")):
        grades.setdefault(query, {})[document] = grade
    known = {query.id for query in queries}
    strangers = [query for query in grades if query not in known]
    notes = [f"Queries of the qrels that are not in {file}: {len(strangers)}."] if strangers else []
    qrels = {
        query.id: grades[query.id]
        for query in queries
        if any(g > 0 for g in grades.get(query.id, {}).values())
    }
    if not qrels:
        raise UsageError(f"The qrels in {folder} name no relevant document for any query of {file}.")
    return Questions(queries, qrels, tuple(notes))


def corpus_file(folder: Path) -> Path | None:
    return _present(folder, "corpus.jsonl")


def load_corpus(path: Path) -> Iterator[Document]:
    for row, place in _unique(path):
        title = row.get("title") or ""
        if not isinstance(title, str):
            raise _malformed(place, "title is no string")
        yield Document(row["_id"], title, _text(row, place))


@dataclass(frozen=True, slots=True)
class _Place:
    path: Path
    line: int


def _needed(folder: Path, *names: str) -> Path:
    path = _present(folder, *names)
    if path is None:
        raise NotFound(f"There is no {' or '.join(names)} (or .gz) in {folder}.", code="file_not_found")
    return path


def _present(folder: Path, *names: str) -> Path | None:
    places = (folder / f"{name}{ending}" for name in names for ending in ("", ".gz"))
    return next((place for place in places if place.is_file()), None)


def _query(row: dict[str, Any], place: _Place) -> Query:
    kind = row.get("type")
    if kind is not None and not isinstance(kind, str):
        raise _malformed(place, "type is no string")
    return Query(row["_id"], _text(row, place), kind, tuple(_references(row, place)), _answers(row, place))


def _answers(row: dict[str, Any], place: _Place) -> tuple[str, ...]:
    answers = row.get("answers") or ()
    if not isinstance(answers, list | tuple) or not all(isinstance(one, str) and one for one in answers):
        raise _malformed(place, "answers is no list of strings")
    return tuple(answers)


def _references(row: dict[str, Any], place: _Place) -> Iterator[Span]:
    for span in row.get("references", ()):
        try:
            document = span.get("corpus_id") or row["corpus_id"]
            start, end = int(span["start"]), int(span["end"])
        except (KeyError, TypeError, ValueError, AttributeError):
            raise _malformed(place, "a reference has no corpus_id, start or end") from None
        yield Span(str(document), start, end)


def _text(row: dict[str, Any], place: _Place) -> str:
    text = row.get("text")
    if not isinstance(text, str):
        raise _malformed(place, "text is missing or no string")
    return text


def _unique(path: Path) -> Iterator[tuple[dict[str, Any], _Place]]:
    """Rows of a ``.jsonl`` with a string ``_id`` that no other row has."""
    seen: dict[str, int] = {}
    for line, place in _lines(path):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise _malformed(place, f"it is no JSON ({error})") from None
        name = row.get("_id") if isinstance(row, dict) else None
        if not isinstance(name, str | int) or name == "":
            raise _malformed(place, "it is no object with an _id")
        row["_id"] = str(name)
        if row["_id"] in seen:
            raise _malformed(place, f"the _id {row['_id']!r} stands in line {seen[row['_id']]} already")
        seen[row["_id"]] = place.line
        yield row, place


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    for line, place in _lines(path):
        cells = line.split("\t")
        if len(cells) != 3:
            raise _malformed(place, f"it has {len(cells)} cells between tabs instead of 3")
        query, document, grade = (cell.strip() for cell in cells)
        try:
            yield query, document, int(grade)
        except ValueError:
            if place.line > 1:
                raise _malformed(place, f"its grade {grade!r} is no whole number") from None


def _lines(path: Path) -> Iterator[tuple[str, _Place]]:
    """The lines that are not blank, without their ends."""
    number = 0
    try:
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8-sig") as file:
            for number, line in enumerate(file, start=1):
                if line.strip():
                    yield line.rstrip("\r\n"), _Place(path, number)
    except (UnicodeDecodeError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise _malformed(_Place(path, number + 1), f"it cannot be read ({error})") from None


def _malformed(place: _Place, what: str) -> UsageError:
    return UsageError(f"{place.path}, line {place.line}: {what}.")
