"""Tokens that carry their issuer's mark, by the issuers' own documented forms."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.placeholders import is_example
from refdesk.screening.model import Spotted

_HEX_UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"

FORMS: tuple[tuple[str, str, str], ...] = (
    # name, a literal that each token holds, its form
    ("adafruit", "aio_", r"aio_[A-Za-z0-9]{28}"),
    ("age", "AGE-SECRET-KEY-1", r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}"),
    ("airtable", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("alibaba", "LTAI", r"LTAI[A-Za-z0-9]{12,24}"),
    ("anthropic", "sk-ant-", r"sk-ant-[A-Za-z0-9]{2,12}-[\w-]{40,120}"),
    ("artifactory", "AKCp", r"AKCp[A-Za-z0-9]{60,72}"),
    ("asana", "/", r"[12]/\d{13,17}(?:/\d{13,17})?:[0-9a-f]{32}"),
    ("atlassian", "ATATT3", r"ATATT3[\w=-]{80,220}"),
    ("atlassian", "ATCTT3", r"ATCTT3[\w=-]{80,220}"),
    ("atlassian", "ATBB", r"ATBB[A-Za-z0-9]{32}"),
    ("aws", "AKIA", r"AKIA[A-Z0-9]{16}"),
    ("aws", "ASIA", r"ASIA[A-Z0-9]{16}"),
    ("aws_bedrock", "ABSK", r"ABSK[A-Za-z0-9+/]{100,269}={0,2}"),
    ("azure_client", "Q~", r"[\w.~-]{3}\dQ~[\w.~-]{31,34}"),
    ("azure_devops", "AZDO", r"[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    ("bitlocker", "-", r"(?:\d{6}-){7}\d{6}"),
    ("brevo", "xkeysib-", r"xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("buildkite", "bkua_", r"bkua_[0-9a-f]{40}"),
    ("cerebras", "csk-", r"csk-[a-z0-9]{48}"),
    ("circleci", "CCIPAT_", r"CCIPAT_[A-Za-z0-9]{22}_[0-9a-f]{40}"),
    ("clojars", "CLOJARS_", r"CLOJARS_[a-z0-9]{60}"),
    ("cloudflare_ca", "v1.0-", r"v1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    ("contentful", "CFPAT-", r"CFPAT-[\w-]{43}"),
    ("databricks", "dapi", r"dapi[0-9a-f]{32}(?:-\d)?"),
    ("openai", "sk-", r"sk-[A-Za-z0-9]{32,64}"),
    ("digitalocean", "o_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    (
        "discord_webhook",
        "/api/webhooks/",
        r"https://(?:\w+\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}",
    ),
    ("discord", ".", r"[MNO][A-Za-z\d_-]{23,27}\.[\w-]{6}\.[\w-]{27,40}"),
    ("docker_hub", "dckr_", r"dckr_(?:pat|oat)_[\w-]{27,40}"),
    ("doppler", "dp.", r"dp\.(?:pt|st(?:\.[a-z0-9_-]{2,35})?|ct|sa|scim|audit)\.[A-Za-z0-9]{40,44}"),
    ("dropbox", "sl.", r"sl\.(?:u\.)?[\w-]{130,1400}"),
    ("dynatrace", "dt0", r"dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    ("easypost", "EZAK", r"EZ[AT]K[A-Za-z0-9]{54}"),
    ("facebook", "EAA", r"EAA[A-Za-z0-9]{60,300}"),
    ("figma", "fig", r"fig[duo]_[\w-]{40}"),
    ("flutterwave", "FLWSECK", r"FLWSECK(?:_TEST|_LIVE)?-[A-Za-z0-9]{12,40}(?:-X)?"),
    ("fly", "fm", r"fm\d[a-z]?_[\w+/=,-]{80,1200}"),
    ("fly", "fo1_", r"fo1_[\w-]{43}"),
    ("github", "gh", r"gh[pousr]_[A-Za-z0-9]{36,251}"),
    ("github", "github_pat_", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    ("gitlab", "gl", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|soat|agent|oas|ffct|wt)-[\w.-]{20,300}"),
    ("gitlab_runner", "GR1348941", r"GR1348941[\w-]{20}"),
    ("google_api", "AIza", r"AIza[\w-]{35}"),
    ("google_oauth", "ya29.", r"ya29\.[\w-]{30,500}"),
    ("google_oauth", "1//0", r"1//0[\w-]{38,120}"),
    ("google_oauth", "GOCSPX-", r"GOCSPX-[\w-]{28}"),
    ("grafana", "gl", r"gl(?:sa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}|c_[A-Za-z0-9+/]{32,400}={0,2})"),
    ("groq", "gsk_", r"gsk_[A-Za-z0-9]{50,56}"),
    ("harness", "at.", r"[ps]at\.[\w-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}"),
    ("heroku", "HRKU-", r"HRKU-[\w-]{36,64}"),
    ("hubspot", "pat-", rf"pat-(?:na|eu|ap)\d-{_HEX_UUID}"),
    ("huggingface", "hf_", r"hf_[A-Za-z]{34,40}"),
    ("huggingface", "api_org_", r"api_org_[A-Za-z]{34}"),
    ("infracost", "ico-", r"ico-[A-Za-z0-9]{32}"),
    ("langsmith", "lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    ("linear", "lin_", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"),
    ("linkedin", "WPL_AP", r"WPL_AP\d\.[\w.+=/-]{10,60}"),
    ("mailchimp", "-us", r"[0-9a-f]{32}-us\d{1,2}"),
    ("mailgun", "key-", r"key-[0-9a-f]{32}"),
    ("mailgun", "-", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    ("mapbox", "sk.eyJ", r"sk\.eyJ[\w-]{40,200}\.[\w-]{20,40}"),
    ("stripe", "live_", r"(?:sk|rk)_live_[A-Za-z0-9]{16,120}"),
    ("stripe", "_test_", r"(?:sk|rk)_test_[A-Za-z0-9]{16,120}"),
    ("stripe_webhook", "whsec_", r"whsec_[A-Za-z0-9+/=]{24,80}"),
    (
        "microsoft_webhook",
        ".webhook.office.com/",
        rf"https://[\w-]{{1,63}}\.webhook\.office\.com/webhookb2/{_HEX_UUID}@{_HEX_UUID}/\w{{1,40}}/[0-9a-f]{{32}}/{_HEX_UUID}(?:/[\w-]{{1,80}})?",
    ),
    ("netlify", "nf", r"nf[pcou]_[A-Za-z0-9_-]{36,42}"),
    ("newrelic", "NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("newrelic", "NRII-", r"NRI[IQ]-[\w-]{32}"),
    ("newrelic", "NRAL", r"[0-9a-f]{36}NRAL"),
    ("notion", "ntn_", r"ntn_[A-Za-z0-9]{40,50}"),
    ("notion", "secret_", r"secret_[A-Za-z0-9]{43}"),
    ("npm", "npm_", r"npm_[A-Za-z0-9]{36}"),
    ("nuget", "oy2", r"oy2[a-z0-9]{43}"),
    ("nvidia", "nvapi-", r"nvapi-[\w-]{60,70}"),
    ("octopus", "API-", r"API-[A-Z0-9]{25,32}"),
    ("onepassword", "ops_eyJ", r"ops_eyJ[\w+/=-]{200,1400}"),
    (
        "onepassword",
        "A3-",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
    ),
    ("openai", "T3BlbkFJ", r"sk-(?:[A-Za-z]{2,12}-)?[\w-]{16,120}T3BlbkFJ[\w-]{16,120}"),
    ("openai", "sk-", r"sk-(?:proj|svcacct|admin|None)-[\w-]{40,200}"),
    ("openrouter", "sk-or-", r"sk-or-v1-[0-9a-f]{64}"),
    ("openshift", "sha256~", r"sha256~[\w-]{43}"),
    ("paypal", "access_token$", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[0-9a-f]{32}"),
    ("perplexity", "pplx-", r"pplx-[A-Za-z0-9]{48,56}"),
    ("plaid", "access-", rf"access-(?:sandbox|development|production)-{_HEX_UUID}"),
    ("planetscale", "pscale_", r"pscale_(?:tkn|oauth|pw)_[\w=.-]{32,64}"),
    ("posthog", "phx_", r"phx_[A-Za-z0-9]{40,50}"),
    ("postman", "PMAK-", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("prefect", "pn", r"pn[ub]_[A-Za-z0-9]{36}"),
    ("pulumi", "pul-", r"pul-[0-9a-f]{40}"),
    ("pypi", "pypi-AgE", r"pypi-AgE[\w-]{50,1000}"),
    ("razorpay", "rzp_", r"rzp_live_[A-Za-z0-9]{14}"),
    ("readme", "rdme_", r"rdme_[a-z0-9]{70}"),
    ("replicate", "r8_", r"r8_[A-Za-z0-9]{37}"),
    ("rubygems", "rubygems_", r"rubygems_[0-9a-f]{48}"),
    ("samsara", "samsara_api_", r"samsara_api_[A-Za-z0-9]{28,40}"),
    ("scalingo", "tk-us-", r"tk-us-[\w-]{48}"),
    ("sendgrid", "SG.", r"SG\.[\w-]{16,32}\.[\w-]{16,64}"),
    ("sentry", "sntry", r"sntry[us]_(?:[0-9a-f]{64}|eyJ[\w+/=-]{40,400})"),
    ("shippo", "shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    ("shopify", "shp", r"shp(?:at|ca|pa|ss|tka|ua)_[0-9a-fA-F]{32}"),
    ("slack", "xox", r"xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{20,250}"),
    ("slack", "xapp-", r"xapp-\d-[A-Z0-9]{8,14}-\d{10,14}-[0-9a-f]{60,70}"),
    (
        "slack_webhook",
        "hooks.slack.com/",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/T?[A-Za-z0-9]{8,14}/[A-Za-z0-9]{8,20}/[A-Za-z0-9]{18,48}",
    ),
    ("snyk", "snyk_", r"snyk_(?:uat|sat)\.[0-9a-f]{8}\.[\w.-]{40,200}"),
    ("sonar", "sq", r"sq[pua]_[0-9a-f]{40}"),
    ("sourcegraph", "sgp_", r"sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}"),
    ("square", "EAAA", r"EAAA[\w-]{60}"),
    ("square", "sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,43}"),
    ("supabase", "sbp_", r"sbp_(?:v0_)?[0-9a-f]{40}"),
    ("supabase", "sb_secret_", r"sb_secret_[\w-]{22,60}"),
    (
        "tailscale",
        "tskey-",
        r"tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{6,20}(?:CNTRL)?-[A-Za-z0-9]{20,40}",
    ),
    ("telegram", ":A", r"\d{8,10}:AA?[\w-]{33,35}"),
    ("terraform", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,70}"),
    ("twilio", "SK", r"SK[0-9a-f]{32}"),
    ("typeform", "tfp_", r"tfp_[\w.=-]{40,60}"),
    ("vault", "hv", r"hv[sbr]\.[\w-]{24,300}"),
    ("vercel", "vc", r"vc[kpiar]_[A-Za-z0-9]{24,60}"),
    ("pinecone", "pcsk_", r"pcsk_[A-Za-z0-9]{5,8}_[A-Za-z0-9]{50,70}"),
    ("xai", "xai-", r"xai-[A-Za-z0-9]{80}"),
    ("yandex", "AQVN", r"AQVN[\w-]{35,40}"),
    ("zapier_hook", "hooks.zapier.com/", r"https://hooks\.zapier\.com/hooks/catch/\d{5,10}/[a-z0-9]{6,10}"),
    ("zuplo", "zpka_", r"zpka_[0-9a-f]{32}_[0-9a-f]{8}"),
)


_SHORTEST = 20
_MIN_ENTROPY = 2.5
_SKETCH = bytes(ord(" " if chr(byte).isspace() else "x") for byte in range(256))
_LONG = b"x" * _SHORTEST
_EDGES = r"(?<![A-Za-z0-9_/+-]){}(?![A-Za-z0-9])"
_FORMS = tuple((name, literal, re.compile(_EDGES.format(f"(?:{form})"))) for name, literal, form in FORMS)


def tokens(text: str) -> Iterator[Spotted]:
    """Only words of the shortest token's length are looked at, put together: most of a text is not."""
    long = [word for word in _long_words(text) if not word.isalpha()]
    heap = " ".join(long)
    forms = [(name, form) for name, literal, form in _FORMS if literal in heap]
    where = _places(text, long) if forms else []
    for name, form in forms:
        for match in form.finditer(heap):
            if not is_example(match[0]) and judge.entropy(match[0]) >= _MIN_ENTROPY:
                offset, start = where[bisect_right(where, (match.start(), len(text))) - 1]
                start += match.start() - offset
                yield Spotted("credential", name, start, start + len(match[0]))


def _long_words(text: str) -> Iterator[str]:
    """Those of the shortest token's length, by a sketch of the text: splitting all of it takes far longer."""
    sketch = text.encode("ascii", "replace").translate(_SKETCH)
    start = sketch.find(_LONG)
    while start >= 0:
        end = sketch.find(b" ", start)
        end = len(text) if end < 0 else end
        yield from (word for word in text[start:end].split() if len(word) >= _SHORTEST)
        start = sketch.find(_LONG, end)


def _places(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where each of ``words`` stands in their heap and in the text."""
    places, offset, position = [], 0, 0
    for word in words:
        position = text.index(word, position)
        places.append((offset, position))
        offset += len(word) + 1
        position += len(word)
    return places
