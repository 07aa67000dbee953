"""``/mcp``: each request stands alone and is answered with JSON, by whoever its key is."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from starlette.types import Receive, Scope, Send

from refdesk.desk import Desk
from refdesk.desk.toolbox import Toolbox
from refdesk.web.caller import Caller, own_origin
from refdesk.web.doors import API
from refdesk.web.gate import Gate
from refdesk.web.mcp.tools import Tools

router = APIRouter(route_class=Gate)


@router.post("/mcp", include_in_schema=False)
def mcp(desk: Caller, request: Request) -> Response:
    return _Handed(desk, Tools(Toolbox(desk), lambda id_: f"{own_origin(request)}{API}/documents/{id_}"))


class _Handed(Response):
    """The answer is the library's: it reads the request itself. Nothing of it is kept for a repetition."""

    def __init__(self, desk: Desk, tools: Tools) -> None:
        self.status_code = 200
        self.background = None
        self._desk, self._tools = desk, tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from refdesk.web.mcp.server import server

        served = server(lambda _: self._tools, self._desk.policy)
        manager = StreamableHTTPSessionManager(served, json_response=True, stateless=True)
        async with manager.run():
            await manager.handle_request(scope, receive, send)
