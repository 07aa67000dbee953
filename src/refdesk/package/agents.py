"""The agents of ``agent.yaml``."""

from __future__ import annotations

from collections.abc import Collection

from refdesk.package.findings import Findings, did_you_mean
from refdesk.package.keyed import keyed
from refdesk.package.keys import AGENT, AGENT_KEYS, GROUNDINGS
from refdesk.package.manifest import Agent
from refdesk.package.models import check_model
from refdesk.package.nodes import Entry
from refdesk.package.values import Values, shown
from refdesk.policy import load_policy


def read_agents(
    entry: Entry | None, tools: Collection[str], secrets: Collection[str], findings: Findings
) -> dict[str, Agent]:
    """Those with nothing wrong."""
    if entry is None:
        return {}
    values = Values(findings)
    listed = values.mapping(entry.value, "`agents`", "agents by their names", entry.place)
    if listed is None:
        return {}
    if not listed.entries:
        findings.error(entry.place, "missing_key", "`agents` has no agent: a package has at least one.")
    agents = (_agent(one, tools, secrets, findings) for one in listed.entries.values())
    return {agent.name: agent for agent in agents if agent is not None}


def _agent(
    entry: Entry, tools: Collection[str], secrets: Collection[str], findings: Findings
) -> Agent | None:
    before = len(findings.errors)
    if not AGENT.fullmatch(entry.key):
        message = f"An agent is called by 1 to 64 of `A-Z a-z 0-9 _ -`, and this one `{entry.key[:80]}`."
        findings.error(entry.place, "bad_name", message)
    what = f"The agent `{entry.key}`"
    values = Values(findings)
    mapping = values.mapping(entry.value, what, ", ".join(AGENT_KEYS), entry.place)
    if mapping is None:
        return None
    its = keyed(mapping, AGENT_KEYS, what, entry.place, findings)
    prompt = values.text(its["prompt"]) if "prompt" in its else None
    model = _model(its.get("model"), secrets, values, findings)
    default = load_policy("package").agents.grounding
    grounding = values.choice(its["grounding"], GROUNDINGS) if "grounding" in its else default
    given = _tools(its.get("tools"), tools, values, findings)
    if len(findings.errors) > before:
        return None
    return Agent(entry.key, (prompt or "").strip(), model or "", grounding or default, given)


def _model(entry: Entry | None, secrets: Collection[str], values: Values, findings: Findings) -> str | None:
    if entry is None:
        return str(AGENT_KEYS["model"].default)
    model = values.text(entry, "a model by its name, provider:model")
    if model is not None:
        check_model(entry, model, secrets, findings)
    return model


def _tools(
    entry: Entry | None, there: Collection[str], values: Values, findings: Findings
) -> tuple[str, ...]:
    given: dict[str, None] = {}
    for item in values.items(entry, "names of tools") if entry else ():
        name = values.word(item, "the name of a tool")
        if name is None:
            continue
        if name not in there:
            findings.error(
                item.place,
                "unknown_name",
                f"There is no tool {shown(item)}: the package has no tools/{name}.yaml."
                f"{did_you_mean(name, there)}",
            )
        elif name in given:
            findings.error(item.place, "duplicate_key", f"The tool `{name}` is listed twice.")
        given[name] = None
    return tuple(given)
