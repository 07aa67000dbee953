"""The commands: each name, what it runs, and the example that its ``--help`` ends with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, NamedTuple

import typer

import refdesk
from refdesk.cli.call import Call, Reply
from refdesk.cli.command import (
    Home,
    Json,
    PolicyName,
    Project,
    example_text,
    keep_globals,
    or_alone,
    takes_call,
)
from refdesk.cli.commands import (
    accounts,
    agents,
    bases,
    demo,
    documents,
    evaluation,
    keys,
    limits,
    mcp,
    models,
    package,
    people,
    projects,
    questions,
    reading,
    seed,
    serve,
    sync,
    work,
)


class Entry(NamedTuple):
    name: str
    run: Callable[..., Reply]
    example: str


class Group(NamedTuple):
    name: str
    help: str
    entries: tuple[Entry, ...]
    alone: Callable[[Call], Reply] | None = None
    """What it does where no command follows."""


COMMANDS = (
    Entry("demo", demo.demo, "refdesk --home ./desk demo --no-serve"),
    Entry("seed", seed.seed, "refdesk --home ./desk seed"),
    Entry("add", documents.add, "refdesk add policies/ price-list.pdf --base Handbook --wait"),
    Entry("sync", sync.sync, "refdesk sync policies/ --base Handbook --dry-run"),
    Entry("search", questions.search, 'refdesk search "when will a refund arrive?" --base Handbook'),
    Entry("ask", questions.ask, 'refdesk ask "when will a refund arrive?" --base Handbook'),
    Entry("bases", bases.bases, "refdesk bases"),
    Entry("documents", documents.documents, "refdesk documents --base Handbook"),
    Entry("show", documents.show, "refdesk show run_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"),
    Entry("delete", documents.delete, "refdesk delete --base Handbook"),
    Entry("reindex", bases.reindex, "refdesk reindex --base Handbook"),
    Entry("serve", serve.serve, "refdesk serve --port 8400"),
    Entry("mcp", mcp.mcp, "refdesk mcp --agent Reception"),
    Entry("work", work.work, "refdesk work --once"),
    Entry("read", reading.read, "refdesk read price-list.pdf --policy voice"),
    Entry("eval", evaluation.evaluate, "refdesk eval scifact/ --mode keyword"),
    Entry("init", package.init, "refdesk init front-desk/"),
    Entry("check", package.check, "refdesk check front-desk/"),
    Entry("build", package.build, "refdesk build front-desk/ --out dist/"),
    Entry("bake", package.bake, "refdesk bake dist/"),
    Entry("calibrate", package.calibrate, "refdesk calibrate front-desk/ --base handbook"),
    Entry("limits", limits.limits, "refdesk limits"),
)
GROUPS = (
    Group(
        "agents",
        "Agents, and the bases that each reads. Alone: as `list`.",
        (
            Entry("list", agents.list_agents, "refdesk agents list"),
            Entry("create", agents.create, "refdesk agents create Reception --base Handbook"),
            Entry("show", agents.show_agent, "refdesk agents show Reception"),
            Entry("update", agents.update, 'refdesk agents update Reception --prompt "Be brief."'),
            Entry("delete", agents.delete, "refdesk agents delete Reception"),
        ),
        alone=agents.list_agents,
    ),
    Group(
        "accounts",
        "Embedding services that a project's texts are sent to.",
        (
            Entry(
                "add",
                accounts.add,
                "refdesk accounts add Embeddings --provider openai --secret-env OPENAI_API_KEY",
            ),
            Entry("list", accounts.list_accounts, "refdesk accounts list"),
            Entry("verify", accounts.verify, "refdesk accounts verify Embeddings"),
            Entry("remove", accounts.remove, "refdesk accounts remove Embeddings"),
        ),
    ),
    Group(
        "projects",
        "Projects, each with a policy.",
        (
            Entry("create", projects.create, "refdesk projects create calls --policy voice"),
            Entry("list", projects.list_projects, "refdesk projects list"),
        ),
    ),
    Group(
        "keys",
        "Keys for programs that use a project over HTTP.",
        (
            Entry("create", keys.create, "refdesk keys create --scope knowledge:read --expires 90"),
            Entry("list", keys.list_keys, "refdesk keys list"),
            Entry("revoke", keys.revoke, "refdesk keys revoke key_01JE3Y0ZD5V7K8Q2M4N6P8R0ST"),
        ),
    ),
    Group(
        "people",
        "People who sign in to the console, and their roles.",
        (
            Entry("list", people.list_people, "refdesk people list"),
            Entry("add", people.add, "refdesk people add ada@example.org --role AgentBuilder"),
            Entry("roles", people.roles, "refdesk people roles ada@example.org --role Auditor"),
            Entry("disable", people.disable, "refdesk people disable ada@example.org"),
            Entry("link", people.link, "refdesk people link ada@example.org"),
            Entry("sessions", people.sessions, "refdesk people sessions ada@example.org"),
            Entry("sign-out", people.sign_out, "refdesk people sign-out ada@example.org"),
        ),
    ),
    Group(
        "models",
        "The weights of the local embedding model.",
        (
            Entry("pull", models.pull, "refdesk models pull"),
            Entry("list", models.list_models, "refdesk models list"),
        ),
    ),
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"refdesk {refdesk.__version__}")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
]


def start(
    context: typer.Context,
    *,
    home: Home = None,
    json: Json = False,
    project: Project = None,
    policy: PolicyName = None,
    version: Version = False,
) -> None:
    """The reference desk for AI agents: documents in, cited passages out."""
    keep_globals(context, home=home, json=json, project=project, policy=policy)


def _commands(entries: tuple[Entry, ...]) -> typer.Typer:
    made = typer.Typer(rich_markup_mode=None, add_completion=False)
    for entry in entries:
        made.command(entry.name, epilog=example_text(entry.example))(takes_call(entry.run))
    return made


def build() -> typer.Typer:
    """The plain help is ready in a third of the time of the boxed one and fits any width."""
    app = _commands(COMMANDS)
    app.callback(epilog=example_text("refdesk --home ./desk demo --no-serve"))(start)
    for group in GROUPS:
        within = _commands(group.entries)
        callback = keep_globals if group.alone is None else or_alone(group.alone)
        example = example_text(group.entries[0].example)
        within.callback(invoke_without_command=group.alone is not None, epilog=example)(callback)
        app.add_typer(within, name=group.name, help=group.help)
    return app
