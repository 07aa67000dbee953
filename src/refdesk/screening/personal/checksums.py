"""Check digits, each by the standard that its numbers follow; arguments are digits without separators."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import cycle
from string import ascii_uppercase, digits


def luhn(number: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for digit, double in zip(reversed(number), cycle((False, True)), strict=False):
        value = int(digit) * (2 if double else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def mod97(text: str) -> bool:
    """ISO 7064 mod 97-10 over letters and digits, the check digits at the end."""
    return int("".join(str(int(sign, 36)) for sign in text)) % 97 == 1


def weighted(number: str, weights: Sequence[int], modulus: int, remainder: int = 0) -> bool:
    return (
        sum(int(digit) * weight for digit, weight in zip(number, weights, strict=True)) % modulus == remainder
    )


def mod11_10(number: str) -> bool:
    """ISO 7064 mod 11,10."""
    product = 10
    for digit in number[:-1]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10 == int(number[-1])


def ean13(number: str) -> bool:
    return weighted(number, (1, 3) * 6 + (1,), 10)


def verhoeff(number: str) -> bool:
    """Verhoeff's check over the dihedral group of order 10."""
    state = 0
    for position, digit in enumerate(reversed(number)):
        state = _times(state, _PERMUTED[position % 8][int(digit)])
    return state == 0


def _times(a: int, b: int) -> int:
    """Multiplication in the dihedral group: 0 to 4 turn, 5 to 9 turn and flip."""
    turned = (a - b if a >= 5 else a + b) % 5
    return turned + 5 * ((a >= 5) != (b >= 5))


_STEP = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _permutations() -> list[list[int]]:
    rows = [list(range(10))]
    for _ in range(7):
        rows.append([_STEP[value] for value in rows[-1]])
    return rows


_PERMUTED = _permutations()

_ODD_START = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21)
_ODD = dict(
    zip(
        digits + ascii_uppercase,
        (*_ODD_START, *_ODD_START, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)


def codice_fiscale(code: str) -> bool:
    """Decree of 12 March 1974: signs at odd places by a table, at even places by their rank."""
    odd = sum(_ODD[sign] for sign in code[0:15:2])
    even = sum(int(sign) if sign.isdigit() else ascii_uppercase.index(sign) for sign in code[1:15:2])
    return ascii_uppercase[(odd + even) % 26] == code[15]
