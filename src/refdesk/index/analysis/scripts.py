"""Scripts without spaces, by pairs of characters; Korean, by its words and what stands inside them (W6)."""

from __future__ import annotations

import re
from itertools import pairwise

from refdesk.index.analysis.model import Form

_HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_IDEOGRAPHIC = f"{_HAN}\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3100-\u312f\u31a0-\u31bf\u31f0-\u31ff"
_STACKED = (  # Thai, Lao, Burmese, Khmer
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u0edc-\u0edf\u1000-\u103f\u104c-\u108f\u109a-\u109f"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\ua9e0-\ua9ef\ua9fa-\ua9fe\uaa60-\uaa7f"
)
_STACKED_MARKS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u105e-\u1064"
    "\u1067-\u106d\u1071-\u1074\u1082-\u108d\u17b4-\u17d3\u17dd"
)
_HANGUL = "\u1100-\u11ff\uac00-\ud7a3"

_SPACELESS = re.compile(f"[{_IDEOGRAPHIC}{_STACKED}{_HANGUL}]")
_RUNS = re.compile(f"[{_IDEOGRAPHIC}]+|[{_STACKED}]+|[{_HANGUL}]+|[^{_IDEOGRAPHIC}{_STACKED}{_HANGUL}]+")
_STARTS_STACKED = re.compile(f"[{_STACKED}]")
_STARTS_HANGUL = re.compile(f"[{_HANGUL}]")
_CLUSTER = re.compile(f"(?s:.)[{_STACKED_MARKS}]*")
_HAN_CHARACTER = re.compile(f"[{_HAN}]")
_LONE_HAN = re.compile(f"(?<![{_HAN}])[{_HAN}](?![{_HAN}])")
_PARTICLE = re.compile(
    "(?<=.)(?:으로부터|에서부터|이라고|에서는|에서도|에게서|으로는|으로도|까지는|입니다|에서|에게|한테|으로|까지|부터"
    "|보다|처럼|마다|조차|라도|이나|이란|이라|하고|은|는|이|가|을|를|의|에|로|와|과|도|만|나|랑)$"
)


def has_inner_words(token: str) -> bool:
    return not token.isascii() and _SPACELESS.search(token) is not None


def runs(token: str) -> list[str]:
    """``token`` cut where a script without spaces, or Korean, begins or ends."""
    return _RUNS.findall(token)


def is_korean(run: str) -> bool:
    return _STARTS_HANGUL.match(run) is not None


def inner_words(run: str) -> list[str]:
    """Overlapping pairs of characters (with their marks), and Chinese characters that stand alone."""
    characters = _CLUSTER.findall(run) if _STARTS_STACKED.match(run) else run
    if len(characters) == 1:
        return [run]
    pairs = [a + b for a, b in pairwise(characters)]
    return pairs + _LONE_HAN.findall(run)


def is_word(character: str) -> bool:
    """A Chinese character is a word in itself, so that a question may be one of them."""
    return _HAN_CHARACTER.match(character) is not None


def korean(word: str) -> Form:
    """A particle is taken off as a stem is; pairs of syllables find what stands inside."""
    bare = _PARTICLE.sub("", word)
    pairs = dict.fromkeys(word[i : i + 2] for i in range(len(word) - 1)) if len(word) > 2 else {}
    return Form(word, stems=(bare,), fragments=tuple((pair, 1 / len(pairs)) for pair in pairs))
