"""A reading child is as nice as the process that started it, also where sessions are scheduled as groups."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

GROUPS = Path("/proc/sys/kernel/sched_autogroup_enabled")

_READS = """
import os, sys
from pathlib import Path
from refdesk.policy import load_policy
from refdesk.reading import Reader
os.nice(7)
with Reader() as reader:
    reader.read(Path(sys.argv[1]), "notes.md", None, load_policy("packs"))
    child = reader._idle[0]._process.pid
    print(os.getpriority(os.PRIO_PROCESS, child), Path(f"/proc/{child}/autogroup").read_text().split()[-1])
"""


@pytest.mark.req("ING3")
@pytest.mark.skipif(
    not GROUPS.exists() or GROUPS.read_text().strip() != "1" or os.getpriority(os.PRIO_PROCESS, 0) != 0,
    reason="the kernel schedules processes one by one here",
)
def test_a_child_has_the_niceness_of_its_parent(tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("Nine o'clock.\n")
    reads = subprocess.run(
        [sys.executable, "-c", _READS, str(file)], check=False, capture_output=True, text=True
    )
    assert (reads.returncode, reads.stdout.split()) == (0, ["7", "7"]), reads.stderr
