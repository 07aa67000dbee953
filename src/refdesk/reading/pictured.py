"""In the child: the kinds of documents that may hold pictures, with the libraries that read them."""

from __future__ import annotations

from typing import Any

from refdesk.reading.content import Content, Picture
from refdesk.reading.image import read_image
from refdesk.reading.limits import Limits
from refdesk.reading.pdf import read_pdf
from refdesk.reading.pictures import open_encoded, send_figures
from refdesk.reading.word import WordImage, WordLimits, read_word

__all__ = ["read", "send_figures"]


def read(data: bytes, about: dict[str, Any], limits: Limits) -> Content:
    return _READERS[about["kind"]](data, about, limits)


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


_READERS = {"word": _word, "pdf": _pdf, "image": _image}
