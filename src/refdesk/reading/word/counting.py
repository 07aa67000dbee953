"""Numbers as Word writes them in lists (``w:numFmt``, ECMA-376 part 1, 17.18.59)."""

from __future__ import annotations

from collections.abc import Callable

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_MAX_ROMAN, _MAX_REPEAT = 32_767, 30
_CJK_DIGITS = "〇一二三四五六七八九"
_CJK_UNITS = ("", "十", "百", "千")
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
             "nine": "ninth", "twelve": "twelfth"}  # fmt: skip

_AIUEO = "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン"
_IROHA = "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
# One sign a number; after the last sign they are doubled, tripled … as Word does with letters.
_SIGNS = {
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщэюя",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "aiueo": _AIUEO,
    "aiueoFullWidth": _AIUEO,
    "iroha": _IROHA,
    "irohaFullWidth": _IROHA,
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "chicago": "*†‡§",
}
# Digits of another script, or one sign a number that Unicode has in a row.
_DIGITS = {
    "decimalFullWidth": "０１２３４５６７８９", "decimalFullWidth2": "０１２３４５６７８９",
    "hindiNumbers": "०१२३४५६७८९", "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
    "ideographDigital": _CJK_DIGITS, "japaneseDigitalTenThousand": _CJK_DIGITS,
    "taiwaneseDigital": _CJK_DIGITS, "koreanDigital2": _CJK_DIGITS, "koreanDigital": "영일이삼사오육칠팔구",
}  # fmt: skip
_ROWS = {
    "decimalEnclosedCircle": "①", "decimalEnclosedCircleChinese": "①",
    "decimalEnclosedParen": "⑴", "decimalEnclosedFullstop": "⒈",
}  # fmt: skip
_ROW_LENGTH = 20
_CJK_COUNTS = frozenset(
    {
        "chineseCounting", "chineseCountingThousand", "chineseLegalSimplified", "japaneseCounting",
        "taiwaneseCounting", "taiwaneseCountingThousand", "ideographLegalTraditional", "japaneseLegal",
    }
)  # fmt: skip


def written(number: int, form: str) -> str:
    """``number`` in the format; decimal where the format does not reach or is not known."""
    if form in _SIGNS:
        return _sign(number, _SIGNS[form])
    if form in _DIGITS:
        return "".join(_DIGITS[form][int(digit)] for digit in str(number))
    if form in _ROWS:
        return chr(ord(_ROWS[form]) + number - 1) if 1 <= number <= _ROW_LENGTH else str(number)
    if form in _CJK_COUNTS:
        return _cjk(number)
    return _FORMS.get(form, str)(number)


def _sign(number: int, signs: str) -> str:
    turn, place = divmod(number - 1, len(signs))
    return signs[place] * (turn + 1) if 0 <= turn < _MAX_REPEAT else str(number)


def _roman(number: int) -> str:
    if not 1 <= number <= _MAX_ROMAN:
        return str(number)
    written_out = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        written_out += letters * count
    return written_out


def _cjk(number: int) -> str:
    if not 1 <= number <= 9_999:
        return str(number) if number else _CJK_DIGITS[0]
    text = ""
    digits = str(number)
    for place, digit in enumerate(digits):
        unit = _CJK_UNITS[len(digits) - place - 1]
        if digit != "0":
            text += _CJK_DIGITS[int(digit)] + unit
        elif text[-1] != _CJK_DIGITS[0] and digits[place:].strip("0"):
            text += _CJK_DIGITS[0]
    return text.removeprefix("一") if 10 <= number < 20 else text


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _cardinal(number: int) -> str:
    if not 0 <= number < 100:
        return str(number)
    if number < len(_SMALL):
        return _SMALL[number].capitalize()
    tens, ones = divmod(number, 10)
    return (_TENS[tens] + (f"-{_SMALL[ones]}" if ones else "")).capitalize()


def _ordinal_text(number: int) -> str:
    if not 0 <= number < 100:
        return _ordinal(number)
    head, dash, last = _cardinal(number).lower().rpartition("-")
    last = _ORDINALS.get(last) or (last.removesuffix("y") + "ieth" if last.endswith("y") else last + "th")
    return (head + dash + last).capitalize()


_FORMS: dict[str, Callable[[int], str]] = {
    "decimalZero": lambda number: f"{number:02d}",
    "lowerRoman": _roman,
    "upperRoman": lambda number: _roman(number).upper(),
    "ordinal": _ordinal,
    "cardinalText": _cardinal,
    "ordinalText": _ordinal_text,
    "hex": lambda number: f"{number:X}",
    "numberInDash": lambda number: f"- {number} -",
    "none": lambda _: "",
}
