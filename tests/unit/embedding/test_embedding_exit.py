"""A thread left behind in the model must not take the process down when it ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

from refdesk.embedding import LocalEmbedder

LEFT_BEHIND = """
import contextlib, sys, threading
from pathlib import Path
from refdesk.embedding import LocalEmbedder
from refdesk.embedding.models import BGE_SMALL
from refdesk.errors import Failed

embedder = LocalEmbedder(BGE_SMALL, Path(sys.argv[1]))
begun = threading.Event()

def embed():
    if sys.argv[2] == "running":
        embedder.question("warm")
    begun.set()
    with contextlib.suppress(Failed):  # as the search keeps it in the future that nobody asks any more
        while True:
            embedder.question("word " * 500)

threading.Thread(target=embed, daemon=True).start()
begun.wait()
"""


@pytest.mark.parametrize("moment", ["loading", "running"])
def test_the_process_ends_well_while_a_thread_is_in_the_model(bge: LocalEmbedder, moment: str) -> None:
    command = [sys.executable, "-c", LEFT_BEHIND, str(bge._folder), moment]
    for _ in range(3):
        ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")
