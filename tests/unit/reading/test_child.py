"""The child's own half: what it loads, and what it does without."""

from __future__ import annotations

import subprocess
import sys

import pytest

from refdesk import reading

LOADED = """
import sys
import refdesk.reading.documents
print("\\n".join(sys.modules))
"""


def test_the_child_loads_nothing_of_the_parents_half() -> None:
    """It has to start in milliseconds, and has no use for settings, databases or networks."""
    done = subprocess.run([sys.executable, "-I", "-c", LOADED], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("refdesk.") and not name.startswith("refdesk.reading")}
    assert ours == set()
    assert not {"pydantic", "numpy", "sqlalchemy", "asyncio", "socket", "ssl"} & loaded
    assert not {"refdesk.reading.reader", "refdesk.reading.sandbox", "refdesk.reading.assemble"} & loaded


@pytest.mark.parametrize("name", reading.__all__)
def test_public_names_exist(name: str) -> None:
    assert getattr(reading, name) is not None


def test_other_names_do_not() -> None:
    with pytest.raises(AttributeError, match="nonsense"):
        _ = reading.nonsense
