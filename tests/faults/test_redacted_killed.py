"""Killed while it was added or replaced, a redacted document leaves no credential on any disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.faults.test_killed import killed, on_disk, opened

SECRET = "Vq7xKd29mPz4Ltw"
CASES = [
    ("add", "blob", "before"),
    ("add", "blob", "after"),
    ("add", "insert", "after"),
    ("add", "index", "after"),
    ("add", "switch", "after"),
    ("replace", "blob", "after"),
    ("replace", "replace", "after"),
    ("replace", "drop", "before"),
]


@pytest.mark.req("CLS1", "D7")
@pytest.mark.parametrize(("action", "step", "when"), CASES)
def test_a_credential_is_on_no_disk_at_any_step(action: str, step: str, when: str, tmp_path: Path) -> None:
    home, file = tmp_path / "desk", tmp_path / "notice.md"
    with opened(home) as desk:
        base = desk.bases.create("Handbook")
        if action == "replace":
            file.write_text("# Notice\n\nThe office closes at five.\n")
            base.add(file, wait=True)
    file.write_text(f"# Notice\n\nThe alarm goes off at six. The password is {SECRET}.\n")
    killed(home, "add", file, step, when)
    assert not on_disk(home, SECRET)
    with opened(home) as desk:
        desk.work()
        assert not on_disk(home, SECRET)
