"""``refdesk accounts``: the services that a project's texts are sent to, for vectors or answers."""

from __future__ import annotations

import os
import sys
from getpass import getpass
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from refdesk.cli.call import Call, Reply
from refdesk.cli.output import say
from refdesk.cli.tables import Column, table
from refdesk.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from refdesk.results.accounts import Account

# The same words as refdesk.embedding.services'; tests/cli holds the two together.
ProviderName = Literal["openai", "anthropic", "google", "bedrock", "huggingface", "openai-compatible"]

PurposeName = Literal["embeddings", "answers"]

NewName = Annotated[
    str, typer.Argument(metavar="NAME", help="What the account is called.", show_default=False)
]
Name = Annotated[str, typer.Argument(metavar="NAME", help="The account, by name or id.", show_default=False)]
Provider = Annotated[ProviderName, typer.Option("--provider", help="Whose service it is.")]
For = Annotated[
    PurposeName,
    typer.Option("--purpose", help="Texts become vectors there, or questions are answered."),
]
Model = Annotated[str | None, typer.Option("--model", metavar="MODEL", help="Else the provider's usual one.")]
BaseUrl = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="The address of an openai-compatible server."),
]
Dimensions = Annotated[
    int | None, typer.Option("--dimensions", metavar="N", help="Of the vectors. Else as the model has them.")
]
Region = Annotated[str | None, typer.Option("--region", metavar="REGION", help="Bedrock's.")]
QuestionPrefix = Annotated[
    str, typer.Option("--question-prefix", metavar="TEXT", help="What the model wants before a question.")
]
PassagePrefix = Annotated[
    str, typer.Option("--passage-prefix", metavar="TEXT", help="What the model wants before a passage.")
]
SecretEnv = Annotated[
    str | None,
    typer.Option("--secret-env", metavar="VARIABLE", help="The environment variable that holds the secret."),
]
SecretStdin = Annotated[
    bool,
    typer.Option("--secret-stdin", help="Read the secret from stdin; a terminal asks and shows nothing."),
]


def add(
    call: Call,
    *,
    name: NewName,
    provider: Provider,
    purpose: For = "embeddings",
    model: Model = None,
    base_url: BaseUrl = None,
    dimensions: Dimensions = None,
    region: Region = None,
    question_prefix: QuestionPrefix = "",
    passage_prefix: PassagePrefix = "",
    secret_env: SecretEnv = None,
    secret_stdin: SecretStdin = False,
) -> Reply:
    """Add an account, and verify it with one short text or question."""
    secret = _secret(secret_env, from_stdin=secret_stdin)
    with call.desk() as desk:
        made = desk.accounts.create(
            name,
            provider,
            purpose=purpose,
            model=model,
            secret=secret,
            dimensions=dimensions,
            base_url=base_url,
            region=region,
            question_prefix=question_prefix,
            passage_prefix=passage_prefix,
        )
        account = desk.accounts.verify(made.id)
    return _told(call, account)


def list_accounts(call: Call) -> Reply:
    """List the accounts that are ready, and those of the project."""
    with call.desk() as desk:
        items = [account.to_dict() for account in desk.accounts.list()]
    columns = (
        Column("name", "name"),
        Column("id", "id", whole=True),
        Column("purpose", "purpose"),
        Column("provider", "provider"),
        Column("model", "model"),
        Column("dimensions", "dimensions", number=True),
        Column("state", "state"),
    )

    def show_items(screen: Console) -> None:
        if not items:
            say(
                screen,
                "There are no accounts, and no embedding model is here.",
                f"`{call.again('models pull')}` fetches one.",
            )
            return
        table(screen, None, columns, items)
        for item in items:
            if item["error"]:
                say(screen, f"{item['name']}: {item['error']}", style="red")

    return Reply({"items": items}, show_items)


def verify(call: Call, name: Name) -> Reply:
    """Send an account one short text, and see whether vectors come back."""
    with call.desk() as desk:
        account = desk.accounts.verify(name)
    return _told(call, account)


def remove(call: Call, name: Name) -> Reply:
    """Remove an account that no base uses, with its secret."""
    with call.desk() as desk:
        account = desk.accounts.get(name)
        desk.accounts.delete(name)
    return Reply({"deleted": account.id}, lambda screen: say(screen, f"Removed the account {account.name}."))


def _told(call: Call, account: Account) -> Reply:
    def show(screen: Console) -> None:
        if account.error:
            say(screen, f"{account.name} ({account.id}) cannot be used.", account.error, style="red")
            return
        say(
            screen,
            f"{account.name} ({account.id}): {account.model}, {account.dimensions} dimensions, verified.",
            f"`{call.again(f'reindex --base NAME --account {account.id}')}` gives it to a base.",
        )

    return Reply(account.to_dict(), show, exit_code=int(account.state == "failed"))


def _secret(variable: str | None, *, from_stdin: bool) -> str | None:
    if variable and from_stdin:
        raise UsageError("The secret comes from --secret-env or from --secret-stdin, not from both.")
    if variable:
        if not os.environ.get(variable):
            raise UsageError(f"The environment variable {variable} is not set, so there is no secret in it.")
        return os.environ[variable]
    if not from_stdin:
        return None
    return getpass("Secret: ") if sys.stdin.isatty() else sys.stdin.readline()
