"""The labelled set of screening: texts with secrets whose places are known, and texts that only look alike.

``tests/data/screening/{tuning,test}-{secrets,lookalikes}.txt`` hold templates; values are made up here, the
same for the same template, and provider tokens are put together from parts so that no file holds one.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

FOLDER = Path(__file__).parents[1] / "data" / "screening"
HALVES = ("tuning", "test")
VARIANTS = 2
"""Each template with secrets is filled so many times."""

_SLOT = re.compile(r"«(?P<secret>[a-z0-9_]+)»|‹(?P<filler>[a-z0-9_]+)›")
_WORDS = (FOLDER / "words.txt").read_text("utf-8").split()


@dataclass(frozen=True, slots=True)
class Item:
    """``secrets`` are spans of ``text``; a look-alike has none."""

    shape: str
    text: str
    secrets: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Score:
    """``exact`` are found secrets whose finding covers nothing beside them."""

    found: int = 0
    missed: int = 0
    false: int = 0
    exact: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def recall(self) -> float:
        return self.found / ((self.found + self.missed) or 1)

    @property
    def precision(self) -> float:
        return self.found / ((self.found + self.false) or 1)


def score(item: Item, spans: Sequence[tuple[int, int]]) -> Score:
    """A secret is found when nothing of it but space and a last sign of punctuation stays outside.

    An item counts as one false finding when a span of it touches no secret.
    """
    found = sum(_covered(item.text, secret, spans) for secret in item.secrets)
    false = any(not any(_touch(span, secret) for secret in item.secrets) for span in spans)
    exact = sum(secret in spans for secret in item.secrets)
    return Score(found, len(item.secrets) - found, int(false), exact)


def _touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _covered(text: str, secret: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    left = [at for at in range(*secret) if not any(start <= at < end for start, end in spans)]
    return all(text[at].isspace() or (at == secret[1] - 1 and not text[at].isalnum()) for at in left)


def load(half: str) -> list[Item]:
    return [*_items(half, "secrets", VARIANTS), *_items(half, "lookalikes", 1)]


def _items(half: str, kind: str, variants: int) -> Iterator[Item]:
    for line in (FOLDER / f"{half}-{kind}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            shape, _, template = line.partition(" :: ")
            for variant in range(variants):
                yield _filled(shape, _unescaped(template), Random(f"{line} {variant}"))


def _unescaped(template: str) -> str:
    signs = {"n": "\n", "r": "\r", "t": "\t", "\\": "\\", '"': '\\"'}
    return re.sub(r"\\(.)", lambda match: signs.get(match[1], match[0]), template)


def _filled(shape: str, template: str, random: Random) -> Item:
    text, spans, position = "", [], 0
    for match in _SLOT.finditer(template):
        text += template[position : match.start()]
        value = KINDS[match["secret"] or match["filler"]](random)
        if match["secret"]:
            spans.append((len(text), len(text) + len(value)))
        text += value
        position = match.end()
    return Item(shape, text + template[position:], tuple(spans))


def _some(alphabet: str, count: int) -> Callable[[Random], str]:
    return lambda random: "".join(random.choices(alphabet, k=count))


def _mixed(alphabet: str, count: int) -> Callable[[Random], str]:
    """As ``_some``, with a letter and a digit in it, as real ones of this length have."""

    def value(random: Random) -> str:
        while True:
            text = _some(alphabet, count)(random)
            if re.search(r"[A-Za-z]", text) and re.search(r"\d", text):
                return text

    return value


def _joined(*parts: str | Callable[[Random], str]) -> Callable[[Random], str]:
    return lambda random: "".join(part if isinstance(part, str) else part(random) for part in parts)


def _word(random: Random) -> str:
    return random.choice(_WORDS)


def _password(signs: str) -> Callable[[Random], str]:
    """As people and generators make them."""

    def value(random: Random) -> str:
        word, other, number = _word(random), _word(random), str(random.randint(10, 9999))
        return random.choice(
            [
                f"{word.capitalize()}{random.choice(signs)}{number}{random.choice(signs)}",
                f"{word}{random.choice(signs)}{other.capitalize()}{random.choice(signs)}{number}",
                f"{word.capitalize()}{number}{random.choice(signs)}",
                word.replace("e", "3").replace("a", "4").capitalize() + random.choice(signs) + number,
                _mixed(ascii_letters + digits, 6)(random)
                + random.choice(signs)
                + _mixed(ascii_letters + digits, 5)(random),
            ]
        )

    return value


def _simple(random: Random) -> str:
    word, number = _word(random), str(random.randint(10, 9999))
    return random.choice([f"{word}{number}", f"{word.capitalize()}{number}", f"{number}{word}"])


def _pin(count: int) -> Callable[[Random], str]:
    return lambda random: str(random.randint(10 ** (count - 1) + 234, 10**count - 1))


def _jwt(random: Random) -> str:
    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    body = {
        "sub": str(random.randint(1000, 99999)),
        "iat": random.randint(10**9, 2 * 10**9),
        "aud": _word(random),
    }
    return ".".join([part({"alg": "HS256", "typ": "JWT"}), part(body), _some(_URL64, 43)(random)])


def _basic(random: Random) -> str:
    return base64.b64encode(f"{_word(random)}:{_password('!-.')(random)}".encode()).decode()


def _pem(kind: str, lines: int = 6, indent: str = "", joint: str = "\n") -> Callable[[Random], str]:
    def value(random: Random) -> str:
        body = [_some(_B64, 64)(random) for _ in range(lines)] + [_some(_B64, 46)(random) + "=="]
        marks = [f"-----BEGIN {kind}PRIVATE" + " KEY-----", *body, f"-----END {kind}PRIVATE" + " KEY-----"]
        return joint.join(indent + line for line in marks)

    return value


def _uuid(random: Random) -> str:
    return "-".join(_mixed(_HEX, count)(random) for count in (8, 4, 4, 4, 12))


def _github(random: Random) -> str:
    body = _some(ascii_letters + digits, 30)(random)
    number, check = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        check = (digits + ascii_uppercase + ascii_lowercase)[rest] + check
    return "gh" + "p_" + body + check


_HEX, _B64, _URL64 = digits + "abcdef", ascii_letters + digits + "+/", ascii_letters + digits + "-_"
_ALNUM, _LOWER = ascii_letters + digits, ascii_lowercase + digits
_UPPER = ascii_uppercase + digits

KINDS: dict[str, Callable[[Random], str]] = {
    "pw": _password("!#%$@&*+-_.?"),
    "pwc": _password("!#%$@&*+-_.?"),
    "pws": _password("!#%+-_."),
    "url": _password("!-_.~"),
    "simple": _simple,
    "word": lambda random: _word(random) + _word(random),
    "phrase": lambda random: " ".join(random.sample(_WORDS, 4)),
    "chain": lambda random: "-".join(random.sample(_WORDS, 4)),
    "product_key": lambda random: "-".join(_mixed(_UPPER, 5)(random) for _ in range(4)),
    "pin4": _pin(4),
    "pin6": _pin(6),
    **{f"digits{n}": _some(digits, n) for n in (4, 12)},
    **{f"hex{n}": _mixed(_HEX, n) for n in (6, 8, 16, 32, 40, 64)},
    **{f"alnum{n}": _mixed(_ALNUM, n) for n in (16, 24, 32, 37, 40)},
    "upper10": _mixed(_UPPER, 10),
    "b64_22": _joined(_mixed(_B64, 22), "=="),
    "b64_43": _mixed(_B64, 43),
    "b64_44": _joined(_mixed(_B64, 43), "="),
    "b64_60": _mixed(_B64, 60),
    "b64_64": _mixed(_B64, 64),
    "b64_88": _joined(_mixed(_B64, 86), "=="),
    "md5b64": _joined(_mixed(_B64, 22), "=="),
    "django50": _mixed(_LOWER + "!@#$%^&*(-_=+)", 50),
    "sas": lambda random: _some(_ALNUM, 20)(random) + "%2F" + _some(_ALNUM, 20)(random) + "%3D",
    "uuid": _uuid,
    "fingerprint": lambda random: " ".join(_some(digits + "ABCDEF", 4)(random) for _ in range(10)),
    "bitlocker": lambda random: "-".join(_some(digits, 6)(random) for _ in range(8)),
    "jwt": _jwt,
    "basic": _basic,
    "apr1": _joined("$apr", "1$", _some(_ALNUM, 8), "$", _some(_ALNUM + "./", 22)),
    "bcrypt": _joined("$2y", "$10$", _some(_ALNUM + "./", 53)),
    "sha512crypt": _joined("$6", "$", _some(_ALNUM, 16), "$", _some(_ALNUM + "./", 86)),
    "pem_rsa": _pem("RSA "),
    "pem_openssh": _pem("OPENSSH "),
    "pem_ec_indented": _pem("EC ", 2, "  "),
    "pem_escaped": _pem("", joint="\\n"),
    # tokens of providers
    "age": _joined("AGE-SECRET-", "KEY-1", _some("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)),
    "airtable": _joined("pa", "t", _mixed(_ALNUM, 14), ".", _mixed(_HEX, 64)),
    "algolia": _mixed(_HEX, 32),
    "anthropic": _joined("sk-", "ant-api03-", _mixed(_URL64, 93), "AA"),
    "asana": _joined("2/", _some("123456789", 16), "/", _some("123456789", 16), ":", _mixed(_HEX, 32)),
    "atlassian": _joined("ATA", "TT3xFfGF0", _mixed(_URL64, 171), "=", _some(_UPPER[:6] + digits, 8)),
    "aws": _joined("AK", "IA", _mixed(ascii_uppercase + "234567", 16)),
    "aws_secret": _mixed(_ALNUM + "/+", 40),
    "azure_client": _joined(_some(_ALNUM, 3), "8", "Q~", _mixed(_ALNUM + "._~-", 34)),
    "azure_storage": _joined(_mixed(_B64, 86), "=="),
    "clojars": _joined("CLO", "JARS_", _mixed(_LOWER, 60)),
    "cloudflare": _joined("v1.0-", _mixed(_HEX, 24), "-", _mixed(_HEX, 146)),
    "databricks": _joined("da", "pi", _mixed(_HEX, 32)),
    "digitalocean": _joined("do", "p_v1_", _mixed(_HEX, 64)),
    "discord_hook": _joined(
        "https://discord.com/api/", "webhooks/", _some("123456789", 18), "/", _mixed(_URL64, 68)
    ),
    "doppler": _joined("dp.", "pt.", _mixed(_ALNUM, 43)),
    "dropbox": _joined("sl", ".", _mixed(_URL64, 140)),
    "facebook": _joined("EA", "ACEdEose0cBA", _mixed(_ALNUM, 90)),
    "figma": _joined("fig", "d_", _mixed(_URL64, 40)),
    "fly": _joined("FlyV1 ", "fm2_", _mixed(_B64, 120)),
    "gcp": _joined("AI", "za", _mixed(_URL64, 35)),
    "github": _github,
    "github_fine": _joined("github_", "pat_", _mixed(_ALNUM, 22), "_", _mixed(_ALNUM, 59)),
    "gitlab": _joined("gl", "pat-", _mixed(_URL64, 20)),
    "google_oauth_refresh": _joined("1/", "/0", _mixed(_URL64, 60)),
    "google_oauth_secret": _joined("GOC", "SPX-", _mixed(_URL64, 28)),
    "grafana": _joined("gl", "sa_", _mixed(_ALNUM, 32), "_", _mixed(_HEX, 8)),
    "groq": _joined("gs", "k_", _mixed(_ALNUM, 52)),
    "hubspot": _joined("pat-", "na1-", _uuid),
    "huggingface": _joined("h", "f_", _some(ascii_letters, 34)),
    "linear": _joined("lin_", "api_", _mixed(_ALNUM, 40)),
    "mailchimp": _joined(_mixed(_HEX, 32), "-us", "14"),
    "mailgun": _joined("ke", "y-", _mixed(_HEX, 32)),
    "mapbox_secret": _joined("sk", ".eyJ1Ijoi", _mixed(_ALNUM, 60), ".", _mixed(_URL64, 22)),
    "netlify": _joined("nf", "p_", _mixed(_ALNUM, 36)),
    "newrelic": _joined("NR", "AK-", _mixed(_UPPER, 27)),
    "notion": _joined("nt", "n_", _some("123456789", 11), _mixed(_ALNUM, 35)),
    "npm": _joined("np", "m_", _mixed(_ALNUM, 36)),
    "okta": _joined("00", _mixed(_URL64, 40)),
    "openai": _joined("sk-", "proj-", _mixed(_URL64, 58), "T3Blbk" + "FJ", _mixed(_URL64, 58)),
    "paypal": _joined("access_", "token$production$", _mixed(_LOWER, 16), "$", _mixed(_HEX, 32)),
    "planetscale": _joined("pscale_", "tkn_", _mixed(_URL64, 43)),
    "postman": _joined("PM", "AK-", _mixed(_HEX, 24), "-", _mixed(_HEX, 34)),
    "prefect": _joined("pn", "u_", _mixed(_LOWER, 36)),
    "pulumi": _joined("pu", "l-", _mixed(_HEX, 40)),
    "pypi": _joined("pyp", "i-AgEIcHlwaS5vcmc", _mixed(_URL64, 120)),
    "razorpay": _joined("rzp_", "live_", _mixed(_ALNUM, 14)),
    "replicate": _joined("r", "8_", _mixed(_ALNUM, 37)),
    "rubygems": _joined("rubygems_", _mixed(_HEX, 48)),
    "sendgrid": _joined("S", "G.", _mixed(_URL64, 22), ".", _mixed(_URL64, 43)),
    "sentry": _joined("sntry", "u_", _mixed(_HEX, 64)),
    "shopify": _joined("shp", "at_", _mixed(_HEX, 32)),
    "slack_bot": _joined(
        "xo", "xb-", _some("123456789", 12), "-", _some("123456789", 13), "-", _mixed(_ALNUM, 24)
    ),
    "slack_hook": _joined(
        "https://hooks.slack.com/",
        "services/T",
        _mixed(_UPPER, 9),
        "/B",
        _mixed(_UPPER, 10),
        "/",
        _mixed(_ALNUM, 24),
    ),
    "square": _joined("EA", "AA", _mixed(_URL64, 60)),
    "stripe": _joined("sk_", "live_", _mixed(_ALNUM, 24)),
    "supabase": _joined("sb", "p_", _mixed(_HEX, 40)),
    "teams_hook": _joined(
        "https://corp.webhook.office.com/",
        "webhookb2/",
        _uuid,
        "@",
        _uuid,
        "/IncomingWebhook/",
        _mixed(_HEX, 32),
        "/",
        _uuid,
    ),
    "telegram": _joined(_some("123456789", 10), ":", "AA", _mixed(_URL64, 33)),
    "terraform": _joined(_mixed(_ALNUM, 14), ".atlas", "v1.", _mixed(_ALNUM, 67)),
    "twilio": _joined("S", "K", _mixed(_HEX, 32)),
    "vault": _joined("hv", "s.", _mixed(_URL64, 90)),
}
"""What stands in a slot. Shapes are the providers' documented ones."""
