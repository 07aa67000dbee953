"""Equations (OMML, ECMA-376 part 1, 22.1) as one line of text: ``x=(-b±√(b^2-4ac))/(2a)``."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

from refdesk.reading.word.characters import BREAK
from refdesk.reading.word.names import DEL, M_T, M_VAL, MOVE_FROM, T, m, w
from refdesk.reading.word.xml import is_on

_SPACED = frozenset(m(name) for name in ("f", "func", "nary", "limLow", "limUpp"))


def linear(element: Element) -> str:
    """The text of an equation or of any part of it."""
    text = ""
    built = False  # whether what stands before is more than plain signs: x^2 y must not become x^2y
    for child in element:
        part = _linear(child)
        if not part:
            continue
        apart = (built or child.tag in _SPACED) and text[-1:].isalnum() and part[0].isalnum()
        text += f" {part}" if apart else part
        built = child.tag in _FORMS
    return text


def _linear(element: Element) -> str:
    tag = element.tag
    if tag in (M_T, T):
        return element.text or ""
    if tag in (DEL, MOVE_FROM) or tag.endswith("Pr"):  # gone, or properties
        return ""
    return _FORMS.get(tag, linear)(element)


def _part(element: Element, name: str) -> str:
    found = element.find(m(name))
    return "" if found is None else linear(found).strip()


def _grouped(text: str) -> str:
    """Brackets where more than one sign or number stands above, below or beside."""
    return text if len(text) <= 1 or text.isalnum() else f"({text})"


def _setting(element: Element, name: str, default: str) -> str:
    """A value of the element's own properties, such as the sign of a sum."""
    found = element.find(f"{element.tag}Pr/{m(name)}")
    return default if found is None else found.get(M_VAL, "")


def _fraction(element: Element) -> str:
    """Without a bar it is one above the other, as in binomials."""
    bar = "¦" if _setting(element, "type", "bar") == "noBar" else "/"
    return f"{_grouped(_part(element, 'num'))}{bar}{_grouped(_part(element, 'den'))}"


def _scripts(element: Element) -> str:
    below, above = _part(element, "sub"), _part(element, "sup")
    return (f"_{_grouped(below)}" if below else "") + (f"^{_grouped(above)}" if above else "")


def _scripted(element: Element) -> str:
    return _part(element, "e") + _scripts(element)


def _scripted_before(element: Element) -> str:
    return _scripts(element) + _part(element, "e")


def _root(element: Element) -> str:
    degree = _part(element, "deg")
    return f"{degree}√({_part(element, 'e')})"


def _sum(element: Element) -> str:
    return f"{_setting(element, 'chr', '∫')}{_scripts(element)} {_part(element, 'e')}"


def _delimited(element: Element) -> str:
    separator = _setting(element, "sepChr", "|")
    inner = separator.join(linear(part).strip() for part in element.iterfind(m("e")))
    return _setting(element, "begChr", "(") + inner + _setting(element, "endChr", ")")


def _function(element: Element) -> str:
    return f"{_part(element, 'fName')} {_part(element, 'e')}"


def _accented(element: Element) -> str:
    return _part(element, "e") + _setting(element, "chr", "\u0302")


def _limit_below(element: Element) -> str:
    return f"{_part(element, 'e')}_{_grouped(_part(element, 'lim'))}"


def _limit_above(element: Element) -> str:
    return f"{_part(element, 'e')}^{_grouped(_part(element, 'lim'))}"


def _matrix(element: Element) -> str:
    rows = (
        ", ".join(linear(cell).strip() for cell in row.iterfind(m("e"))) for row in element.iterfind(m("mr"))
    )
    return f"[{'; '.join(rows)}]"


def _lines(element: Element) -> str:
    return BREAK.join(linear(line).strip() for line in element.iterfind(m("e")))


def _phantom(element: Element) -> str:
    shown = is_on(element.find(f"{m('phantPr')}/{m('show')}"), M_VAL)
    return "" if shown is False else _part(element, "e")


def _paragraph(element: Element) -> str:
    return BREAK.join(linear(equation).strip() for equation in element.iterfind(m("oMath")))


_FORMS: dict[str, Callable[[Element], str]] = {
    m("f"): _fraction,
    m("sSub"): _scripted,
    m("sSup"): _scripted,
    m("sSubSup"): _scripted,
    m("sPre"): _scripted_before,
    m("rad"): _root,
    m("nary"): _sum,
    m("d"): _delimited,
    m("func"): _function,
    m("acc"): _accented,
    m("limLow"): _limit_below,
    m("limUpp"): _limit_above,
    m("m"): _matrix,
    m("eqArr"): _lines,
    m("phant"): _phantom,
    m("oMathPara"): _paragraph,
    w("br"): lambda _: BREAK,
}


def equation(element: Element) -> str:
    """An ``m:oMath`` or ``m:oMathPara``."""
    return _linear(element).strip()
