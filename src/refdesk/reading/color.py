"""Any picture's colours as 8-bit sRGB, with alpha where something shows through."""

from __future__ import annotations

from io import BytesIO

from PIL import Image, ImageCms

_SIXTEEN_BITS = ("I", "I;16", "I;16L", "I;16B", "I;16N")
_WITH_ALPHA = ("RGBA", "LA", "PA", "RGBa", "La")


def plain_color(image: Image.Image) -> Image.Image:
    """Mode RGB, or RGBA where a pixel is not opaque."""
    profile = image.info.get("icc_profile")
    image = _eight_bits(image)
    image, alpha = _apart(image)
    image = _in_srgb(image, profile) if profile else image
    image = image.convert("RGB")
    if alpha is not None and alpha.getextrema() != (255, 255):
        image.putalpha(alpha)
    return image


def _eight_bits(image: Image.Image) -> Image.Image:
    """Sixteen bits scaled, where Pillow's own conversion would clip all but the darkest tones to white."""
    if image.mode not in _SIXTEEN_BITS:
        return image
    return image.convert("I").point(lambda value: value * (1 / 257)).convert("L")


def _apart(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Colours without alpha, and the alpha: a profile speaks of colours alone."""
    if image.mode in _WITH_ALPHA or "transparency" in image.info:
        image = image.convert("RGBA")
        return image.convert("RGB"), image.getchannel("A")
    return (image.convert("RGB") if image.mode == "P" else image), None


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(source):
            return image
        target = ImageCms.createProfile("sRGB")
        converted = ImageCms.profileToProfile(image, source, target, outputMode="RGB")
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image  # a profile that is broken or of another colour model says nothing about these pixels
    return converted or image
