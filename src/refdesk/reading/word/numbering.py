"""Lists: which label a paragraph has. Word stores no number; it counts, and so do we, in document order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from xml.etree.ElementTree import Element

from refdesk.reading.word.characters import clean
from refdesk.reading.word.counting import written
from refdesk.reading.word.names import ILVL, NUM_ID, P_STYLE, R_FONTS, R_PR, VAL, w
from refdesk.reading.word.styles import Styles
from refdesk.reading.word.symbols import readable
from refdesk.reading.word.xml import integer, is_on

_DEEPEST = 8  # w:ilvl is 0 to 8
_MAX_LABEL = 100
_MAX_START = 1_000_000
_NO_LIST = "0"
_PLACE = re.compile(r"%([1-9])")
_BULLET = "bullet"
_BOXES = frozenset("☐☑☒✓✔✗✘")


@dataclass(frozen=True, slots=True)
class Label:
    """``text`` as Word shows it (``iv)``); empty for a bullet. ``depth`` is 0 to 8."""

    text: str
    depth: int


@dataclass(frozen=True, slots=True)
class _Level:
    start: int = 0
    form: str = "decimal"
    text: str = ""
    restart: int | None = None
    legal: bool = False
    style: str | None = None


@dataclass(slots=True)
class _List:
    """What every ``w:num`` of one ``w:abstractNum`` shares: the levels and the counting."""

    levels: dict[int, _Level]
    style_link: str | None = None
    counts: dict[int, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Num:
    list: _List
    levels: dict[int, _Level]
    starts: dict[int, int]
    begun: set[int] = field(default_factory=set)


class Numbering:
    def __init__(self, root: Element | None, styles: Styles) -> None:
        self._styles = styles
        self._style_places: dict[str | None, tuple[str | None, str | None]] = {}
        lists: dict[str, _List] = {}
        self._nums: dict[str, _Num] = {}
        for element in () if root is None else root.iter(w("abstractNum")):
            lists.setdefault(element.get(w("abstractNumId"), ""), _read_list(element))
        for element in () if root is None else root.iter(w("num")):
            link = element.find(w("abstractNumId"))
            shared = lists.get("" if link is None else link.get(VAL, ""))
            if shared is not None:
                self._nums.setdefault(element.get(NUM_ID, ""), _read_num(element, shared))
        self._follow_style_links()

    def label(self, properties: Element | None, style: str | None) -> Label | None:
        """Counts the paragraph and gives its label; None where it has none. ``properties`` is its numPr."""
        identity, depth = self._place(properties, style)
        num = self._nums.get(identity)
        if num is None:
            return None
        level = num.levels.get(depth)
        if level is None:
            return Label("", depth)
        number = _count(num, depth)
        if level.form == _BULLET:
            return Label(level.text if _says_something(level.text) else "", depth)
        text = " ".join(clean(self._fill(num, level, depth, number)).split())
        return Label(text[:_MAX_LABEL], depth) if text else None

    def _place(self, properties: Element | None, style: str | None) -> tuple[str, int]:
        """The num's id and the level. The paragraph's own comes first, then its style's, nearest first."""
        identity = depth = None
        if properties is not None:
            identity, depth = _value(properties, NUM_ID), _value(properties, ILVL)
        if identity is None:
            if style not in self._style_places:
                self._style_places[style] = self._style_place(style)
            identity, style_depth = self._style_places[style]
            depth = depth if depth is not None else style_depth
        return identity or _NO_LIST, integer(depth, 0, 0, _DEEPEST)

    def _style_place(self, style: str | None) -> tuple[str | None, str | None]:
        identity = depth = owner = None
        for name, properties in self._styles.numbering(style):
            owner = owner or name
            identity = identity if identity is not None else _value(properties, NUM_ID)
            depth = depth if depth is not None else _value(properties, ILVL)
        num = self._nums.get(identity or _NO_LIST)
        for level, values in () if num is None else num.levels.items():
            if values.style is not None and values.style in (style, owner):
                return identity, str(level)
        return identity, depth

    @staticmethod
    def _fill(num: _Num, level: _Level, depth: int, number: int) -> str:
        """``%1.%2`` with the counts of those levels; a level not counted yet shows its start."""

        def value(match: re.Match[str]) -> str:
            other = int(match[1]) - 1
            shown = num.levels.get(other, _Level())
            count = number if other == depth else num.list.counts.get(other, _start(num, other))
            return written(count, "decimal" if level.legal and shown.form != "none" else shown.form)

        return _PLACE.sub(value, level.text)

    def _follow_style_links(self) -> None:
        """An abstractNum may only name a list style: its levels stand where that style points."""
        for num in self._nums.values():
            link = num.list.style_link
            if link is None or num.list.levels:
                continue
            places = (_value(properties, NUM_ID) for _, properties in self._styles.numbering(link))
            target = self._nums.get(next((place for place in places if place is not None), _NO_LIST))
            if target is not None and target.list.levels:
                num.list = target.list
                num.levels = {**target.list.levels, **num.levels}


def _says_something(bullet: str) -> bool:
    """A word (``Q:``) or a box to be ticked, not a mere sign."""
    return bullet in _BOXES or (len(bullet) > 1 and any(map(str.isalnum, bullet)))


def _count(num: _Num, depth: int) -> int:
    counts = num.list.counts
    restart = depth in num.starts and depth not in num.begun
    num.begun.add(depth)
    if restart or depth not in counts:
        counts[depth] = _start(num, depth)
    else:
        counts[depth] += 1
    for deeper in [level for level in counts if level > depth]:
        restarts_after = num.levels.get(deeper, _Level()).restart
        # lvlRestart: 0 never restarts; n restarts only after a level up to n (counted from 1).
        if restarts_after is None or depth < restarts_after:
            del counts[deeper]
    return counts[depth]


def _start(num: _Num, depth: int) -> int:
    if depth in num.starts:
        return num.starts[depth]
    return num.levels[depth].start if depth in num.levels else 1


def _read_list(element: Element) -> _List:
    link = element.find(w("numStyleLink"))
    return _List(_read_levels(element), None if link is None else link.get(VAL))


def _read_num(element: Element, shared: _List) -> _Num:
    levels, starts = dict(shared.levels), {}
    for override in element.iterfind(w("lvlOverride")):
        depth = integer(override.get(ILVL), 0, 0, _DEEPEST)
        levels.update(_read_levels(override))
        start = override.find(w("startOverride"))
        if start is not None:
            starts[depth] = integer(start.get(VAL), 0, 0, _MAX_START)
    return _Num(shared, levels, starts)


def _read_levels(parent: Element) -> dict[int, _Level]:
    return {
        integer(level.get(ILVL), 0, 0, _DEEPEST): _read_level(level) for level in parent.iterfind(w("lvl"))
    }


def _read_level(element: Element) -> _Level:
    level = _Level(
        start=integer(_value(element, w("start")), 0, 0, _MAX_START),
        form=_form(element),
        text=_sign(element, (_value(element, w("lvlText")) or "")[:_MAX_LABEL]),
        legal=bool(is_on(element.find(w("isLgl")), VAL)),
        style=_value(element, P_STYLE),
    )
    restart = _value(element, w("lvlRestart"))
    return level if restart is None else replace(level, restart=integer(restart, 0, 0, _DEEPEST + 1))


def _sign(level: Element, text: str) -> str:
    """Bullets are often letters of a symbol font."""
    fonts = level.find(f"{R_PR}/{R_FONTS}")
    return readable(text, "" if fonts is None else fonts.get(w("ascii"), ""))


def _form(level: Element) -> str:
    """A custom format (``001, 002, ...``) stands beside an ordinary one that all programs know."""
    forms = [form.get(VAL, "decimal") for form in level.iter(w("numFmt"))]
    return next((form for form in forms if form != "custom"), "decimal")


def _value(element: Element, name: str) -> str | None:
    found = element.find(name)
    return None if found is None else found.get(VAL)
