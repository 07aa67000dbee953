"""An OpenID Connect provider on loopback: discovery, authorize, token, keys and userinfo over real HTTP.

It signs by itself, with ``cryptography`` alone, so that what verifies is not what signed.
"""

from __future__ import annotations

import hmac
import json
import secrets
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from functools import cache
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qsl, unquote_plus, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256

CLIENT, SECRET = "refdesk at home", "s3cret +/%:ü"

Reply = tuple[int, dict[str, Any], dict[str, str]]


class Key:
    def __init__(self, kid: str) -> None:
        self.kid = kid
        self._private = rsa.generate_private_key(65537, 2048)

    def sign(self, content: bytes) -> bytes:
        return self._private.sign(content, padding.PKCS1v15(), SHA256())

    def public(self) -> dict[str, str]:
        numbers = self._private.public_key().public_numbers()
        n, e = numbers.n.to_bytes(256, "big"), numbers.e.to_bytes(3, "big")
        return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.kid, "n": _b64(n), "e": _b64(e)}


class FakeIssuer:
    """A context manager. Whoever comes is signed in as ``claims`` says, unless ``denies``.

    ``claims`` (``None`` leaves one out), ``header`` and ``tampered`` are of the ID tokens, ``document`` of
    the discovery; ``userinfo`` answers there; ``published`` are the keys that all may read, ``key`` signs.
    """

    def __init__(self, auth_methods: tuple[str, ...] = ("client_secret_basic",)) -> None:
        self.key = _first()
        self.published = [self.key]
        self.claims: dict[str, Any] = {}
        self.header: dict[str, str] = {}
        self.document: dict[str, Any] = {"token_endpoint_auth_methods_supported": list(auth_methods)}
        self.userinfo: dict[str, Any] = {}
        self.secret = SECRET
        self.answers = threading.Event()
        self.answers.set()
        self.tampered = False
        self.denies = False
        self.issued: list[str] = []
        self.asked: list[str] = []
        self._codes: dict[str, dict[str, str]] = {}
        self._server = _Server(self)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()
        self._open = True

    def close(self) -> None:
        if self._open:
            self._open = False
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def answer(self, path: str, asked: dict[str, str], authorization: str) -> Reply:
        self.asked.append(path)
        self.answers.wait()
        if path == "/.well-known/openid-configuration":
            return 200, self._described(), {}
        if path == "/keys":
            return 200, {"keys": [key.public() for key in self.published]}, {}
        if path == "/authorize":
            return self._authorize(asked)
        if path == "/token":
            return self._token(asked, authorization)
        if path == "/userinfo" and authorization == "Bearer access":
            return 200, self.userinfo, {}
        return 404, {}, {}

    def _described(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
            **self.document,
        }

    def _authorize(self, asked: dict[str, str]) -> Reply:
        assert (asked["client_id"], asked["response_type"]) == (CLIENT, "code")
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self._codes[code] = asked
        said = {"error": "access_denied"} if self.denies else {"code": code}
        return (
            302,
            {},
            {"Location": f"{asked['redirect_uri']}?{urlencode({**said, 'state': asked['state']})}"},
        )

    def _token(self, asked: dict[str, str], authorization: str) -> Reply:
        if self._client(asked, authorization) != (CLIENT, self.secret):
            return 401, {"error": "invalid_client"}, {}
        begun = self._codes.pop(asked["code"], None)
        challenge = _b64(sha256(asked["code_verifier"].encode()).digest())
        if begun is None or (begun["redirect_uri"], begun["code_challenge"]) != (
            asked["redirect_uri"],
            challenge,
        ):
            return 400, {"error": "invalid_grant"}, {}
        token = self._signed(begun["nonce"])
        self.issued.append(token)
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": token}, {}

    def _client(self, asked: dict[str, str], authorization: str) -> tuple[str, str]:
        if "client_secret_post" in self.document["token_endpoint_auth_methods_supported"]:
            return asked["client_id"], asked["client_secret"]
        pair = b64decode(authorization.removeprefix("Basic ")).decode().split(":")
        return unquote_plus(pair[0]), unquote_plus(pair[1])

    def _signed(self, nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "sub": "7", "iat": now, "exp": now + 300, "nonce": nonce}
        claims = {name: value for name, value in {**claims, **self.claims}.items() if value is not None}
        header = {"alg": "RS256", "kid": self.key.kid, **self.header}
        content = f"{_json(header)}.{_json(claims)}"
        if self.tampered:
            return (
                f"{_json(header)}.{_json({**claims, 'sub': '8'})}.{_b64(self._sign(header['alg'], content))}"
            )
        return f"{content}.{_b64(self._sign(header['alg'], content))}"

    def _sign(self, algorithm: str, content: str) -> bytes:
        if algorithm == "none":
            return b""
        if algorithm == "HS256":
            return hmac.digest(SECRET.encode(), content.encode(), "sha256")
        return self.key.sign(content.encode())


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, issuer: FakeIssuer) -> None:
        self.issuer = issuer
        super().__init__(("127.0.0.1", 0), _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        self._answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, asked: str) -> None:
        path, authorization = urlsplit(self.path).path, self.headers.get("Authorization", "")
        status, body, headers = self.server.issuer.answer(path, dict(parse_qsl(asked)), authorization)
        content = json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """A test prints nothing."""


@cache
def _first() -> Key:
    return Key("first")


def _json(content: dict[str, Any]) -> str:
    return _b64(json.dumps(content).encode())


def _b64(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()
