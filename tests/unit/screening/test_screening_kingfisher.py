"""The second engine: a real program is run, and what it cannot answer is no silence."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from refdesk.errors import Failed
from refdesk.policy import load_policy
from refdesk.screening import screen
from refdesk.screening.kingfisher import Kingfisher

RULES = load_policy("packs").screening
FAITHFUL = """
import json, re, sys
text = sys.stdin.buffer.read().decode()
for value in re.findall(r"ZQ-\\d+-\\w+", text):
    finding = {"snippet": value, "dependent_captures": {"PAIR": "tail"}}
    print(json.dumps({"rule": {"id": "zq"}, "finding": finding}))
print(json.dumps({"findings": 1, "rules_applied": 488}))
sys.exit(200 if "ZQ-" in text else 0)
"""


def _program(folder: Path, body: str) -> Path:
    program = folder / "kingfisher"
    program.write_text(f"#!{sys.executable}\n{body}", "utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


@pytest.mark.req("CLS1")
def test_what_it_finds_is_redacted_wherever_it_stands(tmp_path: Path) -> None:
    engine = Kingfisher(_program(tmp_path, FAITHFUL))
    screened = screen("Ünser ZQ-12-abc, again ZQ-12-abc, tail", "About ZQ-12-abc", "notes.md", RULES, engine)
    assert screened.decision == "redact"
    assert "ZQ-12" not in screened.text + screened.title
    assert screened.text.endswith("again [REDACTED:credential], [REDACTED:credential]")
    assert {finding.detector for finding in screened.findings} == {"kingfisher:zq"}


@pytest.mark.req("CLS1")
def test_nothing_found_is_no_error(tmp_path: Path) -> None:
    engine = Kingfisher(_program(tmp_path, FAITHFUL))
    assert screen("Nothing here.", "T", "n.md", RULES, engine).findings == ()


@pytest.mark.req("CLS1")
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("import sys; sys.exit(3)", "ended with code 3"),
        ("print('no json')", "report cannot be read"),
        ("import time; time.sleep(30)", "within 0.5 s"),
    ],
)
def test_what_was_not_screened_is_not_accepted(tmp_path: Path, body: str, reason: str) -> None:
    engine = Kingfisher(_program(tmp_path, body), seconds=0.5 if "sleep" in body else 20)
    with pytest.raises(Failed, match=reason) as raised:
        screen("Some secret text", "T", "n.md", RULES, engine)
    assert raised.value.code == "screening_unavailable"
    assert "secret text" not in str(raised.value)


@pytest.mark.req("CLS1")
def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(Failed, match="not installed"):
        list(Kingfisher(tmp_path / "nowhere").find("text"))
