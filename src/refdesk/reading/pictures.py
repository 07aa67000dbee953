"""Pictures inside the child: from what a document stores to the lossless WebP that is kept."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps

from refdesk.reading import frames
from refdesk.reading.color import plain_color
from refdesk.reading.content import Content, NotKept, Picture
from refdesk.reading.limits import Limits

FORMATS = ("PNG", "JPEG", "GIF", "WEBP")
"""Pillow would also open EMF and WMF, as a drawing program's own viewer would."""

Image.MAX_IMAGE_PIXELS = None
"""Pillow's own guard is off: ``check_size`` stands before every decoding, with the policy's limit."""

Send = Callable[[bytes, dict[str, Any], bytes], None]


def open_encoded(data: bytes, limits: Limits) -> Picture:
    """A picture in one of the four kept file formats, as a file of its own or out of a Word package."""
    return Picture(len(data), lambda: decoded(data, limits))


def check_bytes(stored: int, limits: Limits) -> None:
    if stored > limits.max_image_bytes:
        raise NotKept("bytes", limits.max_image_bytes, stored)


def check_size(width: int, height: int, limits: Limits) -> None:
    if width * height > limits.max_pixels:
        raise NotKept("pixels", limits.max_pixels, width * height)
    if min(width, height) < limits.min_side:
        raise NotKept("size", limits.min_side, min(width, height))


def decoded(data: bytes, limits: Limits) -> Image.Image:
    """Upright and in plain sRGB. An MPO file is no animation: its first frame is the picture."""
    image: Image.Image = Image.open(BytesIO(data), formats=FORMATS)
    check_size(*image.size, limits)
    if image.format != "MPO" and getattr(image, "is_animated", False):
        raise NotKept("decode")
    image.load()
    with suppress(Exception):  # broken EXIF turns nothing
        image = ImageOps.exif_transpose(image)
    return plain_color(image)


def send_figures(content: Content, limits: Limits, send: Send) -> None:
    """Decodes, prepares and sends one picture after the other, telling the parent which clock runs."""
    sender = _Sender(limits, send)
    for number, picture in enumerate(content.pictures, start=1):
        if sender.kept == limits.max_figures:
            sender.not_kept["count"] += content.drawn - number + 1
            break
        sender.take(number, picture)
    sender.tell_not_kept()


class _Sender:
    def __init__(self, limits: Limits, send: Send) -> None:
        self._limits = limits
        self._send = send
        self._stored = 0
        self._seen: dict[bytes, int] = {}
        self.kept = 0
        self.not_kept: Counter[str] = Counter()

    def take(self, number: int, picture: Picture | str) -> None:
        try:
            if isinstance(picture, str):
                raise NotKept(picture)
            image = self._loaded(picture)
            self._send(frames.PHASE, {"clock": "prepare"}, b"")
            self._keep(number, image)
            self._send(frames.PHASE, {"clock": "read"}, b"")
        except NotKept as why:
            self.not_kept[why.reason] += 1
        except Exception:  # whatever a broken picture makes its decoder say
            self.not_kept["decode"] += 1

    def tell_not_kept(self) -> None:
        if self.not_kept:
            self._send(frames.NOT_KEPT, dict(self.not_kept), b"")
            self.not_kept.clear()

    def _loaded(self, picture: Picture) -> Image.Image:
        check_bytes(picture.stored, self._limits)
        if self._stored + picture.stored > self._limits.max_total_image_bytes:
            raise NotKept("pool")
        self._stored += picture.stored
        self.tell_not_kept()  # decoding may be the end of this process
        return picture.load()

    def _keep(self, number: int, image: Image.Image) -> None:
        """One figure a draw; a picture drawn again is encoded and sent once (D12)."""
        image = _at_most(image, self._limits.max_stored_side)
        pixels = hashlib.blake2b(image.tobytes(), key=f"{image.mode} {image.size}".encode()).digest()
        same_as = self._seen.setdefault(pixels, number)
        webp = b"" if same_as != number else _webp(image)
        fields = {"drawn": number, "width": image.width, "height": image.height, "same_as": same_as}
        self._send(frames.FIGURE, fields, webp)
        self.kept += 1


def _at_most(image: Image.Image, side: int) -> Image.Image:
    longest = max(image.size)
    if longest <= side:
        return image
    width, height = (max(1, round(each * side / longest)) for each in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _webp(image: Image.Image) -> bytes:
    """Lossless at the cheapest setting: 20 % larger than the next, 3 to 25 times faster (measured)."""
    out = BytesIO()
    image.save(out, "WEBP", lossless=True, method=0, quality=0)
    return out.getvalue()
