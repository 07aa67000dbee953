"""Signing in with a provider: a real browser's steps between a really running desk and a really running
provider, and every way in which the answer may not be trusted."""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from fake_issuer import CLIENT, SECRET, FakeIssuer, Key
from tests.web.conftest import Serve, Served

from refdesk import Desk
from refdesk.errors import UsageError
from refdesk.settings import Settings
from refdesk.web.app import create_app
from refdesk.web.caller import SESSION
from refdesk.web.oidc.asking import AT_ONCE
from refdesk.web.oidc.begun import LASTS, Begun
from refdesk.web.oidc.routes import COOKIE

ADA = "ada@example.org"
PUBLIC = "http://desk.example.org"
KNOWN = {"email": ADA, "email_verified": True}


@pytest.fixture
def issuer() -> Iterator[FakeIssuer]:
    with FakeIssuer() as made:
        made.claims = dict(KNOWN)
        yield made


@pytest.fixture
def desk(serve: Serve, issuer: FakeIssuer) -> Served:
    served = serve(**settings(issuer))
    served.desk.people.create(ADA, roles=["PlatformAdmin"])
    return served


def settings(issuer: FakeIssuer, **more: Any) -> dict[str, Any]:
    return {
        "oidc_issuer": issuer.url,
        "oidc_client_id": CLIENT,
        "oidc_client_secret": SECRET,
        "oidc_name": "Example Inc.",
        "public_url": PUBLIC,
        "allow_private_hosts": True,
        **more,
    }


def back(browser: httpx2.Client) -> str:
    """To the provider; where it sends the browser, as an address of the running server."""
    begun = browser.get("/console/oidc/start")
    assert begun.status_code == 303, begun.text
    answer = httpx2.get(begun.headers["location"]).headers["location"]
    assert answer.startswith(f"{PUBLIC}/console/oidc/callback?")
    return answer.removeprefix(PUBLIC)


def enter(browser: httpx2.Client) -> httpx2.Response:
    return browser.get(back(browser))


def refused(served: Served, response: httpx2.Response, status: int, words: str) -> None:
    assert response.status_code == status, response.text
    assert "You are not signed in" in response.text
    assert words in response.text
    assert 'href="/console/sign-in"' in response.text
    assert SESSION not in response.headers.get("set-cookie", "")
    assert served.desk.people.sessions(ADA) == []


@pytest.mark.req("RUN7")
def test_who_is_known_comes_in_by_the_provider_and_out_again(desk: Served, issuer: FakeIssuer) -> None:
    browser = desk.anonymous()
    assert "Sign in with Example Inc." in browser.get("/console/sign-in").text
    entered = enter(browser)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    session = next(cookie for cookie in entered.headers.get_list("set-cookie") if SESSION in cookie)
    assert {"httponly", "samesite=lax"} <= set(session.lower().split("; "))
    assert COOKIE not in browser.cookies
    project = desk.desk.projects.get("default").id
    bases = f"/console/v2/projects/{project}/knowledge-bases"
    assert browser.post(bases, json={"name": "Mine"}).status_code == 201
    desk.desk.people.sign_out(ADA)
    assert browser.get(bases).status_code == 401
    assert enter(browser).status_code == 303
    desk.desk.people.disable(ADA)
    assert browser.get(bases).status_code == 401
    assert issuer.asked.count("/keys") == 1


def test_the_request_to_the_provider_has_what_protects_the_answer(desk: Served, issuer: FakeIssuer) -> None:
    first, second = (desk.anonymous().get("/console/oidc/start?next=https://evil.example") for _ in range(2))
    asked = [parse_qs(urlsplit(one.headers["location"]).query) for one in (first, second)]
    assert asked[0]["redirect_uri"] == [f"{PUBLIC}/console/oidc/callback"]
    assert asked[0]["scope"] == ["openid email"]
    assert asked[0]["code_challenge_method"] == ["S256"]
    for name in ("state", "nonce", "code_challenge"):
        assert len(asked[0][name][0]) >= 43
        assert asked[0][name] != asked[1][name]
    kept = first.headers["set-cookie"]
    assert {"httponly", "samesite=lax", "path=/console/oidc"} <= set(kept.lower().split("; "))
    assert not any(asked[0][name][0] in kept for name in ("state", "nonce"))
    assert "no-store" in first.headers["cache-control"]


def test_an_answer_is_the_browsers_that_asked_and_for_once(desk: Served) -> None:
    browser, other = desk.anonymous(), desk.anonymous()
    answer = back(browser)
    refused(desk, other.get(answer), 400, "not begun in this browser")
    other.get("/console/oidc/start")
    refused(desk, other.get(answer), 400, "not begun in this browser")
    kept = browser.cookies[COOKIE]
    assert browser.get(answer).status_code == 303
    desk.desk.people.sign_out(ADA)
    refused(desk, browser.get(answer), 400, "not begun in this browser")
    refused(desk, browser.get(answer, headers={"Cookie": f"{COOKIE}={kept}"}), 400, "finished before")


@pytest.mark.parametrize("state", ["", "state=", "state=x", "state=%FF"])
def test_an_answer_with_another_state_ends_the_sign_in(desk: Served, state: str) -> None:
    browser = desk.anonymous()
    answer = back(browser)
    wrong = f"{answer.partition('state=')[0]}{state}"
    refused(desk, browser.get(wrong), 400, "not begun in this browser")
    assert COOKIE not in browser.cookies
    refused(desk, browser.get(answer), 400, "not begun in this browser")


@pytest.mark.parametrize("spoiled", ["", "x", "v1.x", "v1.ü", "{}"])
def test_what_the_browser_kept_is_as_the_desk_gave_it(desk: Served, spoiled: str) -> None:
    browser = desk.anonymous()
    answer = back(browser)
    headers = {"Cookie": f"{COOKIE}={spoiled}".encode()}
    refused(desk, desk.anonymous().get(answer, headers=headers), 400, "not begun in this browser")


def test_a_sign_in_takes_no_longer_than_it_may(desk: Served) -> None:
    begun = Begun.now()
    assert begun.until - time.time() <= LASTS
    assert begun.answers(begun.state)
    late = replace(begun, until=int(time.time()) - 1)
    browser = desk.anonymous()
    browser.cookies.set(COOKIE, desk.desk.sessions.seal(late.to_text()))
    answer = browser.get("/console/oidc/callback", params={"code": "x", "state": late.state})
    refused(desk, answer, 400, "more than 10 minutes")


def now(seconds: int) -> Callable[[FakeIssuer], dict[str, Any]]:
    return lambda _: {"exp": int(time.time()) + seconds}


@pytest.mark.parametrize(
    "claims",
    [
        lambda _: {"nonce": "of another sign-in"},
        lambda _: {"nonce": None},
        lambda _: {"aud": "another client"},
        lambda _: {"aud": None},
        lambda _: {"aud": [CLIENT, "another client"]},
        lambda _: {"azp": "another client"},
        lambda issuer: {"iss": issuer.url + "/other"},
        lambda _: {"iss": None},
        lambda _: {"sub": None},
        lambda _: {"exp": None},
        lambda _: {"exp": float("nan")},
        lambda _: {"iat": int(time.time()) + 600},
        lambda _: {"nbf": int(time.time()) + 600},
        now(-120),
    ],
)
def test_a_token_for_somebody_else_or_another_time_is_refused(
    desk: Served, issuer: FakeIssuer, claims: Callable[[FakeIssuer], dict[str, Any]]
) -> None:
    issuer.claims |= claims(issuer)
    refused(desk, enter(desk.anonymous()), 403, "is not accepted")


@pytest.mark.parametrize(
    "claims",
    [
        lambda _: {"aud": [CLIENT]},
        lambda _: {"aud": [CLIENT, "another client"], "azp": CLIENT},
        lambda _: {"email": "ADA@example.org", "email_verified": "true"},
        now(-30),
    ],
)
def test_what_the_standard_allows_is_accepted(
    desk: Served, issuer: FakeIssuer, claims: Callable[[FakeIssuer], dict[str, Any]]
) -> None:
    issuer.claims |= claims(issuer)
    assert enter(desk.anonymous()).status_code == 303


@pytest.mark.parametrize("header", [{"alg": "none"}, {"alg": "HS256"}, {"crit": ["exp"]}, {"kid": "other"}])
def test_a_token_that_the_providers_key_did_not_sign_is_refused(
    desk: Served, issuer: FakeIssuer, header: dict[str, Any]
) -> None:
    issuer.header = header
    refused(desk, enter(desk.anonymous()), 403, "is not accepted")


def test_a_token_that_was_changed_since_or_is_none_is_refused(desk: Served, issuer: FakeIssuer) -> None:
    issuer.tampered = True
    refused(desk, enter(desk.anonymous()), 403, "is not accepted")


def test_another_key_is_accepted_as_soon_as_the_provider_publishes_it(
    desk: Served, issuer: FakeIssuer
) -> None:
    browser = desk.anonymous()
    assert enter(browser).status_code == 303
    desk.desk.people.sign_out(ADA)
    issuer.key = Key("second")
    refused(desk, enter(browser), 403, "is not accepted")
    issuer.published = [issuer.key]
    assert enter(browser).status_code == 303
    issuer.key = Key("second")  # a provider that gives another key the same name
    issuer.published = [issuer.key]
    assert enter(browser).status_code == 303


@pytest.mark.parametrize("verified", [False, None, "false", 1, ["true"]])
def test_an_address_that_the_provider_has_not_verified_is_nobodys(
    desk: Served, issuer: FakeIssuer, verified: object
) -> None:
    issuer.claims["email_verified"] = verified
    refused(desk, enter(desk.anonymous()), 403, "has not verified your e-mail address")


@pytest.mark.parametrize("email", [None, 7, ["ada@example.org"]])
def test_without_an_address_nobody_comes_in(desk: Served, issuer: FakeIssuer, email: object) -> None:
    issuer.claims["email"] = email
    refused(desk, enter(desk.anonymous()), 403, "gives no e-mail address")


def test_the_address_may_stand_in_userinfo_of_the_same_person(desk: Served, issuer: FakeIssuer) -> None:
    issuer.claims = {}
    issuer.userinfo = {"sub": "8", **KNOWN}
    refused(desk, enter(desk.anonymous()), 403, "gives no e-mail address")
    issuer.userinfo["sub"] = "7"
    assert enter(desk.anonymous()).status_code == 303


@pytest.mark.req("RUN7")
@pytest.mark.parametrize("email", ["bob@example.org", "\u0430da@example.org", "ada@example.org\x00", ""])
def test_nobody_is_made_by_signing_in(desk: Served, issuer: FakeIssuer, email: str) -> None:
    issuer.claims["email"] = email
    refused(desk, enter(desk.anonymous()), 403, "not among the people of this desk")
    assert [person.email for person in desk.desk.people.list()] == [ADA]


def test_who_was_disabled_stays_out(desk: Served) -> None:
    desk.desk.people.disable(ADA)
    refused(desk, enter(desk.anonymous()), 403, "or no longer")


def test_a_provider_that_says_no_is_believed(desk: Served, issuer: FakeIssuer) -> None:
    issuer.denies = True
    refused(desk, enter(desk.anonymous()), 403, "did not sign you in")


def test_a_provider_that_is_down_is_said_to_be(desk: Served, issuer: FakeIssuer) -> None:
    browser = desk.anonymous()
    answer = back(browser)
    issuer.close()
    refused(desk, browser.get(answer), 503, "Example Inc. cannot be reached")
    assert desk.client.get("/v2/knowledge-bases").status_code == 200


def test_a_silent_provider_holds_so_many_and_no_more(desk: Served, issuer: FakeIssuer) -> None:
    issuer.answers.clear()
    browser = desk.anonymous()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        waiting = [pool.submit(browser.get, "/console/oidc/start") for _ in range(AT_ONCE)]
        until = time.monotonic() + 5
        while len(issuer.asked) < AT_ONCE and time.monotonic() < until:
            time.sleep(0.01)
        refused(desk, browser.get("/console/oidc/start"), 503, f"{AT_ONCE} others are signing in")
        issuer.answers.set()
        assert [one.result().status_code for one in waiting] == [303] * AT_ONCE
    assert enter(browser).status_code == 303


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"issuer": "https://another.example"}, "another issuer"),
        ({"token_endpoint": None}, "names no token_endpoint"),
        ({"jwks_uri": "file:///etc/passwd"}, "names no jwks_uri"),
        ({"authorization_endpoint": "https://name:word@example.org/"}, "names no authorization_endpoint"),
        ({"jwks_uri": "http://127.0.0.1:9/keys"}, "cannot be reached"),
    ],
)
def test_a_provider_that_does_not_describe_itself_is_not_used(
    desk: Served, issuer: FakeIssuer, document: dict[str, Any], words: str
) -> None:
    issuer.document |= document
    refused(desk, desk.anonymous().get("/console/oidc/start"), 503, words)


def test_a_provider_that_is_no_provider_is_not_used(serve: Serve, issuer: FakeIssuer) -> None:
    served = serve(**settings(issuer, oidc_issuer=issuer.url + "/nothing/"))
    assert served.anonymous().get("/console/oidc/start").status_code == 503


def test_a_private_provider_is_asked_nothing_unless_that_is_allowed(serve: Serve, issuer: FakeIssuer) -> None:
    served = serve(**settings(issuer, allow_private_hosts=False))
    answer = served.anonymous().get("/console/oidc/start")
    assert answer.status_code == 503
    assert "REFDESK_ALLOW_PRIVATE_HOSTS" in answer.text
    assert issuer.asked == []


def test_the_secret_goes_where_the_provider_wants_it(serve: Serve) -> None:
    with FakeIssuer(("client_secret_post", "client_secret_basic")) as issuer:
        issuer.claims = dict(KNOWN)
        served = serve(**settings(issuer))
        served.desk.people.create(ADA, roles=["Member"])
        assert enter(served.anonymous()).status_code == 303
        served.desk.people.sign_out(ADA)
        issuer.secret = "another"
        refused(served, enter(served.anonymous()), 503, "REFDESK_OIDC_CLIENT_ID and _SECRET")


@pytest.mark.req("H5")
def test_neither_log_nor_page_holds_what_was_exchanged(
    desk: Served, issuer: FakeIssuer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    pages, secrets = [], [SECRET, ADA, "bob@example.org"]
    for claims in ({}, {"nonce": "other"}, {"email": "bob@example.org"}, {"email_verified": False}):
        issuer.claims = {**KNOWN, **claims}
        browser = desk.anonymous()
        answer = back(browser)
        secrets += [
            browser.cookies[COOKIE],
            *(value[0] for value in parse_qs(urlsplit(answer).query).values()),
        ]
        pages.append(browser.get(answer).text)
    told = [record.getMessage() for record in caplog.records if record.name.startswith("refdesk")]
    assert len([line for line in told if line.startswith("sign-in refused")]) == 3
    for text in [*told, *pages]:
        assert not any(secret in text for secret in [*secrets, *issuer.issued])


def test_without_a_provider_there_is_none(serve: Serve) -> None:
    served = serve()
    page = served.anonymous().get("/console/sign-in")
    assert (page.status_code, "refdesk people link" in page.text) == (200, True)
    assert "oidc" not in page.text
    assert served.anonymous().get("/console/oidc/start").status_code == 404


def test_behind_a_proxy_the_address_that_people_use_counts(serve: Serve, issuer: FakeIssuer) -> None:
    served = serve(**settings(issuer, public_url="https://desk.example.org/"))
    begun = served.anonymous().get("/console/oidc/start")
    assert "secure" in begun.headers["set-cookie"].lower()
    assert (
        "redirect_uri=https%3A%2F%2Fdesk.example.org%2Fconsole%2Foidc%2Fcallback" in begun.headers["location"]
    )
    link = served.desk.people.first_link()
    assert link is not None
    entered = served.anonymous().post(link.path, headers={"Origin": "https://desk.example.org"})
    assert entered.status_code == 303
    assert "secure" in entered.headers["set-cookie"].lower()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"oidc_client_id": None}, "REFDESK_OIDC_CLIENT_ID is not"),
        ({"public_url": None}, "REFDESK_PUBLIC_URL is not"),
        ({"public_url": "https://example.org/desk"}, "with a path"),
        ({"oidc_issuer": "accounts.example.org"}, "no address"),
        ({"oidc_issuer": "https://u:p@example.org"}, "no address"),
        ({"oidc_issuer": "https://example.org:x"}, "no address"),
        ({"oidc_scopes": "email"}, "without `openid`"),
    ],
)
def test_settings_that_do_not_suffice_are_named_at_the_start(
    tmp_path: Any, issuer: FakeIssuer, changed: dict[str, Any], words: str
) -> None:
    given = Settings(cache=tmp_path / "cache", **settings(issuer, **changed))
    with Desk.open(tmp_path / "desk", settings=given) as opened, pytest.raises(UsageError, match=words):
        create_app(opened)


def test_without_the_extra_the_start_says_which_to_install(
    tmp_path: Any, issuer: FakeIssuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Settings(cache=tmp_path / "cache", **settings(issuer))
    monkeypatch.setitem(sys.modules, "joserfc", None)
    with Desk.open(tmp_path / "desk", settings=given) as opened:
        with pytest.raises(UsageError, match=r"pip install 'refdesk\[oidc\]'"):
            create_app(opened)
        monkeypatch.undo()
        assert create_app(opened).state.provider_name == "Example Inc."


def test_a_desk_without_a_provider_loads_nothing_of_it(tmp_path: Any) -> None:
    code = (
        "import sys; from refdesk import Desk; from refdesk.web.app import create_app; "
        "desk = Desk.open(sys.argv[1]); create_app(desk); desk.close(); "
        "print([name for name in sys.modules if 'oidc' in name or 'joserfc' in name])"
    )
    ended = subprocess.run([sys.executable, "-c", code, tmp_path / "desk"], capture_output=True, check=True)
    assert ended.stdout.decode().strip() == "[]"
