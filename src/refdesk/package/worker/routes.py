"""The worker's addresses.

GET  /livez /readyz                       whether it lives, and what it serves
GET  /agents[/NAME]                       the agents and their tools, as schemas for a model
POST /agents/NAME/tools/TOOL              {"query"}: a lookup
POST /agents/NAME/ask                     {"question"}: an answer of the agent's model, with citations
POST /agents/NAME/mcp                     the tools over the Model Context Protocol
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import unquote, urlsplit

from refdesk.errors import NotFound, NotPermitted, UsageError
from refdesk.package.compiled import Compiled
from refdesk.package.manifest import Agent
from refdesk.package.worker.knowledge import OpenBase
from refdesk.package.worker.lookups import Lookups
from refdesk.package.worker.server import Request, Response

_OPEN = ("/livez", "/readyz")


class App:
    """``key``: what requests must carry as ``Authorization: Bearer``; ``None``: nothing."""

    def __init__(self, compiled: Compiled, bases: Mapping[str, OpenBase], key: str | None) -> None:
        self._compiled = compiled
        self._bases = bases
        self._lookups = Lookups(compiled, bases)
        self._key = key

    def __call__(self, request: Request) -> Response:
        parts = [unquote(part) for part in request.path.strip("/").split("/")]
        if request.path in _OPEN:
            return self._state(request)
        self._check_origin(request)
        if self._key is None:
            _check_host(request)
        elif not _carries(request, self._key):
            raise NotPermitted("The request carries no key that holds.", code="unauthenticated")
        match parts:
            case ["agents"]:
                agents = [self._listed(agent) for agent in self._lookups.agents()]
                return _got(request, {"items": agents}, "/agents")
            case ["agents", name]:
                return _got(request, self._listed(self._lookups.agent(name)), "/agents/{agent}")
            case ["agents", name, "tools", tool]:
                return self._tool(request, self._lookups.agent(name), tool)
            case ["agents", name, "ask"]:
                return self._ask(request, self._lookups.agent(name))
            case ["agents", name, "mcp"]:
                return self._mcp(request, self._lookups.agent(name))
        raise NotFound("There is nothing at this address: the README lists what there is.")

    def _state(self, request: Request) -> Response:
        if request.path == "/livez":
            return _got(request, {"status": "alive"}, "/livez")
        bases = {
            key: {"documents": len(one.index.documents), "passages": one.passages, "baked": one.baked}
            for key, one in self._bases.items()
        }
        return _got(request, {"status": "ready", "name": self._compiled.name, "bases": bases}, "/readyz")

    def _listed(self, agent: Agent) -> dict[str, Any]:
        tools = [
            {
                "name": tool.name,
                "description": tool.description,
                "parameters": dict(self._lookups.parameters(tool)),
                "base": tool.base,
                "announce": tool.announce,
                "interruption": tool.interruption,
            }
            for tool in self._lookups.tools(agent)
        ]
        return {"name": agent.name, "model": agent.model, "grounding": agent.grounding, "tools": tools}

    def _tool(self, request: Request, agent: Agent, tool: str) -> Response:
        arguments = _posted(request)
        lookup = self._lookups.call(agent, tool, arguments)
        return Response(200, lookup.to_dict(), route="/agents/{agent}/tools/{tool}")

    def _ask(self, request: Request, agent: Agent) -> Response:
        from refdesk.package.worker.answers import ask  # what only answering needs

        given = _posted(request)
        question = given.get("question")
        if given.keys() != {"question"} or not isinstance(question, str):
            raise UsageError('The body is {"question": "…"}, and nothing else.')
        return Response(200, ask(self._lookups, agent, question), route="/agents/{agent}/ask")

    def _mcp(self, request: Request, agent: Agent) -> Response:
        from refdesk.package.worker.mcp import answer

        route = "/agents/{agent}/mcp"
        if request.method != "POST":
            return Response(405, None, {"Allow": "POST"}, route)
        reply = answer(self._lookups, agent, _json(request))
        return Response(202 if reply is None else 200, reply, route=route)

    def _check_origin(self, request: Request) -> None:
        """A page of another site must not use a worker that only this machine can reach."""
        origin = request.headers.get("origin")
        if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
            raise NotPermitted("Pages of other sites may not use this worker.")


def _check_host(request: Request) -> None:
    """A name that somebody else's name server leads here would make their page one of this worker's."""
    host = request.headers.get("host")
    if host is not None and not _of_this_machine(host):
        raise NotPermitted(
            "Without a key the worker answers to localhost and to IP addresses, and to no other name: set "
            "REFDESK_WORKER_KEY where it runs, and send it as Authorization: Bearer."
        )


def _of_this_machine(host: str) -> bool:
    try:
        name = (urlsplit(f"//{host}").hostname or "").removesuffix(".")
        return name == "localhost" or name.endswith(".localhost") or ip_address(name) is not None
    except ValueError:
        return False


def _carries(request: Request, key: str) -> bool:
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), key.encode())


def _got(request: Request, body: object, route: str) -> Response:
    if request.method not in ("GET", "HEAD"):
        raise UsageError("This address is read with GET.", code="method_not_allowed")
    return Response(200, body, route=route)


def _posted(request: Request) -> dict[str, Any]:
    if request.method != "POST":
        raise UsageError("This address is asked with POST.", code="method_not_allowed")
    body = _json(request)
    if not isinstance(body, dict):
        raise UsageError("The body is a JSON object.")
    return body


def _json(request: Request) -> object:
    try:
        body: object = json.loads(request.body)
    except (ValueError, RecursionError):
        raise UsageError("The body is no JSON.") from None
    return body
