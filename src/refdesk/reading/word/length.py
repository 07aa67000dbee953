"""How long the text gets. Counted while it is read: a small file can ask for a gigabyte of links or cells."""

from __future__ import annotations

from refdesk.reading.problem import Problem

# Text over the limit is still counted to this many times it, so that the refusal can say how long it is.
_GIVE_UP = 16


class Length:
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.characters = 0

    def add(self, characters: int) -> None:
        """Raises ``Problem("too_many_characters")`` only for what is far over the limit."""
        self.characters += characters
        if self.characters > self.limit * _GIVE_UP:
            self.refuse_over()

    def allow(self, characters: int) -> None:
        """As ``add``, for what is to come: nothing is counted yet."""
        self.add(characters)
        self.characters -= characters

    def refuse_over(self) -> None:
        if self.characters > self.limit:
            raise Problem(
                "too_many_characters",
                f"The document has {self.characters:,} characters of text; "
                f"at most {self.limit:,} are accepted: split it.",
                self.limit,
                self.characters,
            )
