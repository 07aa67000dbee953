"""Passwords on command lines, and beside a name in the call that signs in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from refdesk.screening.credentials import judge
from refdesk.screening.credentials.values import Value, read
from refdesk.screening.model import Spotted
from refdesk.screening.small import Small, occurrences

_REST = r"(?:[^\n|]|\\\n){0,240}?"
_NAME = r"['\"][^'\"\n]{1,80}['\"]"
_LOOK_BACK, _LOOK_AHEAD = 100, 400


@dataclass(frozen=True, slots=True)
class _Command:
    """One of ``words``, in small letters, is the beginning of what ``pattern`` matches.

    The value begins where the pattern ends; ``before`` must end where the word begins.
    """

    words: tuple[str, ...]
    pattern: re.Pattern[str]
    before: re.Pattern[str]


def _command(words: str, pattern: str, before: str = r"(?<![A-Za-z0-9])") -> _Command:
    """``words`` are divided by bars."""
    return _Command(tuple(words.split("|")), re.compile(pattern), re.compile(f"{before}$"))


_FLAGGED = (
    _command("-u ", r"-u\s+\S{1,64}\s+-p\s*(?=[^\s-])", r"(?<=\s)"),
    _command("ssh-keygen", rf"ssh-keygen{_REST}\s-[NP]\s+"),
    _command(
        "curl|httpie",
        rf"\b(?:curl|httpie){_REST}\s(?:-u|-U|--user|--proxy-user|-a|--auth)"
        r"(?:[ =]|(?=[\w'\"]))['\"]?[^\s:'\"]{1,64}:(?=\S)",
    ),
    _command("mysql|mariadb|mycli", rf"\b(?:mysql|mariadb|mycli)\w*{_REST}\s-p(?=['\"\w])(?!assword|ort)"),
    _command("mongo", rf"\bmongo(?:sh|dump|restore)?\b{_REST}\s-p\s+(?=[^\s-])"),
    _command("sshpass", r"\bsshpass\s+-p\s*"),
    _command("7z|rar ", rf"(?:7z[ar]?|rar)\b{_REST}\s-h?p(?=['\"\w])", ""),
    _command("zip", rf"zip{_REST}\s(?:-P|--password)[ =]", ""),
    _command("redis-cli", rf"\bredis-cli{_REST}\s-a\s+"),
    _command("login", rf"\blogin\b{_REST}\s-p[ =]"),
    _command("pass:", r"pass:", r"-pass(?:in|out|word)?[ =:]['\"]?"),
    _command("openssl", rf"\bopenssl{_REST}\s-(?:k|K|passwd)\s+"),
    _command("ldap", rf"\bldap\w+{_REST}\s-w\s*(?=[^\s-])"),
    _command("sqlcmd|bcp|osql|isql", rf"\b(?:sqlcmd|bcp|osql|isql)\b{_REST}\s-P\s*"),
    _command("htpasswd", r"\bhtpasswd\s+-\w*b\w*\s+(?:-\w+\s+)*\S+\s+\S+\s+"),
    _command("rdesktop|freerdp", rf"(?:rdesktop|freerdp){_REST}\s(?:-p\s+|/p:)", ""),
    _command("plink|pscp|psftp", rf"\b(?:plink|pscp|psftp)\b{_REST}\s-pw\s+"),
    _command("storepass|keypass", r"(?:store|key)pass(?:word)?[ =]", r"-(?:src|dest|new)?"),
)
_FLAG = re.compile(r"-(?:(?<=\s-)(?:-?[uUaNPpkKwh]|\w*b)|(?:src|dest|new)?(?:store|key)pass|pass)")
_OTHERS = (
    _command("net us", r"\bnet\s+use\b(?:\s+[A-Za-z*]:)?\s+\S+\s+(?=[^/\s])"),
    _command("net us", rf"\bnet\s+use\b{_REST}/user:\S+\s+(?=[^/\s])"),
    _command("net us", r"\bnet\s+user\s+\S+\s+(?=[^/\s])"),
    _command(
        "smbclient|rpcclient|mount.cifs|mount -t cifs",
        rf"\b(?:smbclient|rpcclient|mount\S*)\b{_REST}(?:-U\s*['\"]?|--user=['\"]?)[^\s%'\"]{{1,64}}%",
    ),
    _command(
        "echo |printf ",
        r"\b(?:echo|printf)\s+(?:-\w+\s+)?(?=[^|\n]{1,160}\|[^\n]{0,120}"
        r"(?:sudo\s+-S|--?(?:password-)?stdin|passwd\s+--stdin))",
    ),
    _command("echo ", r"\becho\s+['\"]?[\w.-]{1,40}:(?=[^|\n]{1,120}\|\s*(?:sudo\s+)?chpasswd)"),
    _command("<<<", r"<<<\s*", r"(?:kinit|gpg|su|openssl|mysql|psql|passwd)\b[^\n|]{0,80}"),
    _command("convertto-securestring", r"(?i)\bConvertTo-SecureString\s+(?:-String\s+)?(?=['\"])"),
    _command(
        "identified by|identified with|identified as",
        r"(?i)\bidentified\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+)?(?=['\"])",
    ),
)
_CALLS = (
    _command(
        "mysqli(|mysqli_connect(|mysql_connect(|getconnection(|pdo(",
        rf"(?i)\w+\((?:\s*(?:{_NAME}|[\w.$]+)\s*,){{2}}\s*(?=['\"])",
        "",
    ),
    _command("credential", rf"(?i)Credentials?\w*\(\s*(?:{_NAME}|[\w.]+)\s*,\s*(?=['\"])", ""),
    _command(
        "auth(|auth=(|auth = (|auth, (",
        rf"(?i)auth\s*=?\s*\(\s*(?:\w{{0,20}}\s*\(\s*)?{_NAME}\s*,\s*(?=['\"])",
        "",
    ),
    _command(".login(", rf"(?i)\.login\(\s*(?:{_NAME}|[\w.$]+)\s*,\s*(?=['\"])", ""),
)
_ARGUMENT = re.compile(r",\s?['\"]")


def in_commands(text: str, lowered: Small) -> Iterator[Spotted]:
    calls = _CALLS if _ARGUMENT.search(text) else ()
    for command in (*_OTHERS, *calls, *(_FLAGGED if _has_flags(text) else ())):
        for position, _ in lowered.occurrences(command.words):
            if command.before.search(text, max(0, position - _LOOK_BACK), position) is None:
                continue
            match = command.pattern.match(text, position, position + _LOOK_AHEAD)
            value = read(text, match.end()) if match is not None else None
            if value is not None and _believed(value):
                yield Spotted("credential", "command", value.start, value.end)


def _has_flags(text: str) -> bool:
    """Whether any is there at all, and one that a flagged command needs."""
    flagged = any(text[end : end + 2].strip("-")[:1].isalpha() for _, end in occurrences(text, (" -",)))
    return flagged and (_FLAG.search(text) is not None or "/p:" in text)


def _believed(value: Value) -> bool:
    return judge.is_mixed(value.text) or judge.is_coined(value.text, 6)
