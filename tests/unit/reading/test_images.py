"""Images in files: upright, in plain colors, without metadata, within the limits, or refused."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image, ImageCms, PngImagePlugin

from refdesk.errors import Refusal

RED, GREEN = (255, 0, 0), (0, 255, 0)


def half_and_half(width: int = 120, height: int = 60) -> Image.Image:
    """Left red, right green."""
    image = Image.new("RGB", (width, height), RED)
    image.paste(GREEN, (width // 2, 0, width, height))
    return image


@pytest.fixture
def figure(read_bytes: Any, decode: Any) -> Any:
    """The stored picture of an image file."""

    def stored(data: bytes, name: str = "a.png", **overrides: object) -> Image.Image:
        (kept,) = read_bytes(data, name, **overrides).figures
        picture: Image.Image = decode(kept.webp)
        picture.load()
        assert picture.size == (kept.width, kept.height)
        assert picture.format == "WEBP"
        return picture

    return stored


@pytest.mark.req("DOC1", "FIG1", "FIG4")
def test_an_image_file_is_a_document_of_its_own_under_its_title(encode: Any, read_bytes: Any) -> None:
    reading = read_bytes(encode(half_and_half(), "PNG"), "north/Site plan.v2.png", "image/png")
    assert reading.kind == "image"
    assert reading.title == "Site plan.v2"
    assert reading.text == "Site plan.v2\n\n[Figure 1: Site plan.v2]"
    (kept,) = reading.figures
    assert (kept.number, kept.label, kept.page) == (1, "Site plan.v2", None)


@pytest.mark.req("FIG1")
class TestLooks:
    def test_lossless(self, encode: Any, figure: Any) -> None:
        noise = Image.effect_noise((90, 70), 80).convert("RGB")
        assert figure(encode(noise, "PNG")).tobytes() == noise.tobytes()

    @pytest.mark.parametrize(("form", "name"), [("JPEG", "a.jpg"), ("JPEG", "a.JPEG"), ("WEBP", "a.webp")])
    def test_kept_types(self, form: str, name: str, encode: Any, figure: Any) -> None:
        red, green, blue = figure(encode(half_and_half(), form), name).convert("RGB").getpixel((10, 10))
        assert red > 240
        assert max(green, blue) < 20

    @pytest.mark.parametrize("orientation", range(1, 9))
    def test_upright(self, orientation: int, encode: Any, figure: Any) -> None:
        """Stored so that the camera's orientation is undone: red is left again, whatever the sensor saw."""
        undo = {
            1: None,
            2: Image.Transpose.FLIP_LEFT_RIGHT,
            3: Image.Transpose.ROTATE_180,
            4: Image.Transpose.FLIP_TOP_BOTTOM,
            5: Image.Transpose.TRANSPOSE,
            6: Image.Transpose.ROTATE_90,
            7: Image.Transpose.TRANSVERSE,
            8: Image.Transpose.ROTATE_270,
        }[orientation]
        seen = half_and_half() if undo is None else half_and_half().transpose(undo)
        exif = Image.Exif()
        exif[0x0112] = orientation
        picture = figure(encode(seen, "PNG", exif=exif))
        assert picture.tobytes() == half_and_half().tobytes()

    def test_no_metadata_survives(self, encode: Any, figure: Any, read_bytes: Any) -> None:
        exif = Image.Exif()
        exif[0x010F] = "A camera maker"
        exif.get_ifd(0x8825)[1] = "N"
        text = PngImagePlugin.PngInfo()
        text.add_text("Author", "A person")
        data = encode(half_and_half(), "PNG", exif=exif, pnginfo=text, dpi=(300, 300))
        picture = figure(data)
        assert not picture.getexif()
        assert not {"exif", "icc_profile", "xmp", "Author", "dpi"} & set(picture.info)
        (kept,) = read_bytes(data, "a.png").figures
        assert b"camera" not in kept.webp
        assert b"person" not in kept.webp

    def test_at_most_1568_pixels_a_side(self, encode: Any, figure: Any) -> None:
        assert figure(encode(Image.new("RGB", (3_136, 200), RED), "PNG")).size == (1_568, 100)

    def test_a_wide_gamut_profile_is_converted(self, encode: Any, figure: Any) -> None:
        """In a profile of mirrored channels, what is stored as red is meant to be something else."""
        lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        wide = swapped_primaries(lab)
        picture = figure(encode(half_and_half(), "PNG", icc_profile=wide))
        assert picture.getpixel((10, 10)) != RED
        assert "icc_profile" not in picture.info

    def test_a_broken_profile_changes_nothing(self, encode: Any, figure: Any) -> None:
        assert figure(encode(half_and_half(), "PNG", icc_profile=b"no profile")).getpixel((10, 10)) == RED

    def test_sixteen_bits_are_scaled_not_clipped(self, encode: Any, figure: Any) -> None:
        gray = Image.new("I;16", (64, 64), 32_896)
        assert figure(encode(gray, "PNG")).getpixel((9, 9)) == (128, 128, 128)

    def test_gray_with_alpha(self, encode: Any, figure: Any) -> None:
        assert figure(encode(Image.new("LA", (64, 64), (90, 10)), "PNG")).getpixel((9, 9)) == (90, 90, 90, 10)

    def test_a_transparent_color_of_a_palette(self, encode: Any, figure: Any) -> None:
        palette = half_and_half().quantize(2)
        data = encode(palette, "PNG", transparency=palette.getpixel((10, 10)))
        picture = figure(data)
        assert picture.getpixel((10, 10))[3] == 0
        assert picture.getpixel((110, 10)) == (*GREEN, 255)

    def test_opaque_alpha_is_dropped(self, encode: Any, figure: Any) -> None:
        assert figure(encode(half_and_half().convert("RGBA"), "PNG")).mode == "RGB"

    def test_cmyk(self, encode: Any, figure: Any) -> None:
        red, green, blue = figure(
            encode(Image.new("CMYK", (64, 64), (255, 0, 0, 0)), "JPEG"), "a.jpg"
        ).getpixel((9, 9))
        assert red < 40
        assert min(green, blue) > 200

    def test_a_picture_of_two_frames_for_a_stereo_camera_is_kept(self, encode: Any, figure: Any) -> None:
        other = Image.new("RGB", (120, 60), GREEN)
        data = encode(half_and_half(), "MPO", save_all=True, append_images=[other])
        assert figure(data, "a.jpg").convert("RGB").getpixel((10, 10))[0] > 240


def swapped_primaries(profile: bytes) -> bytes:
    """The profile with its red and blue primaries swapped, so that red is meant where blue is stored."""
    red, blue = (profile.index(tag, 128) for tag in (b"rXYZ", b"bXYZ"))
    entries = bytearray(profile)
    entries[red : red + 4], entries[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return (
        bytes(entries)
        .replace(b"sRGB", b"wide")
        .replace("sRGB".encode("utf-16-be"), "wide".encode("utf-16-be"))
    )


class TestRefused:
    def refusal(self, read_bytes: Any, data: bytes, name: str = "a.png", **overrides: object) -> Refusal:
        with pytest.raises(Refusal) as refused:
            read_bytes(data, name, **overrides)
        return refused.value

    @pytest.mark.req("FIG2")
    def test_too_small(self, encode: Any, read_bytes: Any) -> None:
        refusal = self.refusal(read_bytes, encode(Image.new("RGB", (900, 31)), "PNG"))
        assert (refusal.code, refusal.limit, refusal.actual) == ("image_size", 32, 31)

    @pytest.mark.req("FIG2")
    def test_too_many_pixels(self, encode: Any, read_bytes: Any, figure: Any) -> None:
        assert figure(encode(Image.new("1", (4_000, 2_000)), "PNG")).size == (1_568, 784)
        refusal = self.refusal(read_bytes, encode(Image.new("1", (4_001, 2_000)), "PNG"))
        assert (refusal.code, refusal.limit, refusal.actual) == ("image_pixels", 8_000_000, 8_002_000)

    @pytest.mark.req("FIG2")
    def test_too_many_bytes(self, encode: Any, read_bytes: Any) -> None:
        data = encode(half_and_half(), "PNG")
        refusal = self.refusal(read_bytes, data, figures__max_bytes=len(data) - 1)
        assert (refusal.code, refusal.limit, refusal.actual) == ("image_bytes", len(data) - 1, len(data))

    @pytest.mark.parametrize(("form", "name"), [("WEBP", "a.webp"), ("PNG", "a.png")])
    def test_animated(self, form: str, name: str, encode: Any, read_bytes: Any) -> None:
        frames = [Image.new("RGB", (64, 64), (at, 0, 0)) for at in (0, 90, 200)]
        data = encode(frames[0], form, save_all=True, append_images=frames[1:])
        assert self.refusal(read_bytes, data, name).code == "image_decode"

    @pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
    def test_cut_off(self, form: str, encode: Any, read_bytes: Any) -> None:
        noise = Image.effect_noise((90, 70), 80).convert("RGB")
        data = encode(noise, form)
        name = f"a.{form.lower()}"
        assert self.refusal(read_bytes, data[: len(data) // 2], name).code == "image_decode"

    @pytest.mark.req("DOC2")
    @pytest.mark.parametrize("form", ["JPEG", "GIF", "WEBP", "TIFF"])
    def test_another_type_under_the_name(self, form: str, encode: Any, read_bytes: Any) -> None:
        refusal = self.refusal(read_bytes, encode(half_and_half(), form), "a.png")
        assert refusal.code == "wrong_type"
        assert "PNG" not in refusal.message

    def test_what_is_no_image(self, read_bytes: Any) -> None:
        assert self.refusal(read_bytes, b"hello").code == "image_decode"
        assert self.refusal(read_bytes, b"<html>404</html>").code == "wrong_type"
        assert self.refusal(read_bytes, b"").code == "no_text"

    @pytest.mark.req("FIG2")
    def test_no_time_to_prepare(self, encode: Any, read_bytes: Any) -> None:
        noise = Image.effect_noise((1_500, 1_500), 80).convert("RGB")
        data = encode(noise, "WEBP", quality=40)
        refusal = self.refusal(read_bytes, data, "a.webp", figures__prepare_seconds=0.001)
        assert (refusal.code, refusal.limit) == ("took_too_long", 0.001)
