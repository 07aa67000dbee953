"""A value of a key: of the right type and range, or an error that quotes it as it stands in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeVar

import yaml

from refdesk.package.findings import Findings, Place, did_you_mean
from refdesk.package.nodes import TAG, Entry, Items, Mapping, Node, Scalar

Word = TypeVar("Word", bound=str)

_WHOLE = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_SHOWN = 60
_QUOTE = ": put quotes around text"
_TYPES = {
    "bool": "a yes or no",
    "int": "a number",
    "float": "a number",
    "null": "nothing",
    "timestamp": "a date",
}


def shown(node: Node) -> str:
    """As it is written, cut where it is long; lists and mappings by their name."""
    if isinstance(node, Items):
        return "a list"
    if isinstance(node, Mapping):
        return "a mapping"
    line = " ".join(node.written.split())
    return f"`{line[:_SHOWN]}…`" if len(line) > _SHOWN else f"`{line}`" if line else "nothing"


class Values:
    """Reads values and tells what is wrong with them; what is wrong reads as ``None``. Of ``hidden`` ones
    neither value nor line is quoted: somebody may have written a credential there."""

    def __init__(self, findings: Findings, *, hidden: bool = False) -> None:
        self._findings = findings
        self._hidden = hidden

    def mapping(self, node: Node | None, what: str, holds: str, place: Place) -> Mapping | None:
        """``what`` must be a mapping that ``holds`` something; ``place`` is where there is no node."""
        if isinstance(node, Mapping):
            return node
        if node is None or (isinstance(node, Scalar) and node.tag == "null"):
            self._wrong(place, f"{what} is empty: it is a mapping of {holds}.")
        else:
            self._wrong(node.place, f"{what} is {shown(node)}, and must be a mapping of {holds}.")
        return None

    def items(self, entry: Entry, of: str) -> Sequence[Node]:
        if isinstance(entry.value, Items):
            return entry.value.items
        self._type(entry, f"a list of {of}")
        return ()

    def text(self, entry: Entry, what: str = "text") -> str | None:
        value = entry.value
        if isinstance(value, Scalar) and value.tag in ("str", "value"):
            if value.text.strip():
                return value.text
            self._wrong(value.place, f"`{entry.key}` is empty: it is {what}.")
            return None
        self._type(entry, what, _QUOTE)
        return None

    def word(self, node: Node, what: str) -> str | None:
        """An item of a list."""
        if isinstance(node, Scalar) and node.tag == "str" and node.text.strip():
            return node.text
        if self._hidden:
            self._wrong(node.place, f"What stands here is not {what}.")
        else:
            self._wrong(node.place, f"{shown(node)} stands here{_read_as(node)}; it is {what}.")
        return None

    def choice(self, entry: Entry, known: Sequence[Word]) -> Word | None:
        text = self._plain(entry, f"one of {', '.join(known)}")
        found = next((one for one in known if one == text), None)
        if text is not None and found is None:
            self._findings.error(
                entry.value.place,
                "unknown_value",
                f"`{entry.key}` is {shown(entry.value)}; it is one of {', '.join(known)}."
                f"{did_you_mean(text, known)}",
            )
        return found

    def yes_or_text(self, entry: Entry) -> bool | str | None:
        value = entry.value
        if isinstance(value, Scalar) and value.tag == "bool":
            made: bool | None = yaml.SafeLoader.bool_values.get(value.text.lower())
            if made is None:
                self._type(entry, "true or false")
            return made
        return self.text(entry, "true, false or the voice framework's own word")

    def whole(self, entry: Entry, least: int, most: int, most_is: str = "") -> int | None:
        """``most_is`` says what the upper end is, where it is no number of its own."""
        what = f"a whole number from {least} to {most}{most_is}"
        value = entry.value
        if not (isinstance(value, Scalar) and value.tag == "int" and _WHOLE.fullmatch(value.text)):
            self._type(entry, what)
            return None
        number = int(value.text) if len(value.text) < _SHOWN else most + 1
        return number if self._within(entry, least <= number <= most, what) else None

    def share(self, entry: Entry) -> float | None:
        what = "a number from 0 to 1"
        value = entry.value
        if not (
            isinstance(value, Scalar) and value.tag in ("int", "float") and _DECIMAL.fullmatch(value.text)
        ):
            self._type(entry, what)
            return None
        number = float(value.text)
        return number if self._within(entry, 0 <= number <= 1, what) else None

    def _within(self, entry: Entry, within: bool, what: str) -> bool:
        if not within:
            message = f"`{entry.key}` is {shown(entry.value)}; it is {what}."
            self._findings.error(entry.value.place, "out_of_range", message)
        return within

    def _plain(self, entry: Entry, what: str) -> str | None:
        value = entry.value
        if isinstance(value, Scalar) and value.tag == "str":
            return value.text
        self._type(entry, what, _QUOTE)
        return None

    def _type(self, entry: Entry, what: str, remedy: str = "") -> None:
        value = entry.value
        empty = isinstance(value, Scalar) and value.tag == "null" and not value.written
        place = entry.place if empty else value.place
        if self._hidden and isinstance(value, Scalar) and not empty:
            self._wrong(place, f"`{entry.key}` is {what}, and something else stands here.")
            return
        read_as = _read_as(value)
        self._wrong(
            place, f"`{entry.key}` is {shown(value)}{read_as}; it is {what}{remedy if read_as else ''}."
        )

    def _wrong(self, place: Place, message: str) -> None:
        self._findings.error(place, "wrong_type", message, hidden=self._hidden)


def _read_as(node: Node) -> str:
    """What YAML makes of a word that does not look like it."""
    if not isinstance(node, Scalar) or not node.written:
        return ""
    if node.tag == "str":
        return ", which is text" if node.written[:1] in "'\"" and _DECIMAL.fullmatch(node.text) else ""
    if node.tag in ("int", "float") and _DECIMAL.fullmatch(node.text) and not _octal(node.text):
        return ""
    return f", which YAML reads as {_TYPES.get(node.tag, node.tag)}{_made(node)}"


def _octal(text: str) -> bool:
    return len(text) > 1 and text[0] == "0" and text.isdigit()


def _made(node: Scalar) -> str:
    try:
        made = yaml.SafeLoader("").construct_object(yaml.ScalarNode(f"{TAG}{node.tag}", node.text))
        text = str(made)
    except (
        yaml.YAMLError,
        ValueError,
        LookupError,
        AttributeError,
        ArithmeticError,
    ):  # a tag that is written
        return ""
    if made is None or len(text) > _SHOWN:
        return ""
    return f" ({text.lower() if isinstance(made, bool) else text})"
