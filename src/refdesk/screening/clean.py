"""What no text may hold when it is stored: characters that nobody sees, control tokens of chat models, and
forged fences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from refdesk.screening.edits import Edit, Edited
from refdesk.screening.fences import forged
from refdesk.screening.invisible import invisible
from refdesk.screening.tokens import control_tokens


@dataclass(frozen=True, slots=True)
class Removal:
    """One kind of what is removed: ``one`` and ``many`` name it in a sentence."""

    find: Callable[[str], list[Edit]]
    one: str
    many: str

    def note(self, count: int) -> str:
        return f"{count} {self.one} was removed." if count == 1 else f"{count} {self.many} were removed."


_TOKENS = Removal(control_tokens, "control token of a chat model", "control tokens of a chat model")
# Tokens are looked for again: a fence may have stood inside one. What takes the place of either keeps its
# neighbours apart, so that no fence comes of it.
REMOVALS = (
    Removal(invisible, "invisible character", "invisible characters"),
    _TOKENS,
    Removal(forged, "forged fence of a prompt", "forged fences of a prompt"),
    _TOKENS,
)


def cleaned(text: str) -> Iterator[tuple[Removal, list[Edit], Edited]]:
    """Each removal that found something, what it removed, and the text after it."""
    for removal in REMOVALS:
        if edits := removal.find(text):
            after = Edited(text, edits)
            yield removal, edits, after
            text = after.text


def clean_text(text: str) -> str:
    for _, _, after in cleaned(text):
        text = after.text
    return text
