"""The local index's own promises: files, processes, and what is left on disk."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from refdesk.errors import Failed
from refdesk.index.hashed import term_hash
from refdesk.index.local import LocalIndex, files, generation, truth, vectors
from refdesk.index.model import Candidate, Entry, Statistics, Weighted

REFUND = [Weighted("=refund", 1.0, "exact")]
WRITER = """
    import sys, time
    from collections import Counter
    from pathlib import Path
    import numpy as np
    from refdesk.index.local import LocalIndex, generation
    from refdesk.index.model import Entry

    generation.TAIL = 50
    index = LocalIndex(Path(sys.argv[1]))
    vector = np.ones(32, np.float32) / np.sqrt(np.float32(32))

    def entries(version, count):
        terms = Counter({"=refund": version, f"=v{version}": 1})
        places = range(1, count + 1)
        return [Entry(i, f"{version} {i}", "", None, 0, 0, bytes(16), terms, 2, vector) for i in places]
"""


@pytest.fixture
def index(tmp_path: Path) -> Iterator[LocalIndex]:
    made = LocalIndex(tmp_path / "base")
    yield made
    made.close()


def entry(position: int, text: str) -> Entry:
    digest = sha256(text.encode()).digest()
    vector = np.frombuffer(digest, np.uint8).astype(np.float32)
    return Entry(
        position, text, "", None, 0, len(text), digest[:16], Counter(f"={w}" for w in text.split()),
        len(text.split()), vector / np.linalg.norm(vector),
    )  # fmt: skip


def entries(*texts: str) -> list[Entry]:
    return [entry(i, text) for i, text in enumerate(texts, 1)]


def fill(index: LocalIndex, documents: int, each: int = 10) -> None:
    for i in range(documents):
        index.put(f"doc{i}", 1, entries(*(f"refund {i} part {j}" for j in range(each))))


def keyword(index: LocalIndex, k: int = 1000) -> list[Candidate]:
    return index.keyword(REFUND, index.statistics(["=refund"]), k)


def run(script: str, *arguments: str) -> subprocess.Popen[str]:
    code = textwrap.dedent(WRITER) + textwrap.dedent(script)
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True)


def segments(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.segment"))


@pytest.mark.req("ING2")
def test_readers_in_other_processes_see_whole_versions_only(index: LocalIndex, tmp_path: Path) -> None:
    """A writer replaces a document again and again; what is found is always whole versions, the newest
    beside at most one older, in passages as in statistics. The writer goes on once the reader has met it."""
    folder, met = tmp_path / "base", tmp_path / "met"
    index.put("a", 1, [])
    writer = run(
        """
        for version in range(1, 25):
            index.put("a", version, entries(version, 30))
            index.drop("a", below=version)
            if version % 5 == 0:
                index.tidy()
            until = time.monotonic() + 60
            while not Path(sys.argv[2]).exists() and time.monotonic() < until:
                time.sleep(0.01)
        """,
        str(folder),
        str(met),
    )
    reader = run(
        """
        import json
        from refdesk.index.model import Weighted
        seen, torn = set(), 0
        while 24 not in seen:
            view = index._view()
            found = Counter(one.version for one in view.keyword(
                [Weighted("=refund", 1.0, "exact")], view.statistics(["=refund"]), 1000, None, None))
            near = Counter(one.version for one in view.nearest(vector, 1000, None, None))
            torn += any(count != 30 for count in found.values()) or len(found) > 2 or near != found
            torn += view.statistics(["=refund"]).holding["=refund"] != sum(found.values())
            seen |= set(found)
            if seen:
                Path(sys.argv[2]).touch()
        print(json.dumps([len(seen), torn]))
        """,
        str(folder),
        str(met),
    )
    with writer, reader:
        assert writer.wait(120) == 0
        seen, torn = json.loads(reader.communicate(timeout=60)[0])
    assert torn == 0
    assert seen >= 2
    assert {one.version for one in keyword(index)} == {24}


@pytest.mark.req("ING2", "D7")
def test_a_writer_that_is_killed_leaves_the_old_version_or_the_new(tmp_path: Path) -> None:
    chance = random.Random(7)
    for round_ in range(5):
        folder = tmp_path / f"base{round_}"
        writer = run(
            """
            print("ready", flush=True)
            for version in range(1, 10_000):
                index.put("a", version, entries(version, 120))
                index.drop("a", below=version)
                if version % 3 == 0:
                    index.tidy()
            """,
            str(folder),
        )
        with writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(0.05 + chance.random() * 0.3)
            writer.send_signal(signal.SIGKILL)
        with closing(LocalIndex(folder)) as index:
            found = Counter(one.version for one in keyword(index))
            assert set(found.values()) <= {120}
            assert len(found) <= 2
            assert index.statistics(["=refund"]).passages == sum(found.values())
            newest = max(found, default=0) + 1
            index.put("a", newest, entries("refund again"))
            index.drop("a", below=newest)
            index.tidy()
            assert [one.version for one in keyword(index)] == [newest]


@pytest.mark.req("ING2")
def test_two_writers_take_turns(index: LocalIndex, tmp_path: Path) -> None:
    script = """
        for i in range(15):
            index.put(f"{sys.argv[2]}{i}", 1, entries(1, 20))
    """
    with run(script, str(tmp_path / "base"), "a") as one, run(script, str(tmp_path / "base"), "b") as other:
        assert (one.wait(60), other.wait(60)) == (0, 0)
    assert index.statistics(["=refund"]) == Statistics(600, 1200, {"=refund": 600})
    assert len(keyword(index)) == 600


def test_threads_share_one_object(index: LocalIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "TAIL", 30)
    fill(index, 3)
    failures: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(30):
                found = keyword(index)
                assert len(found) % 10 == 0
                index.stored([one.key for one in found[:3]])
        except BaseException as error:  # an assertion in a thread must reach the test
            failures.append(error)

    threads = [threading.Thread(target=search) for _ in range(3)]
    for thread in threads:
        thread.start()
    for i in range(10):
        index.put(f"more{i}", 1, entries(*(f"refund {i} {j}" for j in range(10))))
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(keyword(index)) == 130


def test_a_forked_process_opens_its_own_connection(index: LocalIndex) -> None:
    fill(index, 1)
    child = os.fork()
    if child == 0:
        os._exit(0 if len(keyword(index)) == 10 else 1)
    assert os.waitpid(child, 0)[1] == 0
    fill(index, 2)
    assert len(keyword(index)) == 20


def test_a_tail_of_which_little_is_alive_is_not_loaded_by_each_put(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 20)
    fill(index, 1)
    for version in range(2, 9):
        index.put("doc0", version, entries(*(f"refund {version} part {j}" for j in range(10))))
        index.drop("doc0", below=version)
        with closing(truth.connect(tmp_path / "base" / truth.FILE)) as database:
            assert generation.has_short_tail(database)
    assert len(keyword(index)) == 10


def test_a_base_of_which_all_is_deleted_and_its_file_lost_is_brought_together(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 5)
    monkeypatch.setattr(generation, "_LOOSE", 1)
    fill(index, 1)
    index.drop("doc0")
    segments(tmp_path / "base")[0].unlink()
    index.close()
    assert not keyword(index)
    index.merge(100)
    fill(index, 1)
    assert len(keyword(index)) == 10


@pytest.mark.req("ING2")
@pytest.mark.parametrize("harm", ["lost", "cut", "emptied", "garbled"])
def test_a_file_that_is_lost_or_damaged_is_made_again(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, harm: str
) -> None:
    monkeypatch.setattr(generation, "TAIL", 20)
    fill(index, 5)
    before = keyword(index)
    index.close()
    broken = segments(tmp_path / "base")[0]
    if harm == "lost":
        broken.unlink()
    elif harm == "cut":
        os.truncate(broken, broken.stat().st_size - 64)
    else:
        broken.write_bytes(b"" if harm == "emptied" else b"x" * broken.stat().st_size)
    assert keyword(index) == before
    index.close()
    assert keyword(index) == before


def test_files_of_a_writer_that_died_are_removed(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 20)
    fill(index, 3)
    orphan = tmp_path / "base" / "0000009999.segment"
    orphan.write_bytes(b"half of a file")
    index.tidy()
    assert not orphan.exists()
    assert len(keyword(index)) == 30


def test_segments_stay_few(index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generation, "TAIL", 10)
    fill(index, 30)
    assert len(segments(tmp_path / "base")) <= 3
    assert index.statistics([]).passages == 300


def test_a_base_at_rest_is_one_file(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 40)
    monkeypatch.setattr(generation, "_RATIO", 0)
    monkeypatch.setattr(generation, "_LOOSE", 15)
    index.merge(110)
    fill(index, 11)
    before = keyword(index)
    assert len(segments(tmp_path / "base")) == 2
    index.merge(14)
    assert len(segments(tmp_path / "base")) == 2
    index.merge(110)
    assert [len(files.read(path)) for path in segments(tmp_path / "base")] == [110]
    assert keyword(index) == before
    with closing(LocalIndex(tmp_path / "base")) as other:
        assert keyword(other) == before


@pytest.mark.parametrize(("least", "share"), [(11, 16), (10, 4)], ids=["few", "a small share"])
def test_a_file_is_not_made_again_for_little(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, least: int, share: int
) -> None:
    monkeypatch.setattr(generation, "TAIL", 40)
    monkeypatch.setattr(generation, "_LOOSE", least)
    monkeypatch.setattr(generation, "_LOOSE_SHARE", share)
    fill(index, 5)
    made = segments(tmp_path / "base")
    index.merge(50)
    assert segments(tmp_path / "base") == made
    monkeypatch.setattr(generation, "_LOOSE", 10)
    monkeypatch.setattr(generation, "_LOOSE_SHARE", 5)
    index.merge(50)
    assert [len(files.read(path)) for path in segments(tmp_path / "base")] == [50]


def test_a_file_of_passages_that_were_put_again_and_again_is_not_made_again_for_few(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its keys go from the first ever put to the last, many more than it holds."""
    monkeypatch.setattr(generation, "TAIL", 40)
    monkeypatch.setattr(generation, "MOST", 60)
    monkeypatch.setattr(generation, "_LOOSE", 2)
    for _ in range(4):
        fill(index, 4)
        index.merge(40)
    made = segments(tmp_path / "base")
    index.put("more", 1, entries("refund of more", "and more"))
    index.merge(2)
    assert segments(tmp_path / "base") == made


def test_a_large_file_is_not_merged_again_nor_made(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 10)
    monkeypatch.setattr(generation, "MOST", 60)
    fill(index, 20)
    before = keyword(index)
    made = segments(tmp_path / "base")
    assert 4 <= len(made) <= 6
    assert 50 <= max(len(files.read(path)) for path in made) <= 60
    monkeypatch.setattr(generation, "_BATCH", 25)
    for path in made:
        path.unlink()
    index.close()
    assert keyword(index) == before
    assert sorted(len(files.read(path)) for path in segments(tmp_path / "base")) == [50, 50, 50, 50]


def test_a_disk_too_full_for_a_segment_costs_no_passage(tmp_path: Path) -> None:
    """No file larger than the limit can be written: the log of six passages is smaller than a file of 51."""
    folder = tmp_path / "base"
    script = """
        import resource, signal
        vector = np.ones(4096, np.float32) / np.float32(64)
        index.put("a", 1, entries(1, 45))
        index.tidy()
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (160_000, resource.RLIM_INFINITY))
        index.put("b", 1, entries(1, 6))
        print(index.statistics(["=refund"]).passages)
        print(*(path.name for path in Path(sys.argv[1]).glob("*.segment")))
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        index.put("c", 1, entries(1, 1))
        print(*(path.name for path in Path(sys.argv[1]).glob("*.segment")))
    """
    with run(script, str(folder)) as process:
        output = process.communicate(timeout=60)[0].splitlines()
    assert output == ["51", "", "0000000001.segment"]
    with closing(LocalIndex(folder)) as index:
        assert index.statistics(["=refund"]).passages == 52


def everything_on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


@pytest.mark.parametrize(
    ("tail", "each"),
    [(5, 10), (2, 1), (10_000, 10)],
    ids=["scrubbed in its file", "file written anew", "in the tail"],
)
def test_nothing_of_a_deleted_document_is_on_disk_after_tidy(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tail: int, each: int
) -> None:
    monkeypatch.setattr(generation, "TAIL", tail)
    secret = entry(1, "plutonium xylophone " * 40)
    marks = [
        b"plutonium",
        b"doc-secret",
        secret.digest,
        term_hash("=plutonium"),
        vectors.quantised(secret.vector),
    ]
    fill(index, 1, each)
    index.put("doc-secret", 1, [secret])
    fill(index, 2, each)
    with closing(LocalIndex(tmp_path / "base")) as reader:
        keyword(reader)
        on_disk = everything_on_disk(tmp_path / "base")
        assert [mark in on_disk for mark in marks] == [True] * 5
        index.drop("doc-secret")
        index.tidy()
        on_disk = everything_on_disk(tmp_path / "base")
        assert [mark in on_disk for mark in marks] == [False] * 5
        assert (tmp_path / "base" / "index.db-wal").stat().st_size == 0
        assert len(keyword(reader)) == len(keyword(index)) == 2 * each
        assert keyword(index, 1) + index.keyword(
            REFUND, index.statistics(["=refund"]), 99, after=keyword(index, 1)[0]
        ) == keyword(index)


def test_a_search_that_began_before_a_document_was_scrubbed_does_not_find_it(
    index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 5)
    fill(index, 1)
    index.put("doc-secret", 1, [entry(1, "refund secret")])
    fill(index, 2)
    began = index._view()
    asked = entry(1, "refund secret").vector
    assert began.nearest(asked, 1, None, None)[0].document == "doc-secret"
    index.drop("doc-secret")
    index.tidy()
    assert began.nearest(asked, 99, None, None) == index.nearest(asked, 99)
    statistics = index.statistics(["=refund"])
    assert began.keyword(REFUND, statistics, 99, None, None) == keyword(index)


def test_vectors_of_no_known_model_are_gone_from_disk_when_the_base_turns_to_one(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation, "TAIL", 5)
    fill(index, 2)
    vector = vectors.quantised(entry(1, "refund 0 part 0").vector)
    assert vector in everything_on_disk(tmp_path / "base")
    index.turn_to("another model")
    index.tidy()
    assert vector not in everything_on_disk(tmp_path / "base")
    assert len(keyword(index)) == 20


def test_opening_does_nothing_and_reading_makes_nothing(tmp_path: Path) -> None:
    index = LocalIndex(tmp_path / "base")
    assert keyword(index) == []
    assert not (tmp_path / "base").exists()


def test_a_damaged_truth_is_said_in_one_sentence(index: LocalIndex, tmp_path: Path) -> None:
    fill(index, 1)
    index.close()
    (tmp_path / "base" / truth.FILE).write_bytes(b"not a database" * 1000)
    with pytest.raises(Failed, match="damaged") as caught:
        keyword(index)
    assert caught.value.code == "index_damaged"


def test_an_index_of_a_newer_refdesk_is_left_alone(index: LocalIndex, tmp_path: Path) -> None:
    fill(index, 1)
    index.close()
    with closing(sqlite3.connect(tmp_path / "base" / truth.FILE)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(Failed) as caught:
        keyword(index)
    assert caught.value.code == "desk_newer"


@pytest.mark.req("SRCH4")
@pytest.mark.usefixtures("loops")
def test_at_the_deadline_the_rarest_terms_have_been_counted(
    index: LocalIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("by_words", "compiled"):
        monkeypatch.setattr(f"refdesk.index.local.kernels.{module}.FIRST", 1)
    index.put("a", 1, entries(*["refund refund"] * 5, "parcel"))
    terms = [*REFUND, Weighted("=parcel", 1.0, "exact")]
    statistics = index.statistics(["=refund", "=parcel"])
    assert [one.position for one in index.keyword(terms, statistics, 9, deadline=0.0)] == [6]
    assert len(index.keyword(terms, statistics, 9)) == 6
