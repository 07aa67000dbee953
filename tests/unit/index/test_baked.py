"""A baked base: read-only files that answer as the base did, and say so when they are not what they were."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from refdesk.errors import Failed, UsageError
from refdesk.index.local import BakedIndex, LocalIndex, Manifests, files, generation, open_baked
from refdesk.index.local.bake import MANIFEST, SEGMENT, TEXTS
from refdesk.index.model import Candidate, Entry, Searchable, Weighted
from refdesk.index.visibility import Live

ASKED = [Weighted("=refund", 1.0, "exact"), Weighted("=3", 0.5, "exact")]
LIVE = [
    Live("doc0", 1, "a.md", "A", None, {}),
    Live("doc1", 2, "b.md", "B", "https://b.example", {"team": "sales"}),
]


def entry(position: int, text: str) -> Entry:
    digest = sha256(text.encode()).digest()
    vector = np.frombuffer(digest, np.uint8).astype(np.float32)
    return Entry(
        position, text, "", None, 0, len(text), digest[:16], Counter(f"={w}" for w in text.split()),
        len(text.split()), vector / np.linalg.norm(vector),
    )  # fmt: skip


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[LocalIndex]:
    """Of several files, a tail and deleted passages."""
    monkeypatch.setattr(generation, "TAIL", 25)
    made = LocalIndex(tmp_path / "base")
    for number in range(8):
        for version in (1, 2):
            texts = [f"refund {number} version {version} part {part}" for part in range(9)]
            made.put(f"doc{number}", version, [entry(i, text) for i, text in enumerate(texts, 1)])
    made.drop("doc7")
    made.drop("doc6", below=2)
    made.set_setting("analyzer", "4")
    yield made
    made.close()


@pytest.fixture
def baked(index: LocalIndex, tmp_path: Path) -> Path:
    index.bake(tmp_path / "baked", LIVE)
    return tmp_path / "baked"


def answers(index: Searchable) -> list[list[Candidate]]:
    statistics = index.statistics([term.term for term in ASKED])
    vector = entry(1, "refund 3 version 2 part 5").vector
    assert vector is not None
    return [
        index.keyword(ASKED, statistics, 1_000),
        index.keyword(ASKED, statistics, 7, after=index.keyword(ASKED, statistics, 5)[-1]),
        index.nearest(vector, 1_000),
    ]


@pytest.mark.req("CMP6")
def test_a_bake_answers_as_the_base_did(index: LocalIndex, tmp_path: Path) -> None:
    index.bake(tmp_path / "baked")
    opened = open_baked(tmp_path / "baked", {"analyzer": "4"})
    opened.verify()
    found = answers(opened)
    assert found == answers(index)
    keys = [one.key for one in found[0]]
    assert opened.stored(keys) == index.stored(keys)
    assert opened.settings() == index.settings()
    assert opened.documents == []


@pytest.mark.req("CMP6", "ING2")
def test_a_bake_of_documents_holds_their_live_versions_alone(baked: Path) -> None:
    opened = open_baked(baked)
    assert {(one.document, one.version) for one in answers(opened)[0]} == {("doc0", 1), ("doc1", 2)}
    assert opened.document("doc0", 2) == []
    assert b"refund 2 version" not in (baked / TEXTS).read_bytes()
    visible = Manifests({"kb": opened}).live({"kb": ["doc0", "doc1", "doc2"], "other": ["doc0"]})
    assert [visible["kb"].get(name) for name in ("doc0", "doc1", "doc2")] == [*LIVE, None]
    assert visible["other"] == {}


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """One that every user may look into: pytest's are their owner's alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.req("CMP6")
def test_several_processes_read_where_nothing_can_be_written(baked: Path, open_folder: Path) -> None:
    """As another user, who may not write the folder: no lock, no log, no journal is made."""
    baked = Path(shutil.move(baked, open_folder / "baked"))
    for path in baked.iterdir():
        path.chmod(0o444)
    baked.chmod(0o555)
    before = sorted(baked.iterdir())
    script = """
        import os, sys
        from pathlib import Path
        from refdesk.index.local import open_baked
        from refdesk.index.model import Weighted
        if os.getuid() == 0:
            os.setuid(65534)
        index = open_baked(Path(sys.argv[1]))
        terms = [Weighted("=refund", 1.0, "exact")]
        found = index.keyword(terms, index.statistics(["=refund"]), 100)
        print(len(index.stored([one.key for one in found])), os.access(sys.argv[1], os.W_OK))
    """
    code = "\n".join(line[8:] for line in script.splitlines())
    readers = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(baked)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [reader.communicate(timeout=60) for reader in readers]
    baked.chmod(0o755)
    assert [out for out, _ in said] == ["18 False\n"] * 2, said
    assert sorted(baked.iterdir()) == before


@pytest.mark.req("CMP6")
def test_other_settings_are_refused(baked: Path) -> None:
    with pytest.raises(Failed, match=r"analyzer '4' and is asked for with '5'") as caught:
        open_baked(baked, {"analyzer": "5"})
    assert caught.value.code == "bake_mismatch"
    with pytest.raises(Failed, match="fingerprint"):
        open_baked(baked, {"fingerprint": "model"})


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("name", [SEGMENT, TEXTS])
@pytest.mark.parametrize("harm", ["lost", "cut", "longer"])
def test_a_file_of_another_size_is_refused(baked: Path, name: str, harm: str) -> None:
    path = baked / name
    if harm == "lost":
        path.unlink()
    else:
        os.truncate(path, path.stat().st_size + (64 if harm == "longer" else -64))
    with pytest.raises(Failed, match=f"{name} (is missing|has)") as caught:
        open_baked(baked)
    assert caught.value.code == "index_damaged"


@pytest.mark.parametrize("name", [SEGMENT, TEXTS])
def test_a_changed_byte_is_found_by_verifying(baked: Path, name: str) -> None:
    content = bytearray((baked / name).read_bytes())
    content[len(content) // 2] ^= 1
    (baked / name).write_bytes(content)
    with pytest.raises(Failed, match=name):
        open_baked(baked).verify()


@pytest.mark.parametrize(
    "written",
    ["", "[]", "no json", '{"sha256": "0"}', "changed"],
)
def test_a_manifest_that_is_not_as_it_was_written_is_refused(baked: Path, written: str) -> None:
    manifest = baked / MANIFEST
    if written == "changed":
        written = manifest.read_text().replace("a.md", "z.md")
    manifest.write_text(written)
    with pytest.raises(Failed, match=MANIFEST) as caught:
        open_baked(baked)
    assert caught.value.code == "index_damaged"


def test_a_folder_without_a_manifest_is_no_finished_bake(baked: Path, tmp_path: Path) -> None:
    (baked / MANIFEST).unlink()
    for folder in (baked, tmp_path / "nowhere"):
        with pytest.raises(Failed, match="no finished bake"):
            open_baked(folder)


def test_a_bake_of_a_newer_refdesk_is_refused(
    index: LocalIndex, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("refdesk.index.local.bake.FORMAT", 99)
    index.bake(tmp_path / "newer")
    monkeypatch.undo()
    with pytest.raises(Failed, match="format 99") as caught:
        open_baked(tmp_path / "newer")
    assert caught.value.code == "bake_mismatch"


def test_a_folder_with_something_in_it_is_left_alone(index: LocalIndex, baked: Path) -> None:
    before = {path.name: path.read_bytes() for path in baked.iterdir()}
    with pytest.raises(UsageError, match="not empty"):
        index.bake(baked)
    assert {path.name: path.read_bytes() for path in baked.iterdir()} == before


def test_a_bake_is_the_same_wherever_it_is_made(index: LocalIndex, tmp_path: Path) -> None:
    for name in ("one", "two"):
        index.bake(tmp_path / name, LIVE)
    one, two = (json.loads((tmp_path / name / MANIFEST).read_text()) for name in ("one", "two"))
    assert one == two


def test_a_forked_process_reads_with_a_connection_of_its_own(baked: Path) -> None:
    opened: BakedIndex = open_baked(baked)
    keys = [one.key for one in answers(opened)[0]]
    assert len(opened.stored(keys)) == 18
    child = os.fork()
    if child == 0:
        os._exit(0 if len(opened.stored(keys)) == 18 else 1)
    assert os.waitpid(child, 0)[1] == 0
    opened.close()
    assert len(opened.stored(keys)) == 18


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("name", [SEGMENT, TEXTS])
def test_a_file_that_this_user_may_not_read_is_named_and_not_called_damaged(
    baked: Path, open_folder: Path, name: str
) -> None:
    baked = Path(shutil.move(baked, open_folder / "baked"))
    for path in (baked, *baked.iterdir()):
        path.chmod(0o755)
    (baked / name).chmod(0)
    script = """
        import os, sys
        from pathlib import Path
        from refdesk.errors import Failed
        from refdesk.index.local import open_baked
        if os.getuid() == 0:
            os.setuid(65534)
        try:
            open_baked(Path(sys.argv[1]))
        except Failed as error:
            print(error.message)
    """
    code = "\n".join(line[8:] for line in script.splitlines())
    there = subprocess.run(
        [sys.executable, "-c", code, str(baked)], check=True, capture_output=True, text=True, timeout=120
    )
    assert there.stdout.startswith(f"{baked / name} may not be read by this user"), there


@pytest.mark.req("CMP6")
def test_an_open_index_stays_itself_when_another_is_baked_in_its_place(
    index: LocalIndex, baked: Path
) -> None:
    """Its texts are those of its passages, or an error says that they are not there."""
    opened = open_baked(baked)
    keys = [one.key for one in answers(opened)[0]]
    before = opened.document("doc0", 1)
    shutil.rmtree(baked)
    index.bake(baked, [LIVE[1]])
    assert opened.document("doc0", 1) == before
    assert len(opened.stored(keys)) == 18
    opened.close()
    with pytest.raises(Failed, match=f"{TEXTS} is not the file") as caught:
        opened.stored(keys)
    assert caught.value.code == "index_damaged"


def test_a_folder_that_is_baked_anew_while_it_is_opened_is_refused(
    index: LocalIndex, baked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index.bake(tmp_path / "newer", LIVE)

    read_before = files.read

    def read(path: Path) -> object:
        segment = read_before(path)
        baked.rename(tmp_path / "older")
        (tmp_path / "newer").rename(baked)
        return segment

    monkeypatch.setattr("refdesk.index.local.baked.files.read", read)
    with pytest.raises(Failed, match="baked anew while it was opened"):
        open_baked(baked)
