"""Signing in with a link that works once, or with a provider, and out again. A link is used by a button, not
by being opened: mail programs open links to look at them."""

from __future__ import annotations

from importlib.util import find_spec

from fastapi import APIRouter, FastAPI, Request, Response

from refdesk.desk import Desk
from refdesk.errors import UsageError
from refdesk.settings import Settings
from refdesk.web.caller import SESSION, entered
from refdesk.web.gate import check_origin
from refdesk.web.page import button, link, notice

PAGE = "/console/sign-in"

router = APIRouter(prefix="/console", include_in_schema=False)


@router.get("/sign-in")
def choose(request: Request) -> Response:
    provider: str | None = request.app.state.provider_name
    if provider is None:
        text = "You sign in with a link of your own. Ask whoever runs this desk: refdesk people link ADDRESS"
        return notice("Sign in", text)
    text = "You are known here by your e-mail address."
    return notice("Sign in", text, link("/console/oidc/start", f"Sign in with {provider}"))


@router.get("/sign-in/{text}")
def offer(text: str) -> Response:
    return notice("Sign in", "This link signs you in once.", button(f"{PAGE}/{text}", "Sign in"))


@router.post("/sign-in/{text}")
def sign_in(request: Request, text: str) -> Response:
    check_origin(request)
    desk: Desk = request.app.state.desk
    session = desk.sessions.redeem(text)
    if session is None:
        why = "The link was used before, or is too old. Ask for another: refdesk people link YOUR-ADDRESS"
        return notice("This link does not work any more", why, status=410)
    return entered(request, session)


@router.post("/sign-out", status_code=204)
def sign_out(request: Request, response: Response) -> None:
    check_origin(request)
    desk: Desk = request.app.state.desk
    session = request.cookies.get(SESSION)
    if session:
        desk.sessions.revoke(session)
    response.delete_cookie(SESSION)


def install(app: FastAPI, settings: Settings) -> None:
    """Raises ``UsageError`` where the settings name a provider and are not enough for it."""
    app.state.provider_name = None
    app.include_router(router)
    if settings.oidc_issuer is None:
        return
    if find_spec("joserfc") is None:
        raise UsageError(
            "REFDESK_OIDC_ISSUER is set, and signing in with a provider needs joserfc: "
            "run `pip install 'refdesk[oidc]'`."
        )
    from refdesk.web import oidc  # 110 ms, which a desk without a provider does not need

    app.state.provider_name = oidc.install(app, settings)
