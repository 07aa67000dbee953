"""To the provider and back. Whoever it names must be known here: nobody is made by signing in."""

from __future__ import annotations

import logging

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import RedirectResponse

from refdesk.desk import Desk
from refdesk.errors import NotPermitted, RefdeskError, UsageError
from refdesk.outgoing import Outgoing
from refdesk.settings import Settings
from refdesk.web.caller import entered, is_secure
from refdesk.web.oidc.begun import LASTS, Begun
from refdesk.web.oidc.provider import Provider
from refdesk.web.oidc.registration import CALLBACK, registration
from refdesk.web.page import PRIVATE, link, notice

COOKIE = "refdesk_sign_in"
_PATH = "/console/oidc"

log = logging.getLogger(__name__)
router = APIRouter(include_in_schema=False)


@router.get("/console/oidc/start")
def start(request: Request) -> Response:
    desk: Desk = request.app.state.desk
    provider: Provider = request.app.state.provider
    begun = Begun.now()
    try:
        address, kept = provider.address(begun), desk.sessions.seal(begun.to_text())
    except RefdeskError as error:
        return _not_signed_in(error)
    response = RedirectResponse(address, status_code=303, headers=PRIVATE)
    response.set_cookie(
        COOKIE, kept, max_age=LASTS, path=_PATH, httponly=True, samesite="lax", secure=is_secure(request)
    )
    return response


@router.get(CALLBACK)
def callback(request: Request) -> Response:
    response: Response
    try:
        response = entered(request, _session(request))
    except RefdeskError as error:
        response = _not_signed_in(error)
    response.delete_cookie(COOKIE, path=_PATH)
    return response


def _session(request: Request) -> str:
    desk: Desk = request.app.state.desk
    provider: Provider = request.app.state.provider
    begun, said = _begun(desk, request), request.query_params
    if begun is None or not begun.answers(said.get("state", "")):
        raise UsageError(
            f"This sign-in was not begun in this browser, or took more than {LASTS // 60} minutes. "
            "Sign in again."
        )
    if "code" not in said:
        raise NotPermitted("The provider did not sign you in. Sign in again.")
    person = desk.people.find_by_email(provider.email(said["code"], begun))
    if person is None:
        log.warning("sign-in refused: nobody with that address, or no longer")
        raise NotPermitted(
            "You are not among the people of this desk, or no longer. Whoever runs it adds people: "
            "refdesk people add YOUR-ADDRESS --role Member"
        )
    return desk.sessions.open(person)


def _begun(desk: Desk, request: Request) -> Begun | None:
    text = desk.sessions.unseal(request.cookies.get(COOKIE, ""))
    return None if text is None else Begun.from_text(text)


def _not_signed_in(error: RefdeskError) -> Response:
    again = link("/console/sign-in", "Sign in again")
    return notice("You are not signed in", error.message, again, status=error.status)


def install(app: FastAPI, settings: Settings) -> str:
    """What the provider is called. Raises ``UsageError`` where the settings do not suffice."""
    ours = registration(settings)
    app.state.provider = Provider(ours, Outgoing(settings.allow_private_hosts))
    app.include_router(router)
    return ours.name
