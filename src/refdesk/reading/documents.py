"""In the child: a document's bytes to frames, the text first, then its pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from refdesk.reading import frames
from refdesk.reading.clean import has_words
from refdesk.reading.content import Content
from refdesk.reading.limits import Limits
from refdesk.reading.markdown import title_of
from refdesk.reading.plain import decode
from refdesk.reading.problem import Problem
from refdesk.reading.sniff import check_content

if TYPE_CHECKING:
    from refdesk.reading.pictures import Send


def load_libraries() -> None:
    """Those of documents with pictures, while no document waits. Whoever reads text alone may have none."""
    with suppress(ModuleNotFoundError):
        from refdesk.reading import pictured  # noqa: F401


def read_document(about: dict[str, Any], data: bytes, limits: Limits, send: Send) -> None:
    """``about`` is ``{kind, extension, title}``, the title being the name's."""
    check_content(about["kind"], about["extension"], data)
    plain = _PLAIN.get(about["kind"])
    if plain is not None:
        _send_text(plain(data, about, limits), limits, send)
        return
    from refdesk.reading import pictured

    content = pictured.read(data, about, limits)
    _send_text(content, limits, send)
    pictured.send_figures(content, limits, send)


def _send_text(content: Content, limits: Limits, send: Send) -> None:
    _check_lines(content, limits)
    send(frames.TEXT, content.to_dict(), b"")


def _markdown(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    content = _text(data, about, limits)
    content.title = title_of(content.text)
    return content


def _text(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    text, notes = decode(data)
    if not has_words(text):
        raise Problem("no_text", "The document has no letter or digit in it.")
    _check_characters(len(text), limits)
    return Content(text=text, notes=notes)


def _check_characters(count: int, limits: Limits) -> None:
    if count > limits.max_characters:
        raise Problem(
            "too_many_characters",
            f"The document has {count:,} characters and the limit is {limits.max_characters:,}; split it.",
            limit=limits.max_characters,
            actual=count,
        )


def _check_lines(content: Content, limits: Limits) -> None:
    """No line above the limit, where there is one; figure markers are not known yet and not counted."""
    if limits.max_line_characters is None:
        return
    texts = content.pages if content.pages is not None else [content.text]
    lines = [line for text in texts for line in text.split("\n")]
    number, longest = max(enumerate(map(len, lines), start=1), key=lambda each: each[1])
    if longest > limits.max_line_characters:
        raise Problem(
            "line_too_long",
            f"Line {number:,} has {longest:,} characters and the limit is {limits.max_line_characters:,}; "
            "break it into shorter lines.",
            limit=limits.max_line_characters,
            actual=longest,
        )


_PLAIN = {"markdown": _markdown, "text": _text}
