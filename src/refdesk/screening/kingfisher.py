"""kingfisher, MongoDB's scanner, as a second engine: a program that must be installed, asked once a document.

It is given the text on its standard input, writes it into a temporary file of its own for as long as it runs,
and validates nothing over the network.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from refdesk.errors import Failed
from refdesk.screening.model import FindingClass, Spotted
from refdesk.screening.small import occurrences

PROGRAM = "kingfisher"
SECONDS = 60.0
"""Its first run compiles its rules, which takes some twenty seconds; later ones take a quarter of one."""
_ARGUMENTS = ("scan", "-", "--no-validate", "--no-update-check", "--format", "jsonl")
_NOTHING, _FOUND, _FOUND_LIVE = 0, 200, 205
"""Its exit codes."""


class Kingfisher:
    def __init__(self, program: str | Path = PROGRAM, seconds: float = SECONDS) -> None:
        self._command = (str(program), *_ARGUMENTS)
        self._seconds = seconds

    def find(self, text: str) -> Iterator[Spotted]:
        """Wherever one of the values that it reports stands in the text."""
        for rule, value in dict.fromkeys(_values(self._run(text))):
            cls: FindingClass = "private_key" if "PRIVATE KEY" in value else "credential"
            for start, end in occurrences(text, (value,)):
                yield Spotted(cls, f"kingfisher:{rule}", start, end)

    def _run(self, text: str) -> str:
        """Its report; what it writes to standard error is dropped, since it may quote the text."""
        try:
            done = subprocess.run(  # noqa: S603 (a program that the operator named, and fixed arguments)
                self._command, input=text.encode(), capture_output=True, timeout=self._seconds, check=False
            )
        except FileNotFoundError:
            raise _unavailable(f"the program {self._command[0]} is not installed") from None
        except subprocess.TimeoutExpired:
            raise _unavailable(f"it did not answer within {self._seconds:g} s") from None
        if done.returncode not in (_NOTHING, _FOUND, _FOUND_LIVE):
            raise _unavailable(f"it ended with code {done.returncode}")
        return done.stdout.decode("utf-8", "replace")


def _unavailable(reason: str) -> Failed:
    return Failed(
        f"The document could not be screened by the second engine: {reason}. Repair it, or switch it off.",
        code="screening_unavailable",
    )


def _values(report: str) -> Iterator[tuple[str, str]]:
    """Rule and value of each finding, with the values that belong to it."""
    for line in report.splitlines():
        record = _record(line)
        finding = record.get("finding")
        if isinstance(finding, dict):
            rule = str(record.get("rule", {}).get("id", "unnamed"))
            for value in (finding.get("snippet"), *finding.get("dependent_captures", {}).values()):
                if isinstance(value, str) and value.strip():
                    yield rule, value


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError:
        raise _unavailable("its report cannot be read") from None
    return record if isinstance(record, dict) else {}
