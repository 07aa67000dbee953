"""What stands where a secret would: placeholders, references to where it is kept, documented examples."""

from __future__ import annotations

import re

from refdesk.screening.credentials.words import one_of, words
from refdesk.screening.documented import is_documented

_NOT_YET = re.compile(
    r"""
      (?<![A-Za-z0-9])(?:your|my|the|an?|some|new|old|insert|replace|enter|put|set|add|use|see|ask)[-_ .]?
        (?:own|me|this|with|here|it|default|super|very|long|random|strong|safe|real|actual)?[-_ .]?
        (?:api|auth|access|client|secret|user|db|database|admin|root|token|key|pass(?:word|wd|phrase|code)?|pwd|value)
    | change[-_ .]?(?:me|this|it)|(?:to[-_ ]?be|tbd|todo|fixme)\b|replace[-_ ]?(?:me|with|this|by)
    | place[-_ ]?holder
    | example|sample|dummy|fake|mock|redacted|masked|hidden|omitted|removed|not[-_ ]?set|undefined
    | insert[-_ ]|fill[-_ ]?in|goes[-_ ]?here|not[-_ ]?a[-_ ]?real
    | x{4,}|\*{2,}|•{2,}|＊{2,}|…|\.{3,}|_{3,}|-{4,}|●{2,}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_WHOLE = frozenset(words("judge", "placeholders"))
_SELF_NAMED = re.compile(
    r"(?:[a-z]+[-_. ])*(?:password|passwd|passphrase|secret|token|pwd|key|credentials?)s?(?:[-_. ][a-z]+)*",
    re.IGNORECASE,
)
"""The name of a secret in place of one: smb-file-server-password."""
_NAMED_INSIDE = re.compile(
    r"[A-Za-z]*(?:[Pp]ass?wor[dt]|PASSWORD|[Kk]ennwort)[A-Za-z]*|\w*(?:Key|Token|Credential|Secret)(?:s|Types?)?,?"
)
"""mynewpassword; the type PKCS7PrivateKey."""
_REFERENCE = re.compile(
    r"""
      \$[{(]|\{\{|\}\}|\#\{|<%|%>|%\(|@@\w+@@|__[A-Z]\w*__|<[^<>\n]{1,60}>
    | ^\$[A-Za-z_]\w*$|^%[sdv]$|^%[A-Z][A-Z0-9_]*%$|^\$env:\w+$
    | ^\{[\w.\[\]!:'"]{0,60}\}|^[a-z_]+=[\w.\[\]()"']*$
    | ^\[[^\[\]\n]{0,60}\]$|^\([^()\n]{0,60}\)$|^[(\[{][^)\]}]*$
    | ^[A-Za-z]:\\|^@[A-Za-z_]\w*$
    | ^!\w|^&\w|^\*\w+$
    | ^[A-Za-z_$]+\d?(?:(?:\??\.|->|::|!\.)[A-Za-z_$]+\d?)+$
    | ^[A-Za-z_$][\w$.:>-]*[(\[<]|\w\(\)
    | \[[^\]\n]{0,40}(?:a-z|A-Z|0-9)|\\[dws][+*{]|\\\\[dws]|\{\d+,\d*\}|\(\?[:=!P<]
    """,
    re.VERBOSE,
)
"""Variables, templates, calls, members, patterns."""
_PATH = re.compile(r"[~./\\]*(?:[\w.-]+[/\\]){2,}[\w.-]*|/[\w./-]+")
_SCRAMBLED = re.compile(r"(?=[^/]*[a-z])(?=[^/]*[A-Z])(?=[^/]*\d)[^/]{8}")
_MEMBER = re.compile(r"[A-Za-z_]\w{0,23}(?:\.[A-Za-z_]\w{0,23})+")
_STORE = re.compile(rf"(?:{one_of('judge', 'stores')})(?::|\+)\S")


def is_placeholder(value: str) -> bool:
    """Something that stands where a secret would, or is documented as an example."""
    bare = value.strip(" \t*`'\"")
    return (
        is_example(bare)
        or bare.lower() in _WHOLE
        or _SELF_NAMED.fullmatch(bare) is not None
        or _NAMED_INSIDE.fullmatch(bare) is not None
        or _REFERENCE.search(bare) is not None
        or _STORE.match(bare) is not None
        or _is_path(bare)
    )


def is_example(token: str) -> bool:
    """As ``is_placeholder`` of a value whose form alone says that it is no reference."""
    return len(set(token.lower())) <= 2 or _NOT_YET.search(token) is not None or is_documented(token)


def _is_path(value: str) -> bool:
    """Folders have names; what has small and capital letters and digits in one of them is Base64."""
    return _PATH.fullmatch(value) is not None and _SCRAMBLED.search(value) is None


def is_member(value: str) -> bool:
    """Names joined by dots, as code has them."""
    return _MEMBER.fullmatch(value) is not None
