"""The demo's packs as data. Their documents are the files of ``packs/<slug>``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

from refdesk.demo.source import Source, parse


@dataclass(frozen=True, slots=True)
class Pack:
    slug: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Question:
    """``answer`` stands in a passage of ``document``, a file name; ``refdesk demo`` asks the ``shown``."""

    text: str
    pack: str
    document: str
    answer: str
    shown: bool


PACKS = (
    Pack(
        "operations-runbooks",
        "Operations runbooks",
        "What to do when a job, an interface, a lock, a close or a restart needs a person. Generic.",
    ),
    Pack(
        "writing-guides",
        "Writing guides",
        "How specifications and other technical documents are written, with a template and an example.",
    ),
    Pack(
        "service-desk-policies",
        "Service desk policies",
        "Priorities and times, changes and their windows, and equipment on loan.",
    ),
)


def sources(pack: Pack) -> Iterator[Source]:
    folder = _here() / "packs" / pack.slug
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        yield parse(file.name.removesuffix(".md"), file.read_text("utf-8"))


def questions() -> tuple[Question, ...]:
    table = tomllib.loads((_here() / "questions.toml").read_text("utf-8"))
    return tuple(
        Question(
            entry["question"], entry["pack"], entry["document"], entry["answer"], entry.get("shown", False)
        )
        for entry in table["questions"]
    )


def _here() -> Traversable:
    return resources.files("refdesk.demo")
