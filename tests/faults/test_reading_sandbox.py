"""What a document does to the process that reads it never reaches the process that asked."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from refdesk.errors import Failed, Refusal
from refdesk.policy import load_policy
from refdesk.reading import Reader, Reading

PACKS = load_policy("packs")
PATIENCE = 30.0
"""Seconds after which a process that should be gone, or there, is called a failure."""


def pdf(*objects: bytes) -> bytes:
    """A PDF of these objects, the first its catalog."""
    out, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer <</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, len(out))
    return out + head + table + trailer


def stream(data: bytes, extra: bytes = b"") -> bytes:
    return b"<</Length %d%s>>stream\n%s\nendstream" % (len(data), extra, data)


def page(content: bytes, resources: bytes, *more: bytes, content_filter: bytes = b"") -> bytes:
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/Resources<<%s>>>>" % resources,
        stream(content, content_filter),
        *more,
    )


def endless(levels: int = 40) -> bytes:
    """Forms that each draw the next one ten times: 10 to the ``levels`` drawings in a few kilobytes."""
    forms = [
        stream(
            b"/F Do " * 10,
            b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F %d 0 R>>>>" % (6 + at),
        )
        for at in range(levels)
    ]
    forms.append(stream(b"0 0 m 1 1 l S", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"))
    return page(b"/F Do", b"/XObject<</F 5 0 R>>", *forms)


def pictures_of_which_the_last_kills(sound: int) -> bytes:
    """Text, ``sound`` good pictures, and one that unpacks to more than the memory there is."""
    font = b"/Font<</T <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    names = b"".join(b"/I%d %d 0 R" % (at, 5 + at) for at in range(sound + 1))
    content = b"BT /T 12 Tf 20 280 Td (Words beside a deadly picture) Tj ET "
    content += b"".join(b"q 90 0 0 90 10 10 cm /I%d Do Q " % at for at in range(sound + 1))
    good = [picture(zlib.compress(bytes([at]) * 30_000), 100, b"/FlateDecode") for at in range(sound)]
    deadly = picture(bomb(), 2_000, b"[/FlateDecode/FlateDecode/FlateDecode]")
    return page(content, font + b"/XObject<<%s>>" % names, *good, deadly)


def picture(data: bytes, side: int, filters: bytes) -> bytes:
    return stream(
        data,
        b"/Type/XObject/Subtype/Image/Width %d/Height %d/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter %s"
        % (side, side, filters),
    )


def bomb() -> bytes:
    """Four gigabytes of zeros, deflated twice."""
    packer = zlib.compressobj(9)
    zeros = bytes(16 * 1024 * 1024)
    first, again = (packer.compress(zeros) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return zlib.compress(first + again * 255 + packer.flush(), 9)


def children_of(parent: int) -> set[int]:
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent and fields[0] != "Z":
            found.add(int(status.parent.name))
    return found


def eventually(holds: Callable[[], bool]) -> bool:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        if holds():
            return True
        time.sleep(0.02)
    return False


class Watched:
    """A reader, and the children that it started."""

    def __init__(self, reader: Reader, file: Path) -> None:
        self._others = children_of(os.getpid())
        self.reader = reader
        self.file = file

    def children(self) -> set[int]:
        return children_of(os.getpid()) - self._others

    def read(self, data: bytes, name: str = "a.pdf", **overrides: float) -> Reading:
        self.file.write_bytes(data)
        policy = load_policy("packs", {key.replace("__", "."): value for key, value in overrides.items()})
        return self.reader.read(self.file, name, None, policy)

    def refused(self, data: bytes, name: str = "a.pdf", **overrides: float) -> Refusal:
        with pytest.raises(Refusal) as refused:
            self.read(data, name, **overrides)
        return refused.value

    def still_reads(self) -> bool:
        return self.read(b"still here", "a.txt").text == "still here"


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[[int], Watched]]:
    """Gives a watched reader with so many megabytes for its children, and sees that it leaves none."""
    opened: list[Watched] = []

    def open_reader(memory_mb: int) -> Watched:
        opened.append(Watched(Reader(memory_mb=memory_mb), tmp_path / "upload"))
        return opened[-1]

    yield open_reader
    for each in opened:
        each.reader.close()
        assert not each.children(), "closing the reader left a child behind"


@pytest.fixture
def watched(watch: Callable[[int], Watched]) -> Watched:
    return watch(512)


@pytest.mark.req("DOC3")
def test_a_document_that_never_ends_is_stopped_at_the_limit(watch: Callable[[int], Watched]) -> None:
    watched = watch(8192)  # it takes more and more memory, which would end it first
    refusal = watched.refused(endless(), documents__max_seconds=1.0)
    assert (refusal.code, refusal.limit) == ("took_too_long", 1.0)
    assert "1 second" in refusal.message
    assert watched.still_reads()


@pytest.mark.req("DOC4")
def test_a_document_that_takes_all_memory_is_damaged(watch: Callable[[int], Watched]) -> None:
    watched = watch(256)
    refusal = watched.refused(page(bomb(), b"", content_filter=b"/Filter[/FlateDecode/FlateDecode]"))
    assert refusal.code == "damaged"
    assert "memory" in refusal.message
    assert watched.still_reads()


@pytest.mark.req("FIG2", "FIG3")
def test_text_and_earlier_figures_survive_a_picture_that_kills(watch: Callable[[int], Watched]) -> None:
    reading = watch(256).read(pictures_of_which_the_last_kills(sound=2))
    assert "Words beside a deadly picture" in reading.text
    assert len(reading.figures) == 2
    assert reading.not_kept == {"decode": 1}
    assert reading.text.endswith("Images: 2 kept, 1 not kept (decode: 1)")


@pytest.mark.req("FIG2", "FIG3")
def test_figures_that_take_too_long_to_prepare_are_counted(watched: Watched) -> None:
    """Preparing has its own clock: the text is there, what was not prepared in time is told."""
    noise = random.Random(1).randbytes(3 * 1_000 * 1_000)
    big = picture(zlib.compress(noise, 1), 1_000, b"/FlateDecode")
    font = b"/Font<</T <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 5 0 R>>"
    content = b"BT /T 12 Tf 20 280 Td (Some words) Tj ET " + b"q 90 0 0 90 10 10 cm /I Do Q " * 3
    reading = watched.read(page(content, font, big), figures__prepare_seconds=0.001)
    assert "Some words" in reading.text
    assert reading.figures == ()
    assert reading.not_kept == {"deadline": 3}
    assert watched.still_reads()


@pytest.mark.req("FIG2", "FIG3")
def test_figures_that_are_not_decoded_in_the_reading_time_are_counted(watched: Watched) -> None:
    """Forty pictures that take long to decode, and little time to read: the text is there."""
    slow = BytesIO()
    noise = Image.frombytes("RGB", (1_400, 1_400), random.Random(1).randbytes(1_000) * 5_880)
    noise.save(slow, "JPEG2000", quality_layers=[20])
    drawn = picture(slow.getvalue(), 1_400, b"/JPXDecode")
    font = b"/Font<</T <</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/XObject<</I 5 0 R>>"
    content = b"BT /T 12 Tf 20 280 Td (Some words) Tj ET " + b"q 90 0 0 90 10 10 cm /I Do Q " * 40
    reading = watched.read(page(content, font, drawn), documents__max_seconds=1.5)
    assert "Some words" in reading.text
    assert reading.not_kept.keys() == {"deadline"}
    assert len(reading.figures) + reading.not_kept["deadline"] == 40
    assert watched.still_reads()


def test_a_child_is_used_again_and_replaced_after_a_document_that_misbehaved(watched: Watched) -> None:
    watched.read(b"one", "a.txt")
    first = watched.children()
    watched.read(b"two", "a.txt")
    assert watched.children() == first
    watched.refused(endless(), documents__max_seconds=0.2)
    assert len(watched.children()) == 1
    assert watched.children() != first


def test_a_large_parent_does_not_make_its_children_unfit(watched: Watched) -> None:
    """The kernel counts memory of the parent as the child's until the child's program is loaded."""
    ballast = b"x" * (200 * 1024 * 1024)
    watched.read(b"one", "a.txt")
    first = watched.children()
    watched.read(b"two", "a.txt")
    assert watched.children() == first
    assert ballast


def test_a_child_is_replaced_after_a_bounded_number_of_documents(watched: Watched) -> None:
    seen: set[int] = set()
    for _ in range(120):
        watched.read(b"words", "a.txt")
        seen |= watched.children()
    assert len(seen) == 2


def test_an_idle_child_that_was_killed_is_replaced(watched: Watched) -> None:
    watched.read(b"one", "a.txt")
    (child,) = watched.children()
    os.kill(child, signal.SIGKILL)
    assert eventually(lambda: child not in watched.children())
    assert watched.still_reads()


def test_a_child_killed_while_it_reads_is_a_refusal(watched: Watched) -> None:
    def kill_the_child() -> None:
        time.sleep(0.3)
        for child in watched.children():
            os.kill(child, signal.SIGKILL)

    assert watched.still_reads()
    killer = threading.Thread(target=kill_the_child)
    killer.start()
    refusal = watched.refused(endless())
    killer.join()
    assert refusal.code == "damaged"
    assert watched.still_reads()


def test_a_child_outlives_the_thread_that_first_read(watched: Watched) -> None:
    """The kernel's death signal is tied to a thread; threads of a server come and go."""
    thread = threading.Thread(target=watched.read, args=(b"one", "a.txt"))
    thread.start()
    thread.join()
    first = watched.children()
    assert len(first) == 1
    time.sleep(0.2)
    assert watched.still_reads()
    assert watched.children() == first


def test_threads_read_at_once_each_with_its_own_child(watched: Watched, tmp_path: Path) -> None:
    texts: dict[int, list[str]] = {}

    def read_some(number: int) -> None:
        file = tmp_path / f"{number}.txt"
        file.write_bytes(b"document %d" % number)
        texts[number] = [watched.reader.read(file, "a.txt", None, PACKS).text for _ in range(20)]

    threads = [threading.Thread(target=read_some, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert texts == {number: [f"document {number}"] * 20 for number in range(4)}
    assert len(watched.children()) <= 2


def test_the_child_sees_nothing_of_its_parent(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFDESK_SECRET_KEY", "not for documents")
    watched.read(b"one", "a.txt")
    (child,) = watched.children()
    process = Path(f"/proc/{child}")
    assert b"REFDESK" not in (process / "environ").read_bytes()
    assert (process / "cwd").readlink() == Path("/")
    files = [link.readlink() for link in (process / "fd").iterdir()]
    assert all(str(file).startswith(("socket:", "/dev/null")) for file in files)
    assert sum(str(file).startswith("socket:") for file in files) == 1


def test_the_child_has_its_limits(watched: Watched) -> None:
    watched.read(b"one", "a.txt")
    (child,) = watched.children()
    limits = Path(f"/proc/{child}/limits").read_text()
    memory = 512 * 1024 * 1024
    assert re.search(rf"Max address space +{memory} +{memory} ", limits)
    assert re.search(r"Max file size +0 +0 ", limits)
    assert re.search(r"Max core file size +0 +0 ", limits)
    assert re.search(r"Max processes +0 +0 ", limits)
    assert re.search(r"Max open files +32 +32 ", limits)
    assert re.search(r"Max cpu time +(3[5-9]|4\d) +unlimited ", limits)


PARENT = """
import sys
from pathlib import Path
from refdesk.policy import load_policy
from refdesk.reading import read
print("reading", flush=True)
read(Path(sys.argv[1]), "a.pdf", None, load_policy("packs"))
"""


def test_a_child_goes_with_its_parent(tmp_path: Path) -> None:
    """Killed without a chance to clean up, in the middle of a document."""
    file = tmp_path / "endless.pdf"
    file.write_bytes(endless())
    with subprocess.Popen([sys.executable, "-c", PARENT, str(file)], stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        parent.stdout.readline()
        assert eventually(lambda: bool(children_of(parent.pid)))
        children = children_of(parent.pid)
        parent.kill()
    assert eventually(lambda: not any(Path(f"/proc/{child}").exists() for child in children))


FORKED = """
import os, sys
from pathlib import Path
from refdesk.policy import load_policy
from refdesk.reading import Reader, Reading
file, packs = Path(sys.argv[1]), load_policy("packs")
reader = Reader()
def reads(): return reader.read(file, "a.txt", None, packs).text == "words"
assert reads()
pid = os.fork()
if not pid:
    os._exit(0 if all(reads() for _ in range(3)) else 1)
assert all(reads() for _ in range(3))
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert reads()
reader.close()
"""


def test_a_forked_process_starts_children_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"words")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, str(file)], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_memory_too_small_to_start_is_our_failure_not_the_documents(watch: Callable[[int], Watched]) -> None:
    with pytest.raises(Failed, match="could not start"):
        watch(20).read(b"words", "a.txt")


def test_a_closed_reader_reads_no_more(watched: Watched) -> None:
    watched.reader.close()
    with pytest.raises(RuntimeError, match="closed"):
        watched.read(b"words", "a.txt")
