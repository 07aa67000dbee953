"""How much a service takes in one request. Without its tokenizer, bytes stand for tokens.

A token of a byte-level vocabulary holds at least one byte, so a request of so many bytes never has more
tokens than that: a batch packed by bytes is smaller than it might be, and never refused for its size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_BYTES_A_TOKEN = 2  # fewer than in any prose, so that only figures and hashes are cut before their window


@dataclass(frozen=True, slots=True)
class Limits:
    """``tokens`` are of a whole request, ``text_tokens`` and ``characters`` of one text; ``None`` where the
    service cuts by itself or says nothing. ``texts_count`` where each text is a request to its rate limit."""

    texts: int
    tokens: int | None = None
    text_tokens: int | None = None
    characters: int | None = None
    texts_count: bool = False

    def cut(self, text: str) -> str:
        """The beginning that the service takes."""
        text = text[: self.characters]
        if self.text_tokens is None:
            return text
        return text.encode()[: self.text_tokens * _BYTES_A_TOKEN].decode(errors="ignore")


def batches(texts: Sequence[str], limits: Limits) -> Iterator[Sequence[str]]:
    """In order, each within the limits."""
    start = size = 0
    for place, text in enumerate(texts):
        length = len(text.encode())
        full = place - start == limits.texts or (limits.tokens is not None and size + length > limits.tokens)
        if full and place > start:
            yield texts[start:place]
            start, size = place, 0
        size += length
    if start < len(texts):
        yield texts[start:]
