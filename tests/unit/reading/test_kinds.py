"""What a name and a declared type announce, before a byte is read."""

from __future__ import annotations

import pytest

from refdesk.errors import Refusal
from refdesk.policy import load_policy
from refdesk.reading import check_size, kind_of

PACKS = load_policy("packs")
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.mark.req("DOC1", "DOC2", "D8", "H3")
@pytest.mark.parametrize(
    ("name", "declared", "kind"),
    [
        ("a.md", None, "markdown"),
        ("a.md", "text/markdown; charset=utf-8", "markdown"),
        ("a.md", "text/plain", "markdown"),
        ("a.TXT", "Text/Plain", "text"),
        ("b/c.d/a.docx", DOCX, "word"),
        ("b\\a.pdf", "application/pdf", "pdf"),
        ("a.pdf", "application/octet-stream", "pdf"),
        ("a.pdf", "", "pdf"),
        ("a.png", "image/png", "image"),
        ("a.jpg", "image/jpeg", "image"),
        ("a.jpeg", "image/jpeg", "image"),
        ("a.webp", "image/webp", "image"),
        ("report", "application/pdf", "pdf"),
        ("release v2.1", "text/markdown", "markdown"),
        ("notes", "text/plain; charset=utf-8", "text"),
        (".pdf", "application/pdf", "pdf"),
    ],
)
def test_kinds(name: str, declared: str | None, kind: str) -> None:
    assert kind_of(name, declared, PACKS) == kind


@pytest.mark.req("DOC2")
@pytest.mark.parametrize(
    ("name", "declared", "code"),
    [
        ("manual.pdf", DOCX, "wrong_type"),
        ("a.txt", "text/markdown", "wrong_type"),
        ("a.md", "text/html", "wrong_type"),
        ("a.png", "image/jpeg", "wrong_type"),
        ("a.doc", None, "unsupported_type"),
        ("a.xlsx", "application/pdf", "unsupported_type"),
        ("a.gif", "image/gif", "unsupported_type"),
        ("a.pptx", None, "unsupported_type"),
        ("a.docm", DOCX, "unsupported_type"),
        ("report", None, "unsupported_type"),
        ("report", "text/html", "unsupported_type"),
        ("a.markdown2", None, "unsupported_type"),
        ("", None, "unsupported_type"),
    ],
)
def test_refused(name: str, declared: str | None, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        kind_of(name, declared, PACKS)
    assert refused.value.code == code


@pytest.mark.req("D8")
def test_a_policy_reads_its_own_kinds() -> None:
    with pytest.raises(Refusal) as refused:
        kind_of("a.docx", None, load_policy("voice"))
    assert refused.value.code == "unsupported_type"
    assert "voice reads .md, .txt, .pdf." in refused.value.message
    assert kind_of("a.docx", None, load_policy("bases")) == "word"
    with pytest.raises(Refusal):
        kind_of("a.png", None, load_policy("bases"))


@pytest.mark.req("DOC3")
@pytest.mark.parametrize(
    ("policy", "kind", "limit"),
    [
        ("packs", "pdf", 4 * 2**20),
        ("bases", "word", 20 * 2**20),
        ("voice", "text", 2 * 2**20),
        ("voice", "pdf", 10 * 2**20),
    ],
)
def test_size(policy: str, kind: str, limit: int) -> None:
    check_size(kind, limit, load_policy(policy))  # type: ignore[arg-type]
    with pytest.raises(Refusal) as refused:
        check_size(kind, limit + 1, load_policy(policy))  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.limit, refused.value.actual) == ("too_large", limit, limit + 1)
    assert f"{limit:,}" in refused.value.message
