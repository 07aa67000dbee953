"""Passwords on command lines, and beside a name in the call that signs in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.model import Spotted

_REST = r"(?:[^\n|]|\\\n){0,240}?"


@dataclass(frozen=True, slots=True)
class _Command:
    """``words`` are small letters one of which stands in every text that ``pattern`` can match.

    The value begins where the pattern ends.
    """

    words: tuple[str, ...]
    pattern: re.Pattern[str]


def _command(words: str, pattern: str) -> _Command:
    return _Command(tuple(words.split()), re.compile(pattern))


_FLAGGED = (
    _command(
        "curl http",
        rf"\b(?:curl|https?ie?|xh){_REST}\s(?:-u|-U|--user|--proxy-user|-a|--auth)"
        r"(?:[ =]|(?=[\w'\"]))['\"]?[^\s:'\"]{1,64}:(?=\S)",
    ),
    _command("mysql mariadb mycli", rf"\b(?:mysql|mariadb|mycli)\w*{_REST}\s-p(?=['\"\w])(?!assword|ort)"),
    _command("sshpass", r"\bsshpass\s+-p\s*"),
    _command("7z rar", rf"\b(?:7z[ar]?|rar|unrar){_REST}\s-h?p(?=['\"\w])"),
    _command("zip", rf"\b(?:un)?zip{_REST}\s(?:-P|--password)[ =]"),
    _command("redis-cli", rf"\bredis-cli{_REST}\s-a\s+"),
    _command(
        "login",
        r"\b(?:docker|podman|helm|nerdctl|buildah|oc|az|crane|skopeo|ibmcloud|cf|tsh)\b"
        rf"{_REST}\blogin\b{_REST}\s-p[ =]",
    ),
    _command("pass:", r"-?-pass(?:in|out|word)?[ =:]['\"]?pass:"),
    _command("openssl", rf"\bopenssl{_REST}\s-(?:k|K|passwd)\s+"),
    _command("ldap", rf"\bldap\w+{_REST}\s-w\s*(?=[^\s-])"),
    _command("sqlcmd bcp osql isql", rf"\b(?:sqlcmd|bcp|osql|isql){_REST}\s-P\s*"),
    _command("htpasswd", r"\bhtpasswd\s+-\w*b\w*\s+(?:-\w+\s+)*\S+\s+\S+\s+"),
    _command("rdesktop freerdp", rf"\b(?:rdesktop|[wx]?l?freerdp){_REST}\s(?:-p\s+|/p:)"),
    _command(
        "sudo stdin passwd",
        r"\b(?:echo|printf)\s+(?:-\w+\s+)?(?='[^']+'\s*\||\"[^\"]+\"\s*\||\S+\s*\|)(?=[^|\n]{1,160}\|[^\n]{0,120}(?:sudo\s+-S|--?(?:password-)?stdin|passwd\s+--stdin))",
    ),
    _command("keytool jarsigner keystore", r"\s-(?:store|key|srcstore|deststore|new)pass(?:word)?[ =]"),
    _command("securestring", r"(?i)\bConvertTo-SecureString\s+(?:-String\s+)?(?=['\"])"),
    _command("psql mysql mongo", rf"\bmongo(?:sh|dump|restore)?\b{_REST}\s-p\s+(?=[^\s-])"),
    _command("plink pscp pw", r"\b(?:plink|pscp|psftp)\b[^\n|]{0,240}?\s-pw\s+"),
)
_OTHERS = (
    _command("net", r"\bnet\s+use\b(?:\s+[A-Za-z*]:)?\s+\S+\s+(?=[^/\s])"),
    _command("/user:", rf"\bnet\s+use\b{_REST}/user:\S+\s+(?=[^/\s])"),
    _command("net", r"\bnet\s+user\s+\S+\s+(?=[^/\s])"),
    _command(
        "smbclient rpcclient //",
        r"\b(?:smbclient|rpcclient|mount)\b(?:[^\n|]){0,240}?(?:-U\s*['\"]?|--user=['\"]?)[^\s%'\"]{1,64}%",
    ),
    _command("chpasswd", r"\becho\s+['\"]?[\w.-]{1,40}:(?=[^|\n]{1,120}\|\s*(?:sudo\s+)?chpasswd)"),
    _command("<<<", r"<<<\s*"),
    _command(
        "credential( credentials(",
        r"(?i)\b(?:Network|PS|UsernamePassword|Basic\w*|Usernamepasswordtoken)\w*Credentials?\w*\(\s*(?:['\"][^'\"\n]{1,80}['\"]|[\w.]+)\s*,\s*(?=['\"])",
    ),
    _command(
        "auth",
        r"(?i)\b(?:\w*basic_?auth\w*|auth)\s*=?\s*\(\s*(?:\w{0,20}\s*\(\s*)?['\"][^'\"\n]{1,80}['\"]\s*,\s*(?=['\"])",
    ),
    _command(".login(", r"(?i)\.login\(\s*['\"][^'\"\n]{1,80}['\"]\s*,\s*(?=['\"])"),
    _command("identified", r"(?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?=['\"])"),
)
_FLAG = re.compile(r"[ \t]--?[A-Za-z]")


def in_commands(text: str, lowered: str) -> Iterator[Spotted]:
    flagged = " -" in text and _FLAG.search(text) is not None
    for command in (*_OTHERS, *(_FLAGGED if flagged else ())):
        if not any(word in lowered for word in command.words):
            continue
        for match in command.pattern.finditer(text):
            value = read(text, match.end())
            if value is not None and _believed(value):
                yield Spotted("credential", "command", value.start, value.end)


def _believed(value: Value) -> bool:
    return judge.is_mixed(value.text) or judge.is_coined(value.text, 6)
