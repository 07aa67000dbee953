"""What is wrong with a package: ``file:line:column``, the line, a caret, one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

CODES = {
    # errors
    "missing_file": "A file that belongs to the package is not there, or cannot be read.",
    "yaml": "The file is no YAML, or has what is not read in a package: tags, several documents, odd bytes.",
    "duplicate_key": "A key stands twice in one mapping.",
    "unknown_key": "There is no such key here.",
    "refused_key": "The key belongs to another kind of tool: a knowledge tool owns its whole contract.",
    "missing_key": "A key that must be there is missing.",
    "wrong_type": "The value is of another type than the key takes, or YAML reads it as one.",
    "out_of_range": "A number is outside its range.",
    "unknown_value": "The value is none of those that the key takes.",
    "bad_name": "A name has characters or a length that it may not have.",
    "unknown_name": "A tool or base is named that the package does not have.",
    "missing_credential": "A service needs a credential, and `secrets` does not list it.",
    "min_score_with_keyword": "`min_score` needs scores, and keyword search has none.",
    "outside_package": "A path is absolute, or leads out of the package.",
    "path_not_found": "A path leads to nothing, or to a file.",
    # warnings
    "base_not_searched": "No agent has a tool that searches the base.",
    "reads_much": "A lookup may hand the model more than 1,500 tokens.",
    "min_score_high": "`min_score` is so high that it may drop answers.",
    "no_documents": "The folder holds no document that is read.",
    "no_description": "A tool has no description, so a model cannot tell when to call it.",
}
"""Every code of a finding, with what it means."""


@dataclass(frozen=True)
class Source:
    """``name`` is the file's path in the package, with ``/``."""

    name: str
    text: str

    @cached_property
    def lines(self) -> Sequence[str]:
        return [line.removesuffix("\r") for line in self.text.split("\n")]

    def place(self, index: int) -> Place:
        """Of the character at ``index`` of the text."""
        index = max(0, min(index, len(self.text)))
        before = self.text.rfind("\n", 0, index)
        return Place(self, self.text.count("\n", 0, index) + 1, index - before)


@dataclass(frozen=True)
class Place:
    """``line`` and ``column`` count from 1, the column in characters."""

    source: Source
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Finding:
    file: str
    line: int
    column: int
    code: str
    message: str
    text: str = ""
    """The line itself; empty where it is not shown."""

    def to_dict(self) -> dict[str, Any]:
        named = ("file", "line", "column", "code", "message")
        return {name: getattr(self, name) for name in named}

    def pointed(self) -> str:
        """The line with a caret under its column; tabs stay as wide as they are."""
        lead = "".join("\t" if character == "\t" else " " for character in self.text[: self.column - 1])
        return f"{self.text}\n{lead}^"


@dataclass(slots=True)
class Findings:
    errors: list[Finding] = field(default_factory=list)
    warnings: list[Finding] = field(default_factory=list)
    _hidden: set[tuple[str, int]] = field(default_factory=set)

    def error(self, place: Place, code: str, message: str, *, hidden: bool = False) -> None:
        """``hidden``: its line may hold a credential, and is shown by no finding."""
        if hidden:
            self._hidden.add((place.source.name, place.line))
        self._add(self.errors, place, code, message)

    def warn(self, place: Place, code: str, message: str) -> None:
        self._add(self.warnings, place, code, message)

    def missing(self, file: str, message: str) -> None:
        """A file that has no lines to point at."""
        self.errors.append(Finding(file, 1, 1, "missing_file", message))

    def sort(self) -> None:
        """By file and place, without the lines that must not be shown."""
        for some in (self.errors, self.warnings):
            some[:] = [replace(one, text="") if (one.file, one.line) in self._hidden else one for one in some]
            some.sort(key=lambda one: (one.file != "agent.yaml", one.file, one.line, one.column))

    def to_dict(self) -> dict[str, Any]:
        return {
            "errors": [one.to_dict() for one in self.errors],
            "warnings": [one.to_dict() for one in self.warnings],
        }

    @staticmethod
    def _add(to: list[Finding], place: Place, code: str, message: str) -> None:
        if code not in CODES:
            raise ValueError(f"{code} is not in findings.CODES")
        text = place.source.lines[place.line - 1]
        found = Finding(place.source.name, place.line, place.column, code, message, text)
        if found not in to:
            to.append(found)


def did_you_mean(written: str, known: Iterable[str]) -> str:
    """A question to stand behind a sentence, or nothing."""
    near = get_close_matches(written.casefold(), list(known), n=1, cutoff=0.6)
    return f" Did you mean `{near[0]}`?" if near else ""
