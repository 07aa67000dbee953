"""Everything that is wrong with a package, told at once: CMP2, CMP3, Y1 to Y3."""

from __future__ import annotations

from collections.abc import Mapping as MappingOf
from dataclasses import dataclass
from pathlib import Path

from refdesk.errors import NotFound
from refdesk.package.agents import read_agents
from refdesk.package.bases import DeclaredBase, read_bases
from refdesk.package.findings import Findings
from refdesk.package.keyed import keyed
from refdesk.package.keys import NAME, SECRET, TOP
from refdesk.package.manifest import Agent, Package, Tool
from refdesk.package.nodes import Entry, read
from refdesk.package.sources import source_of
from refdesk.package.tools import read_tools
from refdesk.package.values import Values, shown

AGENT_FILE = "agent.yaml"


@dataclass(frozen=True, slots=True)
class Checked:
    """``package`` is ``None`` where there are errors."""

    findings: Findings
    package: Package | None


def check(folder: Path) -> Checked:
    """Raises ``NotFound`` where ``folder`` is none."""
    if not folder.is_dir():
        raise NotFound(f"There is no folder {str(folder)!r}.", code="file_not_found")
    findings = Findings()
    package = _checked(folder, findings)
    findings.sort()
    return Checked(findings, None if findings.errors else package)


def _checked(folder: Path, findings: Findings) -> Package | None:
    source = source_of(folder / AGENT_FILE, AGENT_FILE, folder, findings)
    if source is None:
        return None
    before = len(findings.errors)
    node = read(source, findings)
    if node is None and len(findings.errors) > before:
        return None
    values = Values(findings)
    top = values.mapping(node, AGENT_FILE, ", ".join(TOP), source.place(0))
    if top is None:
        return None
    entries = keyed(top, TOP, AGENT_FILE, source.place(0), findings, extra="x-")
    secrets = _secrets(entries.get("secrets"), findings)
    bases = read_bases(entries.get("knowledge"), secrets, folder, findings)
    tools = read_tools(folder, set(bases), findings)
    agents = read_agents(entries.get("agents"), set(tools), secrets, findings)
    _warn_unsearched(bases, tools, agents, findings)
    return Package(
        folder=folder,
        name=_name(entries.get("name"), values, findings),
        agents=agents,
        tools={name: tool for name, tool in tools.items() if tool is not None},
        bases={key: one.base for key, one in bases.items() if one.base is not None},
        secrets=secrets,
    )


def _name(entry: Entry | None, values: Values, findings: Findings) -> str:
    name = values.text(entry) if entry else str(TOP["name"].default)
    if entry and name and not NAME.fullmatch(name):
        message = f"`name` is {shown(entry.value)}; it is 1 to 63 of `a-z 0-9 -`, a hyphen not first."
        findings.error(entry.value.place, "bad_name", message)
    return name or ""


def _secrets(entry: Entry | None, findings: Findings) -> tuple[str, ...]:
    values = Values(findings, hidden=True)
    names: dict[str, None] = {}
    for item in values.items(entry, "names of environment variables, never their values") if entry else ():
        name = values.word(item, "the name of an environment variable")
        if name is None:
            continue
        if not SECRET.fullmatch(name):
            message = (
                "A secret is named as its environment variable, in `A-Z 0-9 _`; never write its value here."
            )
            findings.error(item.place, "bad_name", message, hidden=True)
        elif name in names:
            findings.error(item.place, "duplicate_key", f"`{name}` is listed twice.", hidden=True)
        names[name] = None
    return tuple(names)


def _warn_unsearched(
    bases: MappingOf[str, DeclaredBase],
    tools: MappingOf[str, Tool | None],
    agents: MappingOf[str, Agent],
    findings: Findings,
) -> None:
    given = {tool for agent in agents.values() for tool in agent.tools}
    for key, declared in bases.items():
        naming = [name for name, tool in tools.items() if tool is not None and tool.base == key]
        if given.intersection(naming):
            continue
        why = f"no agent has its tool {naming[0]}" if naming else "no tool names it"
        findings.warn(
            declared.place,
            "base_not_searched",
            f"The base `{key}` is indexed and never searched: {why}. Give an agent one, or drop it.",
        )
