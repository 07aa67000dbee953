"""Signing in with a link that works once, and out again. A link is used by a button, not by being opened:
mail programs open links to look at them."""

from __future__ import annotations

from html import escape

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from refdesk.desk import Desk
from refdesk.web.caller import SESSION
from refdesk.web.gate import check_origin

_SECURITY = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; "
    "frame-ancestors 'none'",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Refdesk</title>
<style>
body {{ font: 1.1rem/1.5 system-ui, sans-serif; color: #1c2733;
  margin: 12vh auto; max-width: 26rem; padding: 0 1rem; }}
button {{ font: inherit; padding: .6rem 1.4rem; border: 0; border-radius: .4rem;
  background: #1d5fa8; color: #fff; }}
button:focus-visible {{ outline: 3px solid #8ab8ea; }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
<p>{text}</p>
{form}
</main>
</body>
</html>
"""

router = APIRouter(prefix="/console", include_in_schema=False)


@router.get("/sign-in/{link}")
def offer(link: str) -> Response:
    form = f'<form method="post" action="/console/sign-in/{escape(link)}"><button>Sign in</button></form>'
    return _page("Sign in", "This link signs you in once.", form)


@router.post("/sign-in/{link}")
def sign_in(request: Request, link: str) -> Response:
    check_origin(request)
    desk: Desk = request.app.state.desk
    session = desk.sessions.redeem(link)
    if session is None:
        text = "The link was used before, or is too old. Ask for another: refdesk people link YOUR-ADDRESS"
        return _page("This link does not work any more", text, status=410)
    response = RedirectResponse("/", status_code=303)
    response.set_cookie(
        SESSION,
        session,
        max_age=desk.settings.session_hours * 3600,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return response


@router.post("/sign-out", status_code=204)
def sign_out(request: Request, response: Response) -> None:
    check_origin(request)
    desk: Desk = request.app.state.desk
    session = request.cookies.get(SESSION)
    if session:
        desk.sessions.revoke(session)
    response.delete_cookie(SESSION)


def _page(title: str, text: str, form: str = "", status: int = 200) -> HTMLResponse:
    return HTMLResponse(_PAGE.format(title=escape(title), text=escape(text), form=form), status, _SECURITY)


def install(app: FastAPI) -> None:
    app.include_router(router)
