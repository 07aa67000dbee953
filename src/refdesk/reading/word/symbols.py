"""Letters of symbol fonts as Unicode: Adobe's Symbol encoding, and what the Wingdings fonts show."""

from __future__ import annotations

import re

PRIVATE = re.compile("[\uf000-\uf0ff]")

_SYMBOL = dict(
    zip(
        range(0x20, 0x7F),
        " !∀#∃%&∍()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
        strict=True,
    )
) | dict(
    zip(
        range(0xA0, 0xFF),
        "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
        strict=True,
    )
)
_WINGDINGS = {
    0x22: "✂", 0x28: "☎", 0x29: "✆", 0x2A: "✉", 0x36: "⌛", 0x3E: "✇", 0x3F: "✍", 0x41: "✌", 0x43: "👍",
    0x44: "👎", 0x45: "☜", 0x46: "☞", 0x47: "☝", 0x48: "☟", 0x4A: "☺", 0x4B: "😐", 0x4C: "☹", 0x4D: "💣",
    0x4E: "☠", 0x51: "✈", 0x52: "☼", 0x54: "❄", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "☐", 0x71: "❑",
    0x72: "❒", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "⌧", 0x9E: "·", 0x9F: "•", 0xA1: "○",
    0xA7: "▪", 0xA8: "☐", 0xAB: "★", 0xD8: "➢", 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔",
    0xF0: "⇨", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑",
} | {0x80 + digit: sign for digit, sign in enumerate("⓪①②③④⑤⑥⑦⑧⑨⑩")} | {
    0x8B + digit: sign for digit, sign in enumerate("⓿❶❷❸❹❺❻❼❽❾❿")
}  # fmt: skip
_WINGDINGS_2 = {0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xA3: "☐", 0x2A: "☐"}
_WINGDINGS_3 = {0x7D: "▶", 0x84: "▷", 0xCA: "▲"}
_PLAIN = "0123456789+-−=()n i"
_SMALL = {
    "superscript": dict(zip(_PLAIN, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ ⁱ", strict=True)),
    "subscript": dict(zip(_PLAIN, "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₙ ᵢ", strict=True)),
}
_FONTS = {
    "symbol": _SYMBOL,
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "wingdings 3": _WINGDINGS_3,
}


def letter(font: str, code: int) -> str:
    """The sign of a code of the font (0x20 to 0xFF, or the same from 0xF000); empty where we know none.

    Other fonts hold letters at their own code points, so those are taken as they are.
    """
    table = _FONTS.get(font.lower())
    if table is not None:
        return table.get(code & 0xFF, "")
    return chr(code) if 0x20 <= code < 0xD800 else ""


def readable(text: str, font: str) -> str:
    """Text with letters of a symbol font (U+F000 to U+F0FF) as Unicode."""
    return PRIVATE.sub(lambda match: letter(font, ord(match[0])), text)


def small(text: str, align: str) -> str:
    """Raised and lowered signs as Unicode has them: 10⁵ must not be read as 105. Words stay as they are."""
    signs = _SMALL.get(align, {})
    return "".join(signs[sign] for sign in text) if text and all(sign in signs for sign in text) else text
