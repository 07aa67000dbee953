"""Whatever stands where YAML is expected: an error with its place, never a trace (Y1, Y2)."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from packages import Written

from refdesk.package.check import check
from refdesk.package.findings import Findings, Source
from refdesk.package.nodes import Items, read
from refdesk.package.schema import agent_schema, tool_schema


@pytest.fixture
def package(tmp_path: Path) -> Written:
    return Written(tmp_path / "shop")


BROKEN = [
    ("", 1, 1, "wrong_type", "empty"),
    ("# nothing\n", 1, 1, "wrong_type", "empty"),
    ("[]", 1, 1, "wrong_type", "a list"),
    ("\n\nhello", 3, 1, "wrong_type", "`hello`"),
    ("name: a\nagents: [1,", 2, 9, "yaml", "does not end"),
    ("name: 'a\n", 1, 7, "yaml", "does not end"),
    ("name: a\n\tb: c\n", 2, 1, "yaml", "tab"),
    ("name: a\nagents: b: c\n", 2, 10, "yaml", "not allowed here"),
    ("name: a\nagents: *b\n", 2, 9, "yaml", "alias 'b'"),
    ("name: a\nagents: &b [*b]\n", 2, 9, "yaml", "alias of itself"),
    ("name: !!python/object:os.system x\n", 1, 7, "yaml", "`!!python/object:os.system`"),
    ("name: a\n---\nname: b\n", 2, 1, "yaml", "single document"),
    ("name: \x07\n", 1, 7, "yaml", "U+0007"),
    ("name: " + "[" * 60, 1, 38, "yaml", "32 deep"),
    ("{? [a] : b}", 1, 4, "yaml", "keys here are words"),
    ("name: a\nname: b\n", 2, 1, "duplicate_key", "line 1"),
]


@pytest.mark.req("Y1", "Y2")
@pytest.mark.parametrize("file", ["agent.yaml", "tools/look_up.yaml"])
@pytest.mark.parametrize(("text", "line", "column", "code", "says"), BROKEN)
def test_a_broken_file(
    package: Written, text: str, line: int, column: int, code: str, says: str, file: str
) -> None:
    (package.folder / file).write_text(text)
    found = next(
        one for one in check(package.folder).findings.errors if one.file == file and one.code == code
    )
    assert (found.line, found.column) == (line, column)
    assert says in found.message


@pytest.mark.req("Y1")
def test_bytes_that_are_no_utf8_are_named_at_their_place(package: Written) -> None:
    (package.folder / "agent.yaml").write_bytes(b"name: a\nx: \xff\n")
    found = check(package.folder).findings.errors[0]
    assert (found.line, found.column, found.code) == (2, 4, "yaml")
    assert "0xFF" in found.message


@pytest.mark.req("Y1")
def test_a_byte_order_mark_and_carriage_returns_are_read(package: Written) -> None:
    package.base("chunk_size: 0")
    text = package.agent
    line = text.split("\n").index("    chunk_size: 0") + 1
    (package.folder / "agent.yaml").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    [found] = check(package.folder).findings.errors
    assert (found.line, found.column, found.text) == (line, 17, "    chunk_size: 0")


@pytest.mark.req("Y1")
def test_merge_keys_work_and_what_is_written_wins(package: Written) -> None:
    text = package.agent.replace(
        "    path: documents\n    mode: keyword\n", "    <<: *shared\n    top_k: 5\n"
    )
    package.agent = f"x-shared: &shared {{path: documents, mode: keyword, top_k: 2}}\n{text}"
    checked = check(package.folder)
    assert checked.findings.to_dict() == {"errors": [], "warnings": []}
    assert checked.package is not None
    base = checked.package.bases["shop_documents"]
    assert (base.path, base.mode, base.top_k) == ("documents", "keyword", 5)


@pytest.mark.req("Y1")
def test_aliases_that_unfold_without_end_are_refused_at_once() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    findings = Findings()
    assert read(Source("agent.yaml", "\n".join(lines)), findings) is None
    assert [one.code for one in findings.errors] == ["yaml"]
    assert "unfold" in findings.errors[0].message


@pytest.mark.req("Y1", "Y2")
@pytest.mark.parametrize("link", ["a{}: &a{} [*a{}]", "a{}: &a{} {{b: *a{}}}", "a{}: &a{}\n  <<: *a{}"])
def test_aliases_that_nest_too_deep_are_refused(link: str) -> None:
    lines = ["a0: &a0 {c: d}", *(link.format(n, n, n - 1) for n in range(1, 1_200))]
    findings = Findings()
    assert read(Source("agent.yaml", "\n".join(lines)), findings) is None
    assert [one.code for one in findings.errors] == ["yaml"]
    assert "more than 32 deep" in findings.errors[0].message


@pytest.mark.req("Y1", "Y2")
@pytest.mark.parametrize(
    "value",
    ["!!bool '[a'", "!!bool hello", "!!bool ''", "!!int ''", "!!timestamp x", f"!!int '{'[' * 5_000}'",
     f"0x{'f' * 9_000}", "!!float '-'", "!!map x"],
)  # fmt: skip
@pytest.mark.parametrize("key", ["interruption", "announce"])
def test_a_written_tag_that_does_not_fit_its_value_is_of_the_wrong_type(
    package: Written, value: str, key: str
) -> None:
    lines = [line for line in package.tool.splitlines() if not line.startswith(f"{key}:")]
    package.tool = "\n".join([f"{key}: {value}", *lines, ""])
    [found] = check(package.folder).findings.errors
    assert (found.code, found.line, found.column) == ("wrong_type", 1, len(key) + 3)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab:-[]{}&*!|>'\"#%@` \t\n\r\u2028\ufeff\x00<,?01~", max_size=40))
def test_no_text_ends_in_a_trace(text: str) -> None:
    findings = Findings()
    node = read(Source("agent.yaml", text), findings)
    for one in findings.errors:
        assert 1 <= one.line <= text.count("\n") + 1
        assert one.column >= 1
        assert one.pointed().endswith("^")
    if node is None and not findings.errors:
        assert yaml.safe_load(text) is None


def test_a_list_knows_its_places() -> None:
    node = read(Source("agent.yaml", "- a\n- b\n"), Findings())
    assert isinstance(node, Items)
    assert [(one.place.line, one.place.column) for one in node.items] == [(1, 3), (2, 3)]


@pytest.mark.req("CMP1")
@pytest.mark.parametrize(("name", "made"), [("agent", agent_schema()), ("tool", tool_schema())])
def test_the_published_schemas_are_those_of_the_table(name: str, made: dict[str, object]) -> None:
    Draft202012Validator.check_schema(made)
    published = resources.files("refdesk.package").joinpath(f"schemas/{name}.schema.json").read_text("utf-8")
    assert json.loads(published) == made


@pytest.mark.req("CMP1")
def test_the_schemas_accept_what_check_accepts_and_nothing_wrong(package: Written) -> None:
    agent, tool = Draft202012Validator(agent_schema()), Draft202012Validator(tool_schema())
    assert agent.is_valid(yaml.safe_load(package.agent))
    assert tool.is_valid(yaml.safe_load(package.tool))
    assert not tool.is_valid(yaml.safe_load(f"input: 1\n{package.tool}"))
    for line in ("chunk_size: 0", "embed: other", "min_score: 0.2", "chunksize: 3"):
        broken = package.agent.replace("    mode: keyword\n", f"    mode: keyword\n    {line}\n")
        assert not agent.is_valid(yaml.safe_load(broken)), line
