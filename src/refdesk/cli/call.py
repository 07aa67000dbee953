"""What every command is given, and what it gives back."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.desk import Desk
    from refdesk.desk.projects import Projects
    from refdesk.policy import Policy
    from refdesk.settings import Settings

PROGRAM = "refdesk"
DEFAULT_PROJECT = "default"
DEFAULT_POLICY = "packs"


@dataclass(frozen=True, slots=True)
class Call:
    """The global options of one call; each may stand before and after the command."""

    home: Path | None = None
    project: str | None = None
    policy: str | None = None

    def within(self, outer: Call) -> Call:
        """An option after the command wins over the same one before it."""
        return Call(
            home=self.home or outer.home,
            project=self.project or outer.project,
            policy=self.policy or outer.policy,
        )

    def again(self, command: str) -> str:
        """What to type next, with the global options that this call had."""
        options = (("--home", self.home), ("--project", self.project))
        given = [shlex.join((name, str(value))) for name, value in options if value is not None]
        return " ".join((_program(), *given, command))

    def desk(self) -> Desk:
        from refdesk.cli.logs import to_stderr
        from refdesk.desk import Desk

        to_stderr()
        return Desk.open(self.home, project=self.project or DEFAULT_PROJECT, policy=self.policy)

    @contextmanager
    def projects(self) -> Iterator[Projects]:
        """Without a desk: asking makes no project."""
        from refdesk.access import LOCAL
        from refdesk.desk.house import House
        from refdesk.desk.projects import Projects

        with closing(House.open(self.home)) as house:
            yield Projects(house, LOCAL)

    def settings(self) -> Settings:
        from refdesk.settings import Settings

        return Settings()

    def policy_without_desk(self) -> Policy:
        """For the commands that open no desk."""
        from refdesk.policy import load_policy

        return load_policy(self.policy or DEFAULT_POLICY)


def _program() -> str:
    """How this program was called, where a shell would not find it by its name."""
    called = Path(sys.argv[0])
    if called.name != PROGRAM or shutil.which(PROGRAM):
        return PROGRAM
    return str(called)


@dataclass(frozen=True, slots=True)
class Reply:
    """``document`` is what ``--json`` prints; ``show`` prints the same for a person; ``then`` goes on when it
    has been printed."""

    document: dict[str, Any]
    show: Callable[[Console], None]
    exit_code: int = 0
    then: Callable[[], object] | None = None
