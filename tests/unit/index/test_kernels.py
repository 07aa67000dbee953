"""The compiled loops find what numpy finds, and their absence or another source of them is noticed."""

from __future__ import annotations

import ctypes
import runpy
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from tests.conftest import need

from refdesk.index.bm25 import K1, B
from refdesk.index.local.kernels import by_rows, by_vectors, by_words
from refdesk.index.local.kernels.compiled import FILE, Kernels, load
from refdesk.index.local.kernels.given import Postings, Terms, Wanted

ROOT = Path(__file__).parents[3]
WINDOW = 4_096
"""Rows that the compiled loop takes together."""


def never() -> bool:
    return False


def made(seed: int, size: int, terms: int, dead_share: float) -> tuple[Postings, Terms]:
    """Of rows some hold a term; each term has one posting at least, and weights fall."""
    random = np.random.default_rng(seed)
    held = [np.flatnonzero(random.random(size) < share) for share in random.random(terms) ** 3]
    held = [rows if len(rows) else np.array([size - 1]) for rows in held]
    ends = np.cumsum([len(rows) for rows in held])
    postings = Postings(
        np.concatenate(held).astype(np.uint32),
        random.integers(1, 9, ends[-1]).astype(np.uint16),
        random.integers(1, 300, size).astype(np.uint32),
        random.random(size) < dead_share if dead_share else None,
    )
    starts = np.concatenate([[0], ends[:-1]])
    return postings, Terms(np.sort(random.random(terms) * 9 + 0.1)[::-1].copy(), starts, ends)


def wanted(k: int, least: float, late: Callable[[], bool] = never) -> Wanted:
    return Wanted(k, least, K1 * (1.0 - B + B * np.arange(301) / 80), late)


def best(found: tuple[NDArray[np.int64], NDArray[np.float64]], asked: Wanted) -> list[tuple[int, float]]:
    """The rows that must be among those found, with their scores as they are."""
    rows, scores = found
    least = asked.least
    if 0 < asked.k < len(scores):
        least = max(least, float(np.partition(scores, len(scores) - asked.k)[len(scores) - asked.k]))
    return [(row, score) for row, score in zip(rows.tolist(), scores.tolist(), strict=True) if score >= least]


@pytest.mark.req("SRCH1")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    size=st.sampled_from([1, 7, 8, 100, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW + 5]),
    terms=st.integers(1, 12),
    dead_share=st.sampled_from([0.0, 0.3, 1.0]),
    k=st.sampled_from([0, 1, 8, 108, 100_000]),
    least=st.sampled_from([0.0, 2.5, 1000.0]),
)
def test_scores_are_those_of_numpy_to_the_last_bit(
    compiled: Kernels, seed: int, size: int, terms: int, dead_share: float, k: int, least: float
) -> None:
    postings, asked = made(seed, size, terms, dead_share)
    one = wanted(k, least)
    assert best(compiled.scored(postings, asked, one), one) == best(
        by_words.scored(postings, asked, one), one
    )


@pytest.mark.req("SRCH1")
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    words=st.integers(1, 7),
    count=st.sampled_from([1, 31, 32, 33, 1_000, 20_000]),
    most=st.integers(1, 900),
    some=st.booleans(),
)
def test_what_bits_propose_is_what_numpy_proposes(
    compiled: Kernels, seed: int, words: int, count: int, most: int, some: bool
) -> None:
    random = np.random.default_rng(seed)
    signs = random.integers(0, 2**63, (words, count)).astype(np.uint64)
    asked, large = random.integers(0, 2**63, (2, words)).astype(np.uint64)
    eligible = random.random(count) < 0.5 if some else None
    rows = compiled.proposed(signs, asked, large, eligible, most)
    assert rows.tolist() == by_vectors.proposed(signs, asked, large, eligible, most).tolist()
    assert len(rows) >= min(most, count if eligible is None else int(eligible.sum()))


@pytest.mark.req("SRCH1")
@pytest.mark.parametrize("dimensions", [1, 31, 32, 384, 1_000])
def test_cosines_are_those_of_numpy_and_equal_for_equal_rows(compiled: Kernels, dimensions: int) -> None:
    random = np.random.default_rng(dimensions)
    rows = random.integers(-127, 128, (500, dimensions)).astype(np.int8)
    rows[300:400] = rows[7]
    lengths = np.sqrt(np.square(rows, dtype=np.int32).sum(axis=1)).astype(np.float32) + 1
    unit = random.standard_normal(dimensions).astype(np.float32)
    unit /= np.linalg.norm(unit)
    places = np.array([499, 7, 350, 0])
    every, chosen = compiled.cosines(rows, lengths, None, unit), compiled.cosines(rows, lengths, places, unit)
    assert every == pytest.approx(by_vectors.cosines(rows, lengths, None, unit), abs=1e-6)
    assert chosen.tolist() == every[places].tolist()
    assert set(every[300:400].tolist()) == {float(every[7])}


@pytest.mark.req("SRCH4")
def test_who_is_late_has_the_weightiest_terms_counted(compiled: Kernels) -> None:
    postings, asked = made(3, 20_000, 8, 0.0)
    one = wanted(8, 0.0, late=lambda: True)
    rows, scores = compiled.scored(postings, asked, one)
    assert best((rows, scores), one) == best(by_words.scored(postings, asked, one), one)
    everything = compiled.scored(postings, asked, wanted(8, 0.0))[1]
    assert scores.max() < everything.max()


def test_a_thread_without_denormals_finds_no_row_that_has_nothing(compiled: Kernels, tmp_path: Path) -> None:
    """Loading a library that was made with -ffast-math turns them off."""
    need(shutil.which("cc") is not None, "there is no C compiler")
    (tmp_path / "fast.c").write_text("int nothing(void) { return 0; }")
    library = tmp_path / "fast.so"
    subprocess.run(["cc", "-ffast-math", "-shared", "-fPIC", "-o", library, tmp_path / "fast.c"], check=True)
    postings = Postings(np.array([3], np.uint32), np.ones(1, np.uint16), np.ones(13, np.uint32), None)
    asked = Terms(np.ones(1), np.array([0]), np.array([1]))
    rows: list[list[int]] = []

    def search() -> None:
        ctypes.CDLL(str(library))
        rows.append(compiled.scored(postings, asked, wanted(0, 0.0))[0].tolist())

    thread = Thread(target=search)
    thread.start()
    thread.join()
    assert rows == [[3]]


@pytest.mark.parametrize("row", [100, 2**32 - 1])
def test_a_posting_of_no_row_is_an_error_and_nothing_is_written(compiled: Kernels, row: int) -> None:
    postings, asked = made(5, 100, 3, 0.0)
    postings.rows[-1] = row
    for scored in (compiled.scored, by_words.scored):
        with pytest.raises(IndexError):
            scored(postings, asked, wanted(8, 0.0))


def test_postings_behind_the_last_are_an_error(compiled: Kernels) -> None:
    postings, asked = made(5, 100, 3, 0.0)
    beyond = asked._replace(ends=asked.ends + len(postings.rows))
    with pytest.raises(IndexError):
        compiled.scored(postings, beyond, wanted(8, 0.0))


@pytest.mark.req("D7")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10**6),
    postings=st.sampled_from([0, 1, 63, 64, 65, 1_000, 2**16, 2**20, 2**20 + 65]),
    first=st.integers(0, 99),
    rows=st.integers(0, 30),
    share=st.sampled_from([0.1, 1.0]),
)
def test_the_postings_of_rows_are_all_of_theirs_and_no_others(
    compiled: Kernels, seed: int, postings: int, first: int, rows: int, share: float
) -> None:
    random = np.random.default_rng(seed)
    held = random.integers(0, 100, postings).astype(np.uint32)
    wanted = np.zeros(100, np.bool_)
    wanted[first : first + rows] = random.random(len(wanted[first : first + rows])) < share
    every = np.flatnonzero(wanted[held]).tolist()
    assert compiled.postings_of(held, wanted).tolist() == every
    assert by_rows.postings_of(held, wanted).tolist() == every


def test_a_posting_of_a_row_that_is_not_there_is_of_no_row_that_is_wanted(compiled: Kernels) -> None:
    held, wanted = np.array([3, 2**32 - 1, 4, 0] * 64, np.uint32), np.array([False] * 3 + [True])
    assert compiled.postings_of(held, wanted).tolist() == list(range(0, 256, 4))
    assert by_rows.postings_of(held, wanted).tolist() == list(range(0, 256, 4))


def test_an_array_with_gaps_is_not_read(compiled: Kernels) -> None:
    rows = np.zeros((10, 64), np.int8)[:, ::2]
    with pytest.raises(ValueError, match="gaps"):
        compiled.cosines(rows, np.ones(10, np.float32), None, np.ones(32, np.float32))


def test_without_a_library_numpy_does_it(tmp_path: Path) -> None:
    assert load(tmp_path / "kernels.so") is None
    (tmp_path / "kernels.so").write_bytes(b"no library")
    assert load(tmp_path / "kernels.so") is None


def test_a_library_of_another_source_is_not_used(tmp_path: Path) -> None:
    need(shutil.which("cc") is not None, "there is no C compiler")
    (tmp_path / "kernels.c").write_bytes(FILE.with_suffix(".c").read_bytes() + b"\n")
    assert not build(tmp_path / "kernels.c", tmp_path / "kernels.so")
    assert load(tmp_path / "kernels.so") is None
    assert not build(FILE.with_suffix(".c"), tmp_path / "this.so")
    assert load(tmp_path / "this.so") is not None


def test_a_build_without_a_compiler_says_so_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CC", "no-such-compiler -O2")
    assert (
        build(FILE.with_suffix(".c"), tmp_path / "kernels.so") == "there is no C compiler 'no-such-compiler'."
    )
    assert not list(tmp_path.iterdir())


def test_a_source_that_does_not_compile_says_why_and_leaves_nothing(tmp_path: Path) -> None:
    need(shutil.which("cc") is not None, "there is no C compiler")
    (tmp_path / "kernels.c").write_text("int version(void) { return 1 }")
    assert "error" in str(build(tmp_path / "kernels.c", tmp_path / "kernels.so"))
    assert [file.name for file in tmp_path.iterdir()] == ["kernels.c"]


def test_the_source_has_no_warnings(tmp_path: Path) -> None:
    need(shutil.which("cc") is not None, "there is no C compiler")
    command = [
        "cc",
        "-O3",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-DSOURCE=1",
        "-fPIC",
        "-shared",
        "-o",
        tmp_path / "k.so",
    ]
    done = subprocess.run([*command, FILE.with_suffix(".c")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def build(source: Path, library: Path) -> str | None:
    """As the installation does; the backend of builds is not installed here."""
    code = (ROOT / "hatch_build.py").read_text()
    stub = "class BuildHookInterface: pass"
    line = "from hatchling.builders.hooks.plugin.interface import BuildHookInterface"
    assert line in code
    script = library.parent / "build.py"
    script.write_text(code.replace(line, stub))
    try:
        found: str | None = runpy.run_path(str(script))["compiled"](source, library)
    finally:
        script.unlink()
    return found
