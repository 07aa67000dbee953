"""How well a set's queries were answered, for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from refdesk.cli.tables import Column, table

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.evaluate.answered import Answers, Share, Shares


def show_answers(screen: Console, answers: Answers) -> None:
    groups = {"all": answers.shares, **answers.by_type}
    columns = [Column("queries", "name")]
    columns += [Column(heading, heading, number=True) for heading in _cells(answers.shares)]
    rows = [{"name": name, **_cells(shares)} for name, shares in groups.items()]
    screen.print()
    table(screen, f"Answers by {answers.model}, grounding required", columns, rows)


def _cells(shares: Shares) -> dict[str, int | str | None]:
    return {
        "covered": shares.covered,
        "answered": _percent(shares.answered),
        "not covered": shares.uncovered,
        "refused": _percent(shares.refused),
        "citations": shares.citations,
        "valid": _percent(shares.valid),
        "supported": _percent(shares.supported),
        "passage has answer": _percent(shares.holds),
    }


def _percent(share: Share) -> str | None:
    return None if share is None else f"{share:.1%}"
