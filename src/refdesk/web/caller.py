"""Who calls: the desk as the key or the session of a request may use it."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import RedirectResponse

from refdesk.access import Principal
from refdesk.desk import Desk
from refdesk.errors import NotPermitted

SESSION = "refdesk_session"
CONSOLE = "/console/"


def acting(request: Request) -> Desk:
    """Raises ``NotPermitted`` (``unauthenticated``), and ``NotFound`` for a project out of reach."""
    desk: Desk = request.app.state.desk
    if request.url.path.startswith(CONSOLE):
        return _by_session(desk, request)
    return desk.acting(_by_key(desk, request))


def entered(request: Request, session: str) -> RedirectResponse:
    """Into the console, with the cookie of a session that was just opened."""
    desk: Desk = request.app.state.desk
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(
        SESSION,
        session,
        max_age=desk.settings.session_hours * 3600,
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
    return response


def is_secure(request: Request) -> bool:
    """Whether the browser came by https, also where a proxy before the server ends it."""
    return request.url.scheme == "https" or own_origin(request).startswith("https:")


def own_origin(request: Request) -> str:
    """Of the address that people use."""
    desk: Desk = request.app.state.desk
    return (desk.settings.public_url or f"{request.url.scheme}://{request.url.netloc}").rstrip("/")


def _by_key(desk: Desk, request: Request) -> Principal:
    secret = request.headers.get("x-api-key") or _bearer(request)
    if not secret:
        raise NotPermitted(
            "The request carries no key: send one as X-Api-Key, or as Authorization: Bearer.",
            code="unauthenticated",
        )
    principal = desk.keys.resolve(secret)
    if principal is None:
        raise NotPermitted(
            "The key is not known, has expired or was revoked: make one with `refdesk keys create`.",
            code="unauthenticated",
        )
    return principal


def _bearer(request: Request) -> str | None:
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else None


def _by_session(desk: Desk, request: Request) -> Desk:
    session = request.cookies.get(SESSION)
    principal = desk.sessions.resolve(session) if session else None
    if principal is None:
        raise NotPermitted("Nobody is signed in, or the session has ended: sign in.", code="unauthenticated")
    return desk.acting(principal, request.path_params.get("project_id"))


async def _acting_desk(request: Request) -> Desk:
    """Not by a thread, since it waits for nothing."""
    desk: Desk = request.state.desk  # the gate has put it there
    return desk


Caller = Annotated[Desk, Depends(_acting_desk)]
