"""In the child: a document's bytes to frames, the text first, then its pictures."""

from __future__ import annotations

from typing import Any

from refdesk.reading import frames
from refdesk.reading.clean import has_words
from refdesk.reading.content import Content, Picture
from refdesk.reading.image import read_image
from refdesk.reading.limits import Limits
from refdesk.reading.markdown import title_of
from refdesk.reading.pdf import read_pdf
from refdesk.reading.pictures import Send, open_encoded, send_figures
from refdesk.reading.plain import decode
from refdesk.reading.problem import Problem
from refdesk.reading.sniff import check_content
from refdesk.reading.word import WordImage, WordLimits, read_word


def read_document(about: dict[str, Any], data: bytes, limits: Limits, send: Send) -> None:
    """``about`` is ``{kind, extension, title}``, the title being the name's."""
    check_content(about["kind"], about["extension"], data)
    content = _READERS[about["kind"]](data, about, limits)
    _check_lines(content, limits)
    send(frames.TEXT, content.to_dict(), b"")
    send_figures(content, limits, send)


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


def _pdf(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    return read_pdf(data, limits)


def _word(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    word = read_word(data, WordLimits(limits.max_characters, limits.max_image_bytes))
    return Content(
        text=word.text,
        title=word.title,
        notes=word.notes,
        drawn=len(word.images),
        labels={number: image.alt for number, image in enumerate(word.images, start=1)},
        pictures=(_picture(image, limits) for image in word.images),
    )


def _picture(image: WordImage, limits: Limits) -> Picture | str:
    return open_encoded(image.data, limits) if image.data is not None else image.reason or "decode"


def _image(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    return read_image(data, about["title"], limits)


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


_READERS = {"markdown": _markdown, "text": _text, "word": _word, "pdf": _pdf, "image": _image}
