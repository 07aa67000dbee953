"""``read``, ``limits`` and ``models``: what needs no base."""

from __future__ import annotations

import pytest
from PIL import Image

from refdesk.demo.catalog import packs, sources
from refdesk.demo.make import content
from refdesk.policy import POLICIES, policy_lines

SHAPE = {
    "outcome", "code", "message", "limit", "actual", "text", "pages", "figures", "not_kept", "notes",
    "decision", "findings", "seconds",
}  # fmt: skip


@pytest.mark.req("DOC1", "D1")
def test_read_gives_the_text_and_stores_nothing(run, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_bytes("first\r\nsecond – line\r\n".encode())
    result = run("read", path, "--json")
    assert result.code == 0
    document = result.document
    assert set(document) == SHAPE
    assert (document["outcome"], document["text"]) == ("kept", "first\nsecond – line\n")
    assert (document["code"], document["pages"]) == (None, None)
    assert (document["decision"], document["findings"], document["notes"]) == ("allow", [], [])
    assert not (tmp_path / "home").exists()
    assert "second – line" in run("read", path).out


@pytest.mark.req("DOC4", "D1")
@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("empty.md", b" \n", "no_text"),
        ("latin.txt", "Gebühr".encode("latin-1"), "not_utf8"),
        ("sheet.xlsx", b"PK\x03\x04", "unsupported_type"),
        ("broken.pdf", b"%PDF-1.7\nnothing", "damaged"),
    ],
)
def test_a_refused_file_has_every_key_and_exit_3(run, tmp_path, name, content, code):
    (tmp_path / name).write_bytes(content)
    result = run("read", tmp_path / name, "--json")
    assert result.code == 3
    document = result.document
    assert set(document) == SHAPE
    assert (document["outcome"], document["code"], document["text"]) == ("refused", code, None)
    said = run("read", tmp_path / name)
    assert said.code == 3
    assert document["message"] in said.out


@pytest.mark.req("DOC3")
def test_a_refusal_names_limit_and_actual_value(run, tmp_path):
    (tmp_path / "long.txt").write_text("x" * 3_801)
    assert run("read", tmp_path / "long.txt").code == 0
    document = run("read", tmp_path / "long.txt", "--policy", "voice", "--json").document
    assert (document["code"], document["limit"], document["actual"]) == ("line_too_long", 3_800, 3_801)


def test_a_file_that_is_not_there_is_not_found(run, tmp_path):
    result = run("read", tmp_path / "gone.md", "--json")
    assert (result.code, result.error["code"]) == (4, "file_not_found")


@pytest.mark.parametrize("policy", POLICIES)
def test_limits_lists_every_value_with_its_requirement(run, policy):
    document = run("limits", "--policy", policy, "--json").document
    assert document["policy"] == policy
    assert [item["key"] for item in document["items"]] == [line.key for line in policy_lines(policy)]
    said = run("limits", "--policy", policy).out
    assert all(item["key"] in said and item["source"] in said for item in document["items"])


def test_models_are_listed_and_a_carried_file_that_is_wrong_is_refused(run, tmp_path):
    [model, *_] = run("models", "list", "--json").document["items"]
    assert model["installed"] is False
    assert model["name"] in run("models", "list").out
    (tmp_path / "carried").mkdir()
    (tmp_path / "carried" / "model_quantized.onnx").write_bytes(b"not the weights")
    result = run("models", "pull", "--from", tmp_path / "carried", "--json")
    assert (result.code, result.error["code"]) == (1, "models_pull_failed")
    assert run("models", "pull", "nosuch").code == 2


@pytest.mark.req("DOC1", "FIG4")
def test_pages_are_counted_where_a_kind_has_them(run, tmp_path):
    pdf = next(one for pack in packs() for one in sources(pack) if one.format == "pdf")
    (tmp_path / "pages.pdf").write_bytes(content(pdf))
    document = run("read", tmp_path / "pages.pdf", "--json").document
    assert document["pages"] == document["text"].count("Page ")
    assert document["text"].startswith("Page 1\n")


def test_one_character_is_said_in_the_singular(run, tmp_path):
    (tmp_path / "one.txt").write_text("x")
    assert "text · 1 character\n" in run("read", tmp_path / "one.txt").out


@pytest.mark.req("FIG1", "FIG4")
def test_an_image_is_a_figure_labelled_by_its_title(run, tmp_path):
    Image.new("RGB", (64, 48), "navy").save(tmp_path / "Credit flow.png")
    document = run("read", tmp_path / "Credit flow.png", "--json").document
    assert document["figures"] == [
        {"number": 1, "label": "Credit flow", "page": None, "width": 64, "height": 48}
    ]
    assert document["pages"] is None
