"""An image file as a document of its own: its title and its figure."""

from __future__ import annotations

from refdesk.reading.clean import FIGURE, one_line
from refdesk.reading.content import Content, NotKept, Picture
from refdesk.reading.limits import Limits
from refdesk.reading.pictures import check_bytes, decoded
from refdesk.reading.problem import Problem

_SENTENCES = {
    "bytes": "The image has {actual:,} bytes and the limit is {limit:,}; compress it.",
    "pixels": "The image has {actual:,} pixels and the limit is {limit:,}; make it smaller.",
    "size": "The image's shorter side has {actual:,} pixels and needs {limit:,}; use a larger one.",
    "decode": "The image is damaged or animated and cannot be decoded; export it again as a single image.",
}


def read_image(data: bytes, title: str, limits: Limits) -> Content:
    """``Problem`` where the image cannot be kept: without it the document would be empty."""
    try:
        check_bytes(len(data), limits)
        image = decoded(data, limits)
    except NotKept as why:
        raise _problem(why.reason, why.limit, why.actual) from None
    except Exception:  # whatever a broken image makes its decoder say
        raise _problem("decode") from None
    title = one_line(title)
    return Content(
        text=f"{title}\n\n{FIGURE.format(1)}",
        title=title,
        drawn=1,
        labels={1: title},
        pictures=[Picture(len(data), lambda: image)],
    )


def _problem(reason: str, limit: int | None = None, actual: int | None = None) -> Problem:
    sentence = _SENTENCES[reason].format(limit=limit, actual=actual)
    return Problem(f"image_{reason}", sentence, limit=limit, actual=actual)
