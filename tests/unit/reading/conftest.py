"""One reader for all tests of reading, its child warm as in the product, and makers of small files."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from refdesk.policy import Policy, load_policy
from refdesk.reading import Reader, Reading

ReadBytes = Callable[..., Reading]

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"


@pytest.fixture(scope="session")
def reader() -> Iterator[Reader]:
    with Reader() as reader:
        yield reader


@pytest.fixture(scope="session")
def packs() -> Policy:
    return load_policy("packs")


@pytest.fixture
def read_bytes(reader: Reader, tmp_path: Path) -> ReadBytes:
    """Reads bytes as an upload called ``name``; ``documents__max_pages=3`` overrides a policy's value."""

    def read(
        data: bytes,
        name: str = "a.pdf",
        declared: str | None = None,
        policy: str = "packs",
        **overrides: object,
    ) -> Reading:
        file = tmp_path / "upload"
        file.write_bytes(data)
        dotted = {key.replace("__", "."): value for key, value in overrides.items()}
        return reader.read(file, name, declared, load_policy(policy, dotted))

    return read


class PdfMaker:
    """Writes PDFs object by object, so that a test can say what is in them."""

    def file(self, *objects: bytes, trailer: bytes = b"") -> bytes:
        """The first object is the catalog."""
        out, offsets = b"%PDF-1.7\n", []
        for number, body in enumerate(objects, start=1):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        size = len(objects) + 1
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        return out + b"trailer <</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF" % (size, trailer, start)

    def stream(self, data: bytes, extra: bytes = b"") -> bytes:
        return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), extra, data)

    def pages(
        self,
        *contents: bytes,
        resources: bytes = b"",
        page: bytes = b"",
        catalog: bytes = b"",
        more: tuple[bytes, ...] = (),
        trailer: bytes = b"",
    ) -> bytes:
        """A page of 300 by 300 points for each content; ``more`` objects have the numbers from 4 on."""
        first = 4 + len(more)
        numbers = [first + 2 * at for at in range(len(contents))]
        kids = b" ".join(b"%d 0 R" % number for number in numbers)
        body = [
            b"<</Type/Catalog/Pages 2 0 R%s>>" % catalog,
            b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(contents)),
            b"<</Font<</F %s>>%s>>" % (HELVETICA, resources),
            *more,
        ]
        for number, content in zip(numbers, contents, strict=True):
            body.append(
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources 3 0 R/Contents %d 0 R%s>>"
                % (number + 1, page)
            )
            body.append(self.stream(content))
        return self.file(*body, trailer=trailer)

    def words(self, *lines: str, at: tuple[int, int] = (20, 270), size: int = 12) -> bytes:
        """Page content: lines of Latin text, one below the other."""
        shown = b" T* ".join(b"(%s) Tj" % line.encode("cp1252") for line in lines)
        return b"BT /F %d Tf %d TL %d %d Td %s ET " % (size, size + 2, *at, shown)

    def image(self, data: bytes, width: int, height: int, extra: bytes = b"", bits: int = 8) -> bytes:
        """An image object of raw samples, RGB unless ``extra`` names a color space."""
        space = b"" if b"/ColorSpace" in extra or b"/ImageMask" in extra else b"/ColorSpace/DeviceRGB"
        return self.stream(
            zlib.compress(data, 1),
            b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent %d/Filter/FlateDecode%s%s"
            % (width, height, bits, space, extra),
        )

    def with_image(self, image: bytes, content: bytes, *more: bytes) -> bytes:
        """A page whose content may draw ``image`` as /I; it is object 4, ``more`` follow."""
        return self.pages(
            self.words("Some words that are text") + content,
            resources=b"/XObject<</I 4 0 R>>",
            more=(image, *more),
        )


@pytest.fixture
def pdf() -> PdfMaker:
    return PdfMaker()


def encoded(image: Image.Image, form: str, **options: Any) -> bytes:
    out = BytesIO()
    image.save(out, form, **options)
    return out.getvalue()


@pytest.fixture
def encode() -> Callable[..., bytes]:
    return encoded


@pytest.fixture
def decode() -> Callable[[bytes], Image.Image]:
    """A stored figure's pixels."""
    return lambda webp: Image.open(BytesIO(webp))
