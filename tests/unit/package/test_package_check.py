"""What is wrong with a package is told at its line and column, in a sentence that quotes it (CMP1–CMP3)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from packages import Written

from refdesk.errors import NotFound
from refdesk.package.check import check
from refdesk.package.findings import Finding

MARK = "«"


@pytest.fixture
def package(tmp_path: Path) -> Written:
    return Written(tmp_path / "shop")


def _only(package: Written, kind: str = "errors") -> Finding:
    found = getattr(check(package.folder).findings, kind)
    assert len(found) == 1, found
    assert isinstance(found[0], Finding)
    return found[0]


def _marked(text: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column where that stood."""
    before = text[: text.index(MARK)]
    return text.replace(MARK, ""), before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.req("CMP1")
def test_what_init_writes_has_nothing_wrong(package: Written) -> None:
    checked = check(package.folder)
    assert checked.findings.to_dict() == {"errors": [], "warnings": []}
    assert checked.package is not None
    assert checked.package.searched() == {"shop_documents"}
    assert checked.package.agents["reception"].tools == ("look_up",)


BASES = [
    # base lines with a mark, code, what the sentence says
    (("«min_score: 0.3",), "keyword", "min_score_with_keyword", r"`min_score` is `0\.3`.*`mode: keyword`"),
    (("embed: «opnai",), "keyword", "unknown_value", r"`opnai`.*openai, google, bedrock, huggingface, local"),
    (("embed: «opnai",), "hybrid", "unknown_value", r"`opnai`"),
    (("embed: «google",), "hybrid", "missing_credential", r"`google`.*not list GOOGLE_API_KEY"),
    (("embed: «huggingface",), "meaning", "missing_credential", r"HF_TOKEN"),
    (("chunk_size: «0",), "keyword", "out_of_range", r"`chunk_size` is `0`.*from 1 to 2048"),
    (("chunk_size: «2049",), "keyword", "out_of_range", r"`2049`.*from 1 to 2048"),
    (("chunk_size: «-1",), "keyword", "out_of_range", r"`-1`"),
    (("chunk_size: «99999999999999999999",), "keyword", "out_of_range", r"from 1 to 2048"),
    (("chunk_overlap: «91",), "keyword", "out_of_range", r"`91`.*from 0 to 90 \(the chunk_size\)"),
    (("chunk_size: 10", "chunk_overlap: «11"), "keyword", "out_of_range", r"from 0 to 10"),
    (("chunk_overlap: «-1",), "keyword", "out_of_range", r"`-1`"),
    (("top_k: «0",), "keyword", "out_of_range", r"`top_k` is `0`.*from 1 to 20"),
    (("top_k: «21",), "keyword", "out_of_range", r"`21`.*from 1 to 20"),
    (("embed: bedrock", "min_score: «1.5"), "meaning", "out_of_range", r"`1\.5`.*from 0 to 1"),
    (("embed: bedrock", "min_score: «-0.1"), "meaning", "out_of_range", r"from 0 to 1"),
    (("embed: bedrock", "min_score: «.nan"), "meaning", "wrong_type", r"`\.nan`"),
    (("chunk_size: «\"90\"",), "keyword", "wrong_type", r"`\"90\"`, which is text"),
    (("chunk_size: «90.5",), "keyword", "wrong_type", r"`90\.5`.*a whole number"),
    (("chunk_size: «no",), "keyword", "wrong_type", r"`no`, which YAML reads as a yes or no \(false\)"),
    (("chunk_size: «1:30",), "keyword", "wrong_type", r"`1:30`, which YAML reads as a number \(90\)"),
    (("chunk_size: «010",), "keyword", "wrong_type", r"`010`, which YAML reads as a number \(8\)"),
    (("chunk_size: «[90]",), "keyword", "wrong_type", r"a list"),
    (("«chunk_size:",), "keyword", "wrong_type", r"`chunk_size` is nothing"),
    (("«chunksize: 90",), "keyword", "unknown_key", r"no key `chunksize`.*Did you mean `chunk_size`\?"),
    (("«mode: hybrid",), "keyword", "duplicate_key", r"`mode` stands here a second time"),
]  # fmt: skip


@pytest.mark.req("CMP2", "SRCH5", "SPL4", "Y1", "Y2")
@pytest.mark.parametrize(("lines", "mode", "code", "says"), BASES)
def test_a_wrong_value_of_a_base(
    package: Written, lines: tuple[str, ...], mode: str, code: str, says: str
) -> None:
    package.base(*lines, mode=mode)
    package.agent, line, column = _marked(package.agent)
    found = _only(package)
    assert (found.file, found.line, found.column, found.code) == ("agent.yaml", line, column, code)
    assert re.search(says, found.message), found.message
    pointed = found.pointed().split("\n")
    assert pointed[0] == package.agent.split("\n")[line - 1]
    assert pointed[1] == " " * (column - 1) + "^"


@pytest.mark.req("CMP2")
def test_the_default_service_needs_its_credential_and_the_base_is_named(package: Written) -> None:
    package.agent = package.agent.replace("mode: keyword", "chunk_size: 90")
    found = _only(package)
    assert (found.line, found.column, found.code) == (13, 3, "missing_credential")
    assert "OPENAI_API_KEY" in found.message
    package.agent += "secrets:\n  - OPENAI_API_KEY\n"
    assert not check(package.folder).findings.errors


@pytest.mark.req("CMP2", "CMP4", "Y3")
@pytest.mark.parametrize(
    ("embed", "mode", "secrets"),
    [
        ("bedrock", "hybrid", ""),
        ("local", "meaning", ""),
        ("google", "keyword", ""),
        ("google", "hybrid", "GEMINI_API_KEY"),
        ("huggingface", "hybrid", "HF_TOKEN"),
    ],
)
def test_who_needs_no_credential_or_has_one(package: Written, embed: str, mode: str, secrets: str) -> None:
    package.base(f"embed: {embed}", mode=mode)
    package.agent += f"secrets: [{secrets}]\n"
    checked = check(package.folder)
    assert not checked.findings.errors
    assert checked.package is not None
    base = checked.package.bases["shop_documents"]
    assert base.embed == (None if mode == "keyword" else embed)
    assert base.secret == (secrets or None)


@pytest.mark.req("CMP2", "Y3")
@pytest.mark.parametrize("path", ["/etc", "../elsewhere", "documents/../../elsewhere", "C:\\texts"])
def test_a_path_out_of_the_package(package: Written, path: str) -> None:
    (package.folder.parent / "elsewhere").mkdir()
    package.agent, line, column = _marked(package.agent.replace("path: documents", f"path: {MARK}{path}"))
    found = _only(package)
    assert (found.line, found.column, found.code) == (line, column, "outside_package")
    assert f"`{path}`" in found.message
    assert "outside the package" in found.message


@pytest.mark.req("CMP2", "Y3")
@pytest.mark.parametrize("link", ["folder", "inside/file.md", "inside/deep"])
def test_a_link_out_of_the_package(package: Written, link: str) -> None:
    outside = package.folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "secret.md").write_text("text")
    (package.folder / "inside").mkdir()
    (package.folder / link).symlink_to(outside / "secret.md" if link.endswith(".md") else outside)
    path = link.split("/")[0]
    package.agent, line, column = _marked(package.agent.replace("path: documents", f"path: {MARK}{path}"))
    found = _only(package)
    assert (found.line, found.column, found.code) == (line, column, "outside_package")
    assert "outside the package" in found.message


@pytest.mark.req("CMP2")
@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("documnts", "Did you mean `documents`"),
        ("tools/look_up.yaml", "a file"),
        ('"a\\0b"', "no such folder"),
    ],
)
def test_a_path_to_nothing(package: Written, path: str, says: str) -> None:
    package.agent, line, column = _marked(package.agent.replace("path: documents", f"path: {MARK}{path}"))
    found = _only(package)
    assert (found.line, found.column, found.code) == (line, column, "path_not_found")
    assert says in found.message


@pytest.mark.req("CMP1")
@pytest.mark.parametrize("key", ["ab", "x" * 65, "Handbook", "hand-book"])
def test_the_key_of_a_base(package: Written, key: str) -> None:
    package.agent = package.agent.replace("  shop_documents:", f"  {key}:")
    package.tool = package.tool.replace("base: shop_documents", f"base: {key}")
    found = _only(package)
    assert (found.line, found.column, found.code) == (13, 3, "bad_name")
    assert f"`{key}`" in found.message


@pytest.mark.req("CMP1")
@pytest.mark.parametrize("key", ["input", "output", "inject", "effect"])
def test_what_a_knowledge_tool_may_not_have(package: Written, key: str) -> None:
    package.tool = f"{key}:\n  type: object\n{package.tool}"
    found = _only(package)
    assert (found.file, found.line, found.column) == ("tools/look_up.yaml", 1, 1)
    assert found.code == "refused_key"


@pytest.mark.req("CMP1")
def test_what_it_may_have(package: Written) -> None:
    package.tool = f"interruption: no\n{package.tool}"
    checked = check(package.folder)
    assert not checked.findings.errors
    assert checked.package is not None
    assert checked.package.tools["look_up"].interruption is False


@pytest.mark.req("CMP1")
@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ("base: shop_documents", "base: «shop_document", "unknown_name", "mean `shop_documents`"),
        ("announce: One", "«anounce: One", "unknown_key", "Did you mean `announce`"),
        ("announce: One", "announce: «off # One", "wrong_type", r"`off`.*\(false\).*quotes"),
        ("\nknowledge:\n  base: shop_documents", "\n«knowledge:", "wrong_type", "empty"),
        ("  base: shop_documents", "  - «base", "wrong_type", "a list"),
    ],
)  # fmt: skip
def test_a_wrong_tool(package: Written, old: str, new: str, code: str, says: str) -> None:
    package.tool = package.tool.replace(old, new)
    text, line, column = _marked(package.tool)
    package.tool = text
    found = check(package.folder).findings.errors[0]
    if code == "wrong_type" and says == "a list":
        column -= 2  # the list begins with its dash
    assert (found.file, found.line, found.column, found.code) == ("tools/look_up.yaml", line, column, code)
    assert re.search(says, found.message), found.message


@pytest.mark.req("CMP1", "Y1")
@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ("- look_up", "- «lookup", "unknown_name", r"no tools/lookup\.yaml.*Did you mean `look_up`"),
        ("- look_up", "- look_up\n      - «look_up", "duplicate_key", "twice"),
        ("- look_up", "- «yes", "wrong_type", r"`yes`"),
        ("    model: quoting", "    modle: quoting", "unknown_key", "Did you mean `model`"),
        ("name: bicycle-shop", "name: «1:30", "wrong_type", r"`1:30`.*\(90\).*quotes"),
        ("name: bicycle-shop", "name: «Shop!", "bad_name", r"`Shop!`"),
        ("name: bicycle-shop", "secrets: {«OPENAI_API_KEY: sk-1}", "wrong_type", "a mapping"),
        ("name: bicycle-shop", "secrets: [«sk-live-1]", "bad_name", "never write its value"),
        ("agents:", "«agnets:", "unknown_key", "Did you mean `agents`"),
        ("model: quoting", "model: «quotin", "unknown_value", "`quotin`.*Did you mean `quoting`"),
        ("model: quoting", "model: «opnai:gpt-5", "unknown_value", "no provider `opnai`.*mean `openai`"),
        ("model: quoting", "model: «anthropic:claude", "missing_credential", "not list ANTHROPIC_API_KEY"),
    ],
)
def test_a_wrong_agent(package: Written, old: str, new: str, code: str, says: str) -> None:
    text = package.agent.replace(old, new, 1)
    marked = text if MARK in text else text.replace("modle", MARK + "modle")
    package.agent, line, column = _marked(marked)
    found = next(one for one in check(package.folder).findings.errors if one.code == code)
    if "mapping" in says:
        column -= 1  # the mapping begins with its bracket
    assert (found.line, found.column) == (line, column)
    assert re.search(says, found.message), found.message
    assert "sk-" not in found.message


@pytest.mark.req("CMP1", "Y1")
@pytest.mark.parametrize(
    "written",
    ["[sk-live-1]", "sk-live-1", "{A: sk-live-1, A: sk-live-2}", "\n  - sk-live-1", "[[sk-live-1]]",
     "[!!int sk-live-1]", "[20240101]", "[true, sk-live-1]", "20240101"],
)  # fmt: skip
def test_a_credential_in_place_of_its_name_is_not_shown(package: Written, written: str) -> None:
    package.agent += f"secrets: {written}\n"
    findings = check(package.folder).findings
    assert findings.errors
    assert not re.search("sk-live|20240101", repr(findings.errors))


@pytest.mark.req("CMP1")
def test_what_is_missing_is_told_at_its_owner(package: Written) -> None:
    package.agent = re.sub(r"    prompt:.*\n.*\n", "", package.agent).replace("    path: documents\n", "")
    missing = [(one.line, one.column, one.code) for one in check(package.folder).findings.errors]
    assert missing == [(5, 3, "missing_key"), (11, 3, "missing_key")]


WARNED = [
    (("top_k: 20", "chunk_size: «90"), "keyword", "reads_much", r"20 × 90 = 1,800 tokens, over 1,500"),
    (("chunk_size: «501",), "keyword", "reads_much", r"3 × 501 = 1,503"),
    (("embed: bedrock", "min_score: «0.26"), "meaning", "min_score_high", r"`0\.26`, over 0\.25"),
]


@pytest.mark.req("CMP3")
@pytest.mark.parametrize(("lines", "mode", "code", "says"), WARNED)
def test_a_warning(package: Written, lines: tuple[str, ...], mode: str, code: str, says: str) -> None:
    package.base(*lines, mode=mode)
    package.agent, line, column = _marked(package.agent)
    found = _only(package, "warnings")
    assert (found.line, found.column, found.code) == (line, column, code)
    assert re.search(says, found.message), found.message
    assert check(package.folder).package is not None


@pytest.mark.req("CMP3")
@pytest.mark.parametrize("lines", [("top_k: 15", "chunk_size: 100"), ("chunk_size: 500",)])
def test_at_the_limit_nothing_is_warned_of(package: Written, lines: tuple[str, ...]) -> None:
    package.base(*lines)
    assert not check(package.folder).findings.warnings


@pytest.mark.req("CMP3")
def test_the_quarter_is_not_too_high(package: Written) -> None:
    package.base("embed: bedrock", "min_score: 0.25", mode="meaning")
    assert check(package.folder).findings.to_dict() == {"errors": [], "warnings": []}


@pytest.mark.req("CMP3")
@pytest.mark.parametrize("why", ["no agent has its tool look_up", "no tool names it"])
def test_a_base_that_nobody_searches(package: Written, why: str) -> None:
    if "tool names" in why:
        (package.folder / "tools/look_up.yaml").unlink()
    package.agent = package.agent.replace("    tools:\n      - look_up\n", "")
    found = _only(package, "warnings")
    assert (found.code, found.line, found.column) == ("base_not_searched", 11, 3)
    assert why in found.message


@pytest.mark.req("CMP1")
def test_a_folder_without_documents_is_warned_of(package: Written) -> None:
    (package.folder / "empty").mkdir()
    (package.folder / "empty/photo.jpg").write_bytes(b"x")
    package.agent, line, column = _marked(package.agent.replace("path: documents", f"path: {MARK}empty"))
    found = _only(package, "warnings")
    assert (found.code, found.line, found.column) == ("no_documents", line, column)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder"):
        check(tmp_path / "nothing")


def test_a_package_without_its_file(tmp_path: Path) -> None:
    found = check(tmp_path).findings.errors
    assert [(one.file, one.line, one.column, one.code) for one in found] == [
        ("agent.yaml", 1, 1, "missing_file")
    ]


@pytest.mark.req("Y3")
def test_a_tool_that_is_a_link_out_of_the_package_is_not_read(package: Written, tmp_path: Path) -> None:
    (tmp_path / "other.yaml").write_text(package.tool)
    (package.folder / "tools/other.yaml").symlink_to(tmp_path / "other.yaml")
    found = _only(package)
    assert (found.file, found.code) == ("tools/other.yaml", "missing_file")
    assert "outside the package" in found.message
