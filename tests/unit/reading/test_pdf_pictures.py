"""Pictures of PDFs: what is kept of them, how it looks, where it stands in the text."""

from __future__ import annotations

import re
from typing import Any

import pytest

from refdesk.policy import load_policy
from refdesk.reading.limits import Limits
from refdesk.reading.pdf import read_pdf

RED, GREEN, BLUE, WHITE = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)

Pixel = tuple[int, ...]


def quarters(side: int = 64) -> bytes:
    """An RGB square: red and green above, blue and white below."""
    half = side // 2
    upper = bytes(RED) * half + bytes(GREEN) * half
    lower = bytes(BLUE) * half + bytes(WHITE) * half
    return upper * half + lower * half


def corners(image: Any) -> list[Pixel]:
    """The pixels in the middle of the four quarters, row by row."""
    width, height = image.size
    places = [(x, y) for y in (height // 4, height * 3 // 4) for x in (width // 4, width * 3 // 4)]
    return [tuple(image.getpixel(place)[:3]) for place in places]


@pytest.fixture
def one(pdf: Any, read_bytes: Any, decode: Any) -> Any:
    """The only figure of a page on which ``image`` is drawn with ``matrix``."""

    def figure(image: bytes, matrix: bytes = b"90 0 0 90 50 50", *more: bytes, before: bytes = b"") -> Any:
        data = pdf.with_image(image, b"q %s %s cm /I Do Q " % (before, matrix), *more)
        (kept,) = read_bytes(data).figures
        picture = decode(kept.webp)
        assert picture.size == (kept.width, kept.height)
        return picture

    return figure


class TestLooks:
    """As the page shows it."""

    def test_at_its_own_resolution_pixel_by_pixel(self, pdf: Any, one: Any) -> None:
        samples = bytes(range(256)) * 48
        picture = one(pdf.image(samples, 64, 64))
        assert picture.size == (64, 64)
        assert picture.mode == "RGB"
        assert picture.tobytes() == samples

    @pytest.mark.parametrize(
        ("matrix", "expected"),
        [
            (b"90 0 0 90 50 50", [RED, GREEN, BLUE, WHITE]),
            (b"-90 0 0 90 150 50", [GREEN, RED, WHITE, BLUE]),
            (b"90 0 0 -90 50 150", [BLUE, WHITE, RED, GREEN]),
            (b"0 90 -90 0 150 50", [GREEN, WHITE, RED, BLUE]),
        ],
        ids=["upright", "mirrored", "upside down", "quarter turn left"],
    )
    def test_turned_and_mirrored_as_drawn(
        self, matrix: bytes, expected: list[Pixel], pdf: Any, one: Any
    ) -> None:
        assert corners(one(pdf.image(quarters(), 64, 64), matrix)) == expected

    def test_a_form_turns_what_it_holds(self, pdf: Any, read_bytes: Any, decode: Any) -> None:
        form = pdf.stream(
            b"q 90 0 0 90 0 0 cm /I Do Q",
            b"/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Matrix[-1 0 0 1 99 0]"
            b"/Resources<</XObject<</I 4 0 R>>>>",
        )
        data = pdf.pages(
            pdf.words("Some words") + b"q 1 0 0 1 100 100 cm /X Do Q",
            resources=b"/XObject<</X 5 0 R>>",
            more=(pdf.image(quarters(), 64, 64), form),
        )
        (figure,) = read_bytes(data).figures
        assert corners(decode(figure.webp)) == [GREEN, RED, WHITE, BLUE]

    def test_a_soft_mask_is_alpha_not_black(self, pdf: Any, one: Any) -> None:
        mask = pdf.image(bytes([0] * 2048 + [255] * 2048), 64, 64, b"/ColorSpace/DeviceGray")
        picture = one(pdf.image(quarters(), 64, 64, b"/SMask 5 0 R"), b"90 0 0 90 50 50", mask)
        assert picture.mode == "RGBA"
        assert picture.getpixel((16, 16))[3] == 0
        assert picture.getpixel((16, 48)) == (*BLUE, 255)

    def test_cmyk_is_not_inverted(self, pdf: Any, one: Any) -> None:
        cyan = bytes([255, 0, 0, 0]) * 64 * 64
        red, green, blue = one(pdf.image(cyan, 64, 64, b"/ColorSpace/DeviceCMYK")).getpixel((9, 9))
        assert red < 80
        assert min(green, blue) > 140

    def test_a_palette_and_an_inverted_decode_array(self, pdf: Any, one: Any) -> None:
        space = b"/ColorSpace[/Indexed/DeviceRGB 1 <FF0000 0000FF>]"
        half = b"\x00" * 4 + b"\xff" * 4
        assert corners(one(pdf.image(half * 64, 64, 64, space, bits=1)))[:2] == [RED, BLUE]
        gray = b"/ColorSpace/DeviceGray/Decode[1 0]"
        assert corners(one(pdf.image(half * 64, 64, 64, gray, bits=1)))[:2] == [WHITE, (0, 0, 0)]

    def test_a_stencil_has_the_color_of_the_fill(self, pdf: Any, one: Any) -> None:
        stencil = pdf.image((b"\x00" * 4 + b"\xff" * 4) * 64, 64, 64, b"/ImageMask true", bits=1)
        picture = one(stencil, before=b"0 0 1 rg")
        assert picture.getpixel((9, 9)) == (*BLUE, 255)
        assert picture.getpixel((50, 9))[3] == 0

    def test_an_inline_image_is_a_figure(self, pdf: Any, read_bytes: Any, decode: Any) -> None:
        inline = b"q 90 0 0 90 50 50 cm BI /W 64 /H 64 /BPC 8 /CS /RGB ID %s EI Q" % quarters()
        (figure,) = read_bytes(pdf.pages(pdf.words("Some words") + inline)).figures
        assert corners(decode(figure.webp)) == [RED, GREEN, BLUE, WHITE]

    def test_a_stretched_picture_keeps_its_drawn_shape_and_its_pixels(self, pdf: Any, one: Any) -> None:
        picture = one(pdf.image(quarters(), 64, 64), b"200 0 0 50 50 50")
        assert picture.size == (64, 16)

    def test_a_tall_strip_on_a_square_stays_within_the_limit(self, pdf: Any, one: Any) -> None:
        strip = pdf.image(bytes(3 * 40 * 4_000), 40, 4_000)
        assert max(one(strip).size) <= 1_568

    @pytest.mark.req("FIG1")
    def test_a_large_picture_is_made_smaller_by_averaging(self, pdf: Any, one: Any) -> None:
        stripes = (b"\x00\xff" * 1_000) * 40
        picture = one(pdf.image(stripes, 2_000, 40, b"/ColorSpace/DeviceGray"), b"200 0 0 4 50 50")
        assert picture.size == (1_568, 31)
        darkest, lightest = picture.convert("L").getextrema()
        assert darkest > 20
        assert lightest < 235

    @pytest.mark.parametrize("matrix", [b"0 0 0 0 50 50", b"90 0 0 0 50 50"], ids=["point", "line"])
    def test_a_picture_drawn_as_a_line_or_point_is_kept_as_stored(
        self, matrix: bytes, pdf: Any, one: Any
    ) -> None:
        assert corners(one(pdf.image(quarters(), 64, 64), matrix)) == [RED, GREEN, BLUE, WHITE]


class TestLimits:
    def not_kept(self, pdf: Any, read_bytes: Any, image: bytes, **overrides: object) -> dict[str, int]:
        reading = read_bytes(pdf.with_image(image, b"q 90 0 0 90 50 50 cm /I Do Q"), **overrides)
        assert reading.figures == ()
        assert "[Figure" not in reading.text
        return reading.not_kept

    @pytest.mark.req("FIG2", "FIG3")
    def test_one_pixel_too_small(self, pdf: Any, read_bytes: Any, one: Any) -> None:
        assert one(pdf.image(bytes(3 * 32 * 99), 32, 99)).width
        assert self.not_kept(pdf, read_bytes, pdf.image(bytes(3 * 31 * 99), 31, 99)) == {"size": 1}

    @pytest.mark.req("FIG2", "FIG3")
    def test_pixels_are_counted_before_they_are_decoded(self, pdf: Any, read_bytes: Any) -> None:
        empty = pdf.image(b"", 4_000, 2_001)
        assert self.not_kept(pdf, read_bytes, empty) == {"pixels": 1}

    @pytest.mark.req("FIG2", "FIG3")
    def test_bytes_as_stored(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(quarters(), 64, 64)
        stored = len(image.partition(b"stream\n")[2].rpartition(b"\nendstream")[0])
        assert read_bytes(
            pdf.with_image(image, b"q 90 0 0 90 50 50 cm /I Do Q"), figures__max_bytes=stored
        ).figures
        assert self.not_kept(pdf, read_bytes, image, figures__max_bytes=stored - 1) == {"bytes": 1}

    @pytest.mark.req("FIG2", "FIG3")
    def test_the_pool_of_a_document(self, pdf: Any, read_bytes: Any) -> None:
        image = pdf.image(quarters(), 64, 64)
        stored = len(image.partition(b"stream\n")[2].rpartition(b"\nendstream")[0])
        data = pdf.with_image(image, b"q 90 0 0 90 50 50 cm /I Do Q " * 3)
        reading = read_bytes(data, figures__max_total_bytes=2 * stored)
        assert len(reading.figures) == 2
        assert reading.not_kept == {"pool": 1}

    @pytest.mark.req("FIG2", "FIG3", "D12")
    def test_the_cap_counts_figures_and_a_repeated_picture_is_stored_once(
        self, pdf: Any, read_bytes: Any
    ) -> None:
        data = pdf.with_image(pdf.image(quarters(), 64, 64), b"q 90 0 0 90 50 50 cm /I Do Q " * 50)
        reading = read_bytes(data)
        assert [figure.number for figure in reading.figures] == list(range(1, 41))
        assert len({figure.webp for figure in reading.figures}) == 1
        assert reading.not_kept == {"count": 10}
        assert reading.text.endswith("\n\nImages: 40 kept, 10 not kept (count: 10)")

    @pytest.mark.req("FIG3")
    def test_what_cannot_be_decoded_is_counted(self, pdf: Any, read_bytes: Any) -> None:
        broken = pdf.stream(
            b"no JPEG at all",
            b"/Type/XObject/Subtype/Image/Width 64/Height 64/BitsPerComponent 8"
            b"/ColorSpace/DeviceRGB/Filter/DCTDecode",
        )
        assert self.not_kept(pdf, read_bytes, broken) == {"decode": 1}

    def test_patterns_shadings_masks_and_annotations_are_no_figures(self, pdf: Any, read_bytes: Any) -> None:
        pattern = pdf.stream(
            b"q 64 0 0 64 0 0 cm /I Do Q",
            b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 64 64]/XStep 64/YStep 64"
            b"/Resources<</XObject<</I 4 0 R>>>>",
        )
        data = pdf.pages(
            pdf.words("Some words") + b"/Pattern cs /P scn 0 0 100 100 re f",
            resources=b"/Pattern<</P 5 0 R>>",
            more=(pdf.image(quarters(), 64, 64), pattern),
        )
        reading = read_bytes(data)
        assert reading.figures == ()
        assert reading.not_kept == {}


class TestPlaces:
    def page(self, pdf: Any, content: bytes, page: bytes = b"") -> bytes:
        image, other = pdf.image(quarters(), 64, 64), pdf.image(bytes(3 * 64 * 64), 64, 64)
        return pdf.pages(content, resources=b"/XObject<</I 4 0 R/J 5 0 R>>", more=(image, other), page=page)

    @pytest.mark.req("FIG4")
    def test_a_figure_stands_below_the_line_above_it(self, pdf: Any, read_bytes: Any) -> None:
        content = pdf.words("Above") + pdf.words("Caption", at=(20, 100)) + b"q 90 0 0 90 20 150 cm /I Do Q"
        text = read_bytes(self.page(pdf, content)).text
        assert text == "Page 1\nAbove\n\n[Figure 1: page 1]\n\nCaption"

    def test_columns_are_told_apart(self, pdf: Any, read_bytes: Any) -> None:
        left = pdf.words("Left 1", at=(20, 270)) + pdf.words("Left 2", at=(20, 90))
        right = pdf.words("Right 1", at=(180, 270)) + pdf.words("Right 2", at=(180, 90))
        content = left + right + b"q 60 0 0 60 180 150 cm /I Do Q"
        text = read_bytes(self.page(pdf, content)).text
        assert re.search(r"Right 1\n\n\[Figure 1: page 1\]\n\nRight 2", text)

    def test_a_figure_above_all_text_comes_first_and_one_beside_all_text_last(
        self, pdf: Any, read_bytes: Any
    ) -> None:
        content = pdf.words("Line", at=(20, 150)) + b"q 60 0 0 60 20 200 cm /I Do Q "
        content += b"q 60 0 0 60 200 140 cm /J Do Q"
        text = read_bytes(self.page(pdf, content)).text
        assert text == "Page 1\n\n[Figure 1: page 1]\n\nLine\n\n[Figure 2: page 1]"

    def test_a_turned_page_is_taken_as_it_is_shown(self, pdf: Any, read_bytes: Any) -> None:
        """Turned by 90 degrees to the right: what was left is then above."""
        turned = b"BT /F 12 Tf 0 1 -1 0 %d 20 Tm (%s) Tj ET "
        content = turned % (30, b"Above") + turned % (280, b"Below") + b"q 90 0 0 90 100 20 cm /I Do Q"
        text = read_bytes(self.page(pdf, content, page=b"/Rotate 90")).text
        assert text == "Page 1\nAbove\n\n[Figure 1: page 1]\n\nBelow"

    @pytest.mark.req("FIG4")
    def test_numbers_follow_the_text_not_the_order_of_painting(
        self, pdf: Any, read_bytes: Any, decode: Any
    ) -> None:
        content = pdf.words("One", at=(20, 270)) + pdf.words("Two", at=(20, 140))
        content += b"q 50 0 0 50 20 50 cm /J Do Q q 50 0 0 50 20 200 cm /I Do Q"
        reading = read_bytes(self.page(pdf, content))
        assert reading.text == "Page 1\nOne\n\n[Figure 1: page 1]\n\nTwo\n\n[Figure 2: page 1]"
        first, second = (decode(figure.webp).getpixel((9, 9)) for figure in reading.figures)
        assert (first, second) == (RED, (0, 0, 0))

    def test_figures_know_their_page(self, pdf: Any, read_bytes: Any) -> None:
        drawn = b"q 90 0 0 90 20 20 cm /I Do Q"
        image = pdf.image(quarters(), 64, 64)
        pages = (pdf.words("One") + drawn, pdf.words("Two"), pdf.words("Three") + drawn)
        reading = read_bytes(pdf.pages(*pages, resources=b"/XObject<</I 4 0 R>>", more=(image,)))
        assert [(figure.page, figure.label) for figure in reading.figures] == [(1, "page 1"), (3, "page 3")]
        last = reading.pages[2]
        assert reading.text[last.start : last.end].endswith("[Figure 2: page 3]")

    @pytest.mark.req("FIG4")
    def test_alt_text_of_a_tagged_page_is_the_label(self, corpus: Any, reader: Any, packs: Any) -> None:
        file = corpus / "documents" / "pdf-image-smask-logo.pdf"
        reading = reader.read(file, file.name, None, packs)
        assert reading.figures[0].label == "A logo of a fox and a globe"
        assert "[Figure 1: A logo of a fox and a globe]" in reading.text

    @pytest.mark.req("D12")
    def test_pages_where_nobody_looked_are_told(self, pdf: Any) -> None:
        """Finding pictures may take a share of the time: what one page uses up, the others lack."""
        image = pdf.image(quarters(), 64, 64)
        page = pdf.words("Words that are text") + b"q 90 0 0 90 20 20 cm /I Do Q " * 3
        data = pdf.pages(*[page] * 3, resources=b"/XObject<</I 4 0 R>>", more=(image,))
        no_time = load_policy("packs", {"documents.max_seconds": 1e-9})
        content = read_pdf(data, Limits.of(no_time))
        assert content.drawn == 3
        assert content.unseen == [2, 3]
