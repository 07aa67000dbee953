"""What is remembered is what would be made, and does not grow without end."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from refdesk.index.memory import LONGEST, Memory, Remembered

_KEYS = st.integers(0, 12).map(str)


@given(st.lists(_KEYS), st.integers(1, 5))
def test_answers_are_those_that_are_made_and_bounded_in_number(keys: list[str], most: int) -> None:
    def make(key: str) -> str | None:
        return key * 2 if int(key) % 3 else None

    memory = Memory(make, most)
    for key in keys:
        assert memory[key] == make(key)
        assert len(memory) <= most


def test_what_comes_again_is_made_once() -> None:
    made: list[str] = []

    def make(key: str) -> str:
        made.append(key)
        return key.upper()

    memory = Memory(make, 2)
    for key in ("often", "a", "often", "b", "often", "c", "often", "d"):
        assert memory[key] == key.upper()
    assert made.count("often") == 1


def test_what_is_long_is_made_and_not_remembered() -> None:
    memory = Memory(str.upper, 5)
    for length in (LONGEST, LONGEST + 1):
        assert memory["a" * length] == "A" * length
    assert list(memory) == ["a" * LONGEST]


@given(st.lists(st.dictionaries(_KEYS, st.just("told"), max_size=8)), st.integers(1, 5))
def test_what_is_told_is_remembered_within_the_same_bounds(told: list[dict[str, str]], most: int) -> None:
    memory: Memory[str, str] = Memory(lambda key: "made", most)
    for found in told:
        memory.add(found)
        assert len(memory) <= most
        assert sum(memory[key] == "told" for key in found) >= min(1, len(found))


@given(st.lists(st.lists(_KEYS, max_size=8)), st.integers(1, 5))
def test_of_many_keys_each_has_its_answer_within_the_same_bounds(asked: list[list[str]], most: int) -> None:
    memory: Remembered[str, str] = Remembered(most)
    for keys in asked:
        assert memory.each(keys, lambda some: [key * 2 for key in some]) == [key * 2 for key in keys]
        assert len(memory) <= most


def test_of_many_keys_those_that_come_again_are_made_once() -> None:
    made: list[str] = []

    def make(keys: Sequence[str]) -> list[str]:
        made.extend(keys)
        return list(map(str.upper, keys))

    memory: Remembered[str, str] = Remembered(3)
    for keys in (["often", "a", "often"], ["often", "b", "c"], ["d", "often"], ["a" * (LONGEST + 1)]):
        assert memory.each(keys, make) == list(map(str.upper, keys))
    assert made.count("often") == 1
    assert all(len(key) <= LONGEST for key in (*memory, *memory._old))
