"""The files of ``tools/``: each a tool that searches one base."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from refdesk.package.findings import Findings, Source, did_you_mean
from refdesk.package.keyed import keyed
from refdesk.package.keys import KNOWLEDGE_KEYS, REFUSED_TOOL_KEYS, TOOL, TOOL_KEYS
from refdesk.package.manifest import Tool
from refdesk.package.nodes import Entry, read
from refdesk.package.sources import source_of
from refdesk.package.values import Values, shown

TOOLS = "tools"


def read_tools(folder: Path, bases: Collection[str], findings: Findings) -> dict[str, Tool | None]:
    """By name; ``None`` where something is wrong with one."""
    tools: dict[str, Tool | None] = {}
    there = sorted((folder / TOOLS).iterdir()) if (folder / TOOLS).is_dir() else []
    for path in there:
        name = f"{TOOLS}/{path.name}"
        if path.suffix == ".yml":
            findings.missing(name, f"{name} is not read: a tool's file ends in .yaml.")
        if path.suffix != ".yaml" or path.name.startswith("."):
            continue
        source = source_of(path, name, folder, findings)
        tools[path.stem] = None if source is None else _tool(path.stem, source, bases, findings)
    return tools


def _tool(name: str, source: Source, bases: Collection[str], findings: Findings) -> Tool | None:
    before = len(findings.errors)
    start = source.place(0)
    node = read(source, findings)
    if len(findings.errors) > before and node is None:
        return None
    if not TOOL.fullmatch(name):
        message = f"A tool is called by 1 to 64 of `a-z 0-9 _`, a letter first, and this file `{name}`."
        findings.error(start, "bad_name", message)
    values = Values(findings)
    top = values.mapping(node, source.name, ", ".join(TOOL_KEYS), start)
    if top is None:
        return None
    its = keyed(top, TOOL_KEYS, source.name, start, findings, refused=REFUSED_TOOL_KEYS)
    description = values.text(its["description"]) if "description" in its else None
    if "description" not in its:
        message = (
            f"{source.name} has no `description`, the one thing that tells a model when to look something up."
        )
        findings.warn(start, "no_description", message)
    announce = values.text(its["announce"]) if "announce" in its else None
    interruption = values.yes_or_text(its["interruption"]) if "interruption" in its else None
    base = _base(its.get("knowledge"), bases, values, findings)
    if len(findings.errors) > before:
        return None
    return Tool(
        name, base or "", (description or f"Looks something up in {base}.").strip(), announce, interruption
    )


def _base(entry: Entry | None, bases: Collection[str], values: Values, findings: Findings) -> str | None:
    if entry is None:
        return None
    mapping = values.mapping(entry.value, "`knowledge`", "the one key `base`", entry.place)
    if mapping is None:
        return None
    its = keyed(mapping, KNOWLEDGE_KEYS, "`knowledge`", entry.place, findings)
    base = values.text(its["base"], "a base of agent.yaml") if "base" in its else None
    if base is not None and base not in bases:
        there = f"it has {', '.join(bases)}" if bases else "it has none"
        findings.error(
            its["base"].value.place,
            "unknown_name",
            f"`base` is {shown(its['base'].value)}, and agent.yaml has no such base; {there}."
            f"{did_you_mean(base, bases)}",
        )
    return base
