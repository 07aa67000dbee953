"""``refdesk add``, ``documents``, ``show`` and ``delete``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from refdesk.cli import receipts
from refdesk.cli.additions import show_added
from refdesk.cli.call import Call, Reply
from refdesk.cli.commands.shared import EmbeddingAccount, OneBase, account_of, must_exist
from refdesk.cli.output import say
from refdesk.cli.progress import bars
from refdesk.cli.tables import Column, counted, table
from refdesk.errors import NotFound, UsageError
from refdesk.ids import is_id

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.desk import Base, Desk

Paths = Annotated[
    list[Path],
    typer.Argument(metavar="PATH", help="Files, or folders with all their files.", show_default=False),
]
Wait = Annotated[bool, typer.Option("--wait", help="Return when the documents can be found.")]
SourceUrl = Annotated[
    str | None, typer.Option("--source-url", metavar="U", help="Where readers find the original.")
]
Metadata = Annotated[
    list[str] | None,
    typer.Option("--metadata", metavar="K=V", help="A value kept with each document; repeatable."),
]
Things = Annotated[
    str, typer.Argument(metavar="DOC|RUN", help="The id of a document or a run.", show_default=False)
]
Documents = Annotated[
    list[str] | None, typer.Argument(metavar="DOC", help="Ids of documents.", show_default=False)
]
WholeBase = Annotated[
    str | None, typer.Option("--base", metavar="NAME", help="Delete this base with all it holds.")
]
Erase = Annotated[
    bool,
    typer.Option(
        "--erase", help="Blank its passages in receipts as well; of a run or call, what was said in it."
    ),
]


def add(
    call: Call,
    *,
    paths: Paths,
    base: OneBase,
    wait: Wait = False,
    source_url: SourceUrl = None,
    metadata: Metadata = None,
    account: EmbeddingAccount = None,
) -> Reply:
    """Add files or folders to a base. A base that does not exist yet is made."""

    values = dict(_pair(text) for text in metadata or ())
    must_exist(paths)
    with call.desk() as desk, bars() as progress:
        target = desk.bases.find(base)
        if target is None:
            target = desk.bases.get(base) if is_id(base, "kb") else _made(desk, base, account)
        elif account is not None:
            raise UsageError(
                f"The base {target.name} exists: "
                f"`{call.again(f'reindex --base {target.id} --account NAME')}` changes its account."
            )
        added = target.add(
            *paths, wait=wait, source_url=source_url, metadata=values or None, progress=progress
        )
        name = target.name
    exit_code = 3 if added.refused else int(added.failed)
    return Reply(added.to_dict(), lambda screen: show_added(screen, call, name, added), exit_code)


def _made(desk: Desk, name: str, account: str | None) -> Base:
    if account is None:
        return desk.bases.create(name)
    return desk.bases.create(name, embedding_account_id=account_of(account))


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise UsageError(f"--metadata {text!r} is not of the form K=V.", code="bad_metadata")
    return key, value


def documents(call: Call, base: OneBase) -> Reply:
    """List the documents of a base."""
    with call.desk() as desk:
        found = desk.bases.get(base)
        items = [document.to_dict() for document in found.list_documents()]
        name = found.name
    columns = (
        Column("id", "id", whole=True),
        Column("name", "name"),
        Column("state", "state"),
        Column("passages", "passages", number=True),
        Column("characters", "chars", number=True),
    )

    def show_items(screen: Console) -> None:
        if not items:
            say(
                screen,
                f"{name} has no documents yet.",
                "`" + call.again(f"add PATH --base {name!r}") + "` adds some.",
            )
            return
        table(screen, name, columns, items)
        for item in items:
            if item["error"]:
                say(screen, f"{item['name']}: {item['error']}", style="red")

    return Reply({"items": items}, show_items)


def show(call: Call, thing: Things) -> Reply:
    """Show a document with its text, or a run as its receipt."""
    from refdesk.ids import is_id

    with call.desk() as desk:
        if is_id(thing, "run"):
            from refdesk.answer.receipt import resource

            run = desk.runs.get(thing)
            return Reply(resource(run), lambda screen: receipts.show_run(screen, run))
        if not is_id(thing, "doc"):
            raise NotFound(
                f"{thing!r} is no id of a document (doc_…) or a run (run_…): "
                "`refdesk documents --base NAME` lists those of documents."
            )
        document = desk.documents.get(thing)
        text = desk.documents.text(thing)
    return Reply(document.to_dict(), lambda screen: receipts.show_document(screen, document, text))


def delete(call: Call, docs: Documents = None, base: WholeBase = None, erase: Erase = False) -> Reply:
    """Delete documents, or a base with all it holds, at once and for good."""
    if bool(docs) == bool(base):
        raise UsageError("Name the documents to delete, or one base with --base, and not both.")
    with call.desk() as desk:
        if base:
            whole = desk.bases.get(base)
            count = whole.documents
            whole.delete(erase=erase)
            sentence = f"Deleted the base {whole.name} with {counted(count, 'document')}."
        elif any(is_id(one, "run") or is_id(one, "call") for one in docs or ()):
            return _erase(desk, docs or [], erase=erase)
        else:
            count = desk.documents.delete(*(docs or ()), erase=erase)
            sentence = f"Deleted {counted(count, 'document')}."
    if erase:
        sentence += " Its passages are blanked in the receipts."
    return Reply({"deleted": count, "base": base, "erased": erase}, lambda screen: say(screen, sentence))


def _erase(desk: Desk, things: list[str], *, erase: bool) -> Reply:
    """Runs and calls are records: they are not deleted, but what was said in them can be erased."""
    if not erase or any(not (is_id(one, "run") or is_id(one, "call")) for one in things):
        raise UsageError("Runs and calls are erased and not deleted: name them alone, with --erase.")
    count = desk.runs.erase(*things)
    sentence = f"Erased {counted(count, 'record')}: what was asked, given, answered and noted."
    return Reply({"deleted": 0, "base": None, "erased": True}, lambda screen: say(screen, sentence))
