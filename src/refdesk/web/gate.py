"""What every request of the API passes before its route: who calls, how often, and a well-formed address."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial, wraps
from inspect import iscoroutinefunction
from typing import Any
from urllib.parse import unquote_to_bytes

from fastapi import Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute

from refdesk.errors import RefdeskError, UsageError
from refdesk.web.bodies import limited
from refdesk.web.caller import CONSOLE, acting, own_origin
from refdesk.web.problems import problem
from refdesk.web.rates import Rates
from refdesk.web.replay import replayed

_UNSAFE = {"POST", "PUT", "PATCH", "DELETE"}

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class Gate(APIRoute):
    """A route of the API. One that is no coroutine runs in a thread, and its answer is checked and written
    without another: each change of threads is a wait for a processor."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, endpoint if iscoroutinefunction(endpoint) else in_thread(endpoint), **options)

    def get_route_handler(self) -> Handler:
        handle = super().get_route_handler()
        known = {parameter.alias for parameter in self.dependant.query_params}
        takes_json = bool(self.dependant.body_params)  # another route reads the body itself, or not at all

        async def gated(request: Request) -> Response:
            try:
                request.state.desk = await run_in_threadpool(acting, request)
                check_origin(request)
                rates: Rates = request.app.state.rates
                rates.count(request.state.desk.principal.name)
                _check_query(request, known)
                return await replayed(limited(request) if takes_json else request, handle)
            except RefdeskError as error:
                return problem(request, error)

        return gated


def in_thread(endpoint: Callable[..., Any]) -> Callable[..., Coroutine[Any, Any, Any]]:
    @wraps(endpoint)
    async def run(**values: Any) -> Any:
        return await run_in_threadpool(partial(endpoint, **values))

    return run


def _check_query(request: Request, known: set[str]) -> None:
    try:
        unquote_to_bytes(request.scope["query_string"].replace(b"+", b" ")).decode()
    except UnicodeDecodeError:
        raise UsageError("The address holds bytes that are no UTF-8: percent-encode UTF-8.") from None
    unknown = sorted(set(request.query_params) - known)
    if unknown:
        takes = f"this address takes {', '.join(sorted(known))}" if known else "this address takes none"
        raise UsageError(f"{len(unknown)} query parameter(s) are not known; {takes}.")


def check_origin(request: Request) -> None:
    """A session's cookie goes with requests that another site makes: those change nothing."""
    if not request.url.path.startswith(CONSOLE) or request.method not in _UNSAFE:
        return
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    own = {f"{request.url.scheme}://{request.url.netloc}", own_origin(request)}
    if site not in (None, "same-origin", "none") or (origin is not None and origin not in own):
        raise UsageError("The request comes from another site: use the console's own pages.")
