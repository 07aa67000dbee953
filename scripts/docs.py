"""The documentation's tables, made from the code, and the check that nothing is undocumented or dead.

    python scripts/docs.py            writes the tables between their markers
    python scripts/docs.py --check    fails where a table has drifted, or a link leads nowhere

A table stands in its page between ``<!-- table: NAME -->`` and ``<!-- end of table -->``. Every setting,
error code, policy value, command, option and access rule is in one, so what is new in the code is missing
there until this script has run. A package that the code imports must be named in pyproject.toml.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

from typer.core import TyperGroup
from typer.main import get_command

from refdesk.access import ROLES, TABLE, Rule
from refdesk.cli.app import build
from refdesk.demo.catalog import agents, packs, sources
from refdesk.errors import CODES
from refdesk.package.findings import CODES as FINDINGS
from refdesk.package.keys import AGENT_KEYS, BASE_KEYS, KNOWLEDGE_KEYS, TOOL_KEYS, TOP, Key
from refdesk.policy import POLICIES, policy_lines
from refdesk.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[1]
MARKED = re.compile(r"(<!-- table: (?P<name>[a-z]+) -->\n).*?(<!-- end of table -->)", re.DOTALL)
LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(```|~~~).*?^\1", re.DOTALL | re.MULTILINE)
DECLARED = re.compile(r"(?:^|[\[,])([A-Za-z][\w.-]*)")  # a requirement's name, and those of its extras
LOCKED = re.compile(r"^([a-z0-9._-]+)==([^\s;]+)", re.MULTILINE)
HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *#*$", re.MULTILINE)


def rows(heading: tuple[str, ...], lines: Iterator[tuple[str, ...]]) -> str:
    cells = [heading, tuple("---" for _ in heading), *lines]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)


def errors() -> str:
    return rows(
        ("code", "HTTP", "meaning"),
        ((f"`{name}`", str(code.status), code.meaning) for name, code in CODES.items()),
    )


def settings() -> str:
    return rows(
        ("variable", "default", "meaning"),
        (
            (
                f"`{PREFIX}{setting.name.upper()}`",
                "none" if setting.default is None else f"`{setting.default}`",
                setting.metadata["description"],
            )
            for setting in fields(Settings)
        ),
    )


def policies() -> str:
    """One row a value; a policy that leaves it out shows a dash."""
    files = {name: {line.key: line for line in policy_lines(name)} for name in POLICIES}
    keys = dict.fromkeys(key for lines in files.values() for key in lines)

    def row(key: str) -> tuple[str, ...]:
        lines = [files[name].get(key) for name in POLICIES]
        sources = dict.fromkeys(line.source for line in lines if line)
        return (
            f"`{key}`",
            *(_value(line.value) if line else "–" for line in lines),
            "; ".join(sources),
        )

    return rows(("value", *POLICIES, "from"), (row(key) for key in keys))


def _value(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def commands() -> str:
    group = get_command(build())
    assert isinstance(group, TyperGroup)
    return "\n".join(_pages(group, "refdesk"))


def _pages(group: TyperGroup, path: str) -> Iterator[str]:
    from typer import Context

    context = Context(group, info_name=path, terminal_width=100, max_content_width=100)
    yield f"## {path}\n\n```\n{group.get_help(context).strip()}\n```\n"
    for name, command in group.commands.items():
        if isinstance(command, TyperGroup):
            yield from _pages(command, f"{path} {name}")
            continue
        inner = Context(command, info_name=f"{path} {name}", terminal_width=100, max_content_width=100)
        yield f"## {path} {name}\n\n```\n{command.get_help(inner).strip()}\n```\n"


def access() -> str:
    def mark(may: bool) -> str:
        return "yes" if may else "–"

    def row(action: str, rule: Rule) -> tuple[str, ...]:
        key = " or ".join(f"`{scope}`" for scope in sorted(rule.scopes)) or "–"
        roles = (mark(role in rule.roles) for role in ROLES)
        return (f"`{action}`", *roles, key, mark(rule.bound), mark(rule.owner))

    return rows(
        ("action", *ROLES, "key", "bound key", "owner"),
        (row(action, rule) for action, rule in TABLE.items()),
    )


def package() -> str:
    """The keys of ``agent.yaml`` and of a tool's file."""
    tables = {
        "agent.yaml": TOP,
        "agents.NAME": AGENT_KEYS,
        "knowledge.KEY": BASE_KEYS,
        "tools/NAME.yaml": TOOL_KEYS,
        "knowledge of a tool": KNOWLEDGE_KEYS,
    }
    return rows(
        ("key", "in", "needed", "left out", "meaning"),
        (
            (f"`{name}`", where, "yes" if key.required else "–", _left_out(key), key.help)
            for where, table in tables.items()
            for name, key in table.items()
        ),
    )


def _left_out(key: Key) -> str:
    return "–" if key.default is None else f"`{key.default}`"


def findings() -> str:
    return rows(("code", "meaning"), ((f"`{name}`", meaning) for name, meaning in FINDINGS.items()))


def demopacks() -> str:
    lines = (
        (f"`{pack.name}`", pack.kind, str(len(list(sources(pack)))), pack.description) for pack in packs()
    )
    return rows(("pack", "kind", "documents", "holds"), lines)


def demoagents() -> str:
    lines = (
        (
            f"`{agent.name}`",
            agent.grounding,
            agent.purpose,
            ", ".join(agent.packs) or "none",
            agent.questions[0],
        )
        for agent in agents()
    )
    return rows(("agent", "grounding", "purpose", "packs", "may be asked"), lines)


TABLES: dict[str, Callable[[], str]] = {
    "access": access,
    "demopacks": demopacks,
    "demoagents": demoagents,
    "findings": findings,
    "package": package,
    "errors": errors,
    "settings": settings,
    "policies": policies,
    "commands": commands,
}


def pages(root: Path = ROOT) -> list[Path]:
    return [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]


def filled(text: str) -> str:
    return MARKED.sub(lambda match: f"{match[1]}{TABLES[match['name']]()}{match[3]}", text)


def drifted(root: Path = ROOT) -> list[str]:
    """Tables that stand nowhere, and pages whose tables are not what the code says."""
    found, problems = set[str](), []
    for page in pages(root):
        text = page.read_text("utf-8")
        names = {match["name"] for match in MARKED.finditer(text)}
        found |= names
        if names and filled(text) != text:
            problems.append(f"{page.relative_to(root)}: a table is out of date; run scripts/docs.py")
    return problems + [f"no page has the table {name!r}" for name in TABLES if name not in found]


def dead_links(root: Path = ROOT) -> list[str]:
    return [
        f"{page.relative_to(root)}: {target} leads nowhere"
        for page in pages(root)
        for target in _targets(page)
        if not _leads_somewhere(page, target)
    ]


def _targets(page: Path) -> Iterator[str]:
    for match in LINK.finditer(FENCE.sub("", page.read_text("utf-8"))):
        if not re.match(r"[a-z][a-z0-9+.-]*:", match["target"]):
            yield match["target"]


def _leads_somewhere(page: Path, target: str) -> bool:
    path, _, anchor = target.partition("#")
    file = (page.parent / path) if path else page
    if not file.exists():
        return False
    return not anchor or (file.suffix == ".md" and anchor in _anchors(file))


def _anchors(page: Path) -> set[str]:
    headings = HEADING.finditer(FENCE.sub("", page.read_text("utf-8")))
    return {re.sub(r"[^\w\- ]", "", heading["text"].lower()).replace(" ", "-") for heading in headings}


def undocumented_dependencies(root: Path = ROOT) -> list[str]:
    """Dependencies of any extra without a row in docs/dependencies.md that has the locked version."""
    locked: dict[str, set[str]] = {}
    for name, version in LOCKED.findall((root / "requirements/dev.lock").read_text("utf-8")):
        locked.setdefault(name, set()).add(version)  # a package may have one for each Python
    page = (root / "docs/dependencies.md").read_text("utf-8").lower()
    names = [DECLARED.findall(requirement)[0].lower() for requirement in _requirements(root)]
    return [
        f"docs/dependencies.md has no row for {name} {' or '.join(sorted(locked[name]))}"
        for name in names
        if not any(f"| {name} | {version} |" in page for version in locked[name])
    ]


def undeclared_imports(root: Path = ROOT) -> list[str]:
    """What the sources import and pyproject.toml names neither itself nor as the extra that brings it."""
    named = {_normal(name) for one in _requirements(root) for name in DECLARED.findall(one)}
    given_by = packages_distributions()
    return [
        f"src imports {module}, which pyproject.toml does not name"
        for module in sorted(_imported(root / "src"))
        if named.isdisjoint(_normal(name) for name in given_by.get(module, [module]))
    ]


def _requirements(root: Path) -> list[str]:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return [*project["dependencies"], *chain(*project["optional-dependencies"].values())]


def _imported(sources: Path) -> set[str]:
    """The packages of others, wherever in a module they are imported; types alone are of nobody."""
    names: set[str] = set()
    for file in sources.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(node, ast.Import):
                names |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - sys.stdlib_module_names - {"refdesk", "_typeshed"}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def main(arguments: list[str]) -> int:
    if arguments == ["--check"]:
        problems = drifted() + dead_links() + undocumented_dependencies() + undeclared_imports()
        print("\n".join(problems), end="\n" if problems else "")
        return 1 if problems else 0
    for page in pages():
        text = page.read_text("utf-8")
        if filled(text) != text:
            page.write_text(filled(text), "utf-8")
            print(page.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
