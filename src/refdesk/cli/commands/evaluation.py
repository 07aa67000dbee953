"""``refdesk eval``: how well questions with known answers are searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import Mode
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import Column, counted, table

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.evaluate import Report

Folder = Annotated[
    Path,
    typer.Argument(
        metavar="DIR", help="queries.jsonl, qrels.tsv, and corpus.jsonl or documents/.", show_default=False
    ),
]
DocumentsFolder = Annotated[
    Path | None,
    typer.Option(
        "--documents", metavar="DIR", help="Files in place of DIR's own; ids are their paths in it."
    ),
]
Cut = Annotated[
    int | None,
    typer.Option(
        "--top-k", metavar="N", help="Recall at N as well, up to 50. Else at what the policy gives."
    ),
]
By = Annotated[
    Literal["document", "passage"],
    typer.Option("--by", help="Whether documents or passages are held against the judgements."),
]


def evaluate(
    call: Call,
    *,
    folder: Folder,
    documents: DocumentsFolder = None,
    mode: Mode = None,
    top_k: Cut = None,
    by: By = "document",
) -> Reply:
    """Measure retrieval on a folder in BEIR's layout, through the product's own ingestion and search."""
    from refdesk.evaluate import evaluate as run

    with bars() as progress:
        report = run(
            folder,
            documents=documents,
            mode=mode,
            top_k=top_k,
            by=by,
            policy=call.policy_without_desk(),
            settings=call.settings(),
            progress=progress,
        )
    return Reply(report.to_dict(), lambda screen: _show(screen, report))


def _show(screen: Console, report: Report) -> None:
    for note in report.notes:
        say(screen, note, style="dim")
    measures = [("nDCG@10", report.ndcg)]
    measures += [(f"recall@{cut}", value) for cut, value in sorted(report.recall.items())]
    measures.append(("MRR@10", report.mrr))
    rows = [{"measure": name, "value": f"{value:.4f}"} for name, value in measures]
    table(screen, None, (Column("measure", "measure"), Column("value", "value", number=True)), rows)
    say(
        screen,
        f"{counted(report.queries, 'query')} by {report.mode} over {counted(report.passages, 'passage')}: "
        f"{report.p50_ms:.1f} ms in the middle, {report.p95_ms:.1f} ms at the 95th percentile; "
        f"indexed in {report.ingest_seconds:.1f} s.",
        style="dim",
    )
