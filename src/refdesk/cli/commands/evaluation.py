"""``refdesk eval``: how well questions with known answers are searched."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from refdesk.cli.answers import show_answers
from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import Mode
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import Column, counted, table
from refdesk.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.answer.model import ChatModel
    from refdesk.evaluate import Difference, Means, Report

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
Save = Annotated[
    Path | None,
    typer.Option("--save", metavar="FILE", help="Keep this run, to compare others with it."),
]
Compare = Annotated[
    Path | None,
    typer.Option(
        "--compare", metavar="FILE", help="A kept run of the same set: how much better this one is."
    ),
]
Answers = Annotated[
    bool,
    typer.Option(
        "--answers", help="Answer every query as well: are citations real, is what is not covered refused."
    ),
]
Model = Annotated[
    str | None, typer.Option("--model", metavar="MODEL", help="Answers the queries; `quoting` unless named.")
]


MOST_MISSED = 20


def evaluate(
    call: Call,
    *,
    folder: Folder,
    documents: DocumentsFolder = None,
    mode: Mode = None,
    top_k: Cut = None,
    by: By = "document",
    answers: Answers = False,
    model: Model = None,
    save: Save = None,
    compare: Compare = None,
) -> Reply:
    """Measure retrieval, and answers, on a folder in BEIR's layout, through the product's own ingestion."""
    from refdesk.evaluate import compare as difference_of
    from refdesk.evaluate import evaluate as run
    from refdesk.evaluate import load_run, per_query, save_run

    if model and not answers:
        raise UsageError("--model names who answers: give --answers as well.")
    other = load_run(compare) if compare else None  # before the work, which may take minutes
    with bars() as progress:
        report = run(
            folder,
            documents=documents,
            mode=mode,
            top_k=top_k,
            by=by,
            model=_model(model) if answers else None,
            policy=call.policy_without_desk(),
            settings=call.settings(),
            progress=progress,
        )
    if save:
        save_run(report, save)
    difference = difference_of(per_query(report), other) if other is not None else None
    compared = {"compared": difference.to_dict()} if difference else {}
    return Reply({**report.to_dict(), **compared}, lambda screen: _show(screen, report, difference))


def _model(name: str | None) -> ChatModel:
    from refdesk.answer.models import open_model

    return open_model(name)


def _show(screen: Console, report: Report, difference: Difference | None) -> None:
    for note in report.notes:
        say(screen, note, style="dim")
    groups = {"all": report.means, **report.by_type}
    cuts = sorted(report.means.recall)
    columns = [Column("queries", "name"), Column("number", "queries", number=True)]
    columns += [Column(heading, heading, number=True) for heading in _cells(report.means, cuts)]
    rows = [{"name": name, "queries": means.queries, **_cells(means, cuts)} for name, means in groups.items()]
    table(screen, None, columns, rows)
    _show_missed(screen, report, cuts[0])
    _show_overlap(screen, report.means)
    if report.answers:
        show_answers(screen, report.answers)
    if difference:
        _show_difference(screen, difference)
    say(
        screen,
        f"{counted(report.means.queries, 'query')} by {report.mode} over "
        f"{counted(report.passages, 'passage')}: "
        f"{report.p50_ms:.1f} ms in the middle, {report.p95_ms:.1f} ms at the 95th percentile; "
        f"indexed in {report.ingest_seconds:.1f} s.",
        style="dim",
    )


def _cells(means: Means, cuts: list[int]) -> dict[str, str]:
    recalls = {f"recall@{cut}": f"{means.recall[cut]:.4f}" for cut in cuts}
    return {"nDCG@10": f"{means.ndcg:.4f}", **recalls, "MRR@10": f"{means.mrr:.4f}"}


def _show_missed(screen: Console, report: Report, cut: int) -> None:
    """By their ids, so that a person can look at what the numbers leave out."""
    missed = [query for query, score in report.scores.items() if score.recall[cut] < 1]
    if missed:
        more = f" and {len(missed) - MOST_MISSED:,} more" if len(missed) > MOST_MISSED else ""
        said = f"Not all that is relevant is among the first {cut} of {counted(len(missed), 'query')}"
        say(screen, f"{said}: {', '.join(missed[:MOST_MISSED])}{more}.")


def _show_overlap(screen: Console, means: Means) -> None:
    """How well the first passages cover the spans that answer, where a set has them."""
    names = ("recall", "precision", "iou")
    rows = [
        {"first": cut, **{name: f"{getattr(overlap, name):.4f}" for name in names}}
        for cut, overlap in sorted(means.overlap.items())
    ]
    if rows:
        columns = (
            Column("first", "first", number=True),
            *(Column(name if name != "iou" else "IoU", name, number=True) for name in names),
        )
        table(screen, "Characters of the answering spans", columns, rows)


def _show_difference(screen: Console, difference: Difference) -> None:
    verdict = "" if difference.certain else ": it may be chance"
    say(
        screen,
        f"nDCG@10 against the other run, over {counted(difference.queries, 'common query')}: "
        f"{difference.mean:+.4f} (95 % confidence {difference.low:+.4f} to {difference.high:+.4f}){verdict}.",
    )
