"""``add``, ``bases``, ``documents``, ``show``, ``delete``, ``reindex``, ``work``, on a real desk."""

from __future__ import annotations

import pytest

HANDBOOK = "# Refunds\n\nA refund arrives within 14 days of the return.\n"


@pytest.fixture
def handbook(tmp_path):
    path = tmp_path / "handbook.md"
    path.write_text(HANDBOOK)
    return path


def test_add_makes_a_missing_base_and_waits(run, handbook):
    result = run("add", handbook, "--base", "Handbook", "--wait", "--json")
    assert result.code == 0
    assert set(result.document) == {"documents", "seconds"}
    [document] = result.document["documents"]
    assert set(document) == {"id", "name", "state", "change", "code", "error", "passages"}
    assert (document["name"], document["state"], document["change"]) == ("handbook.md", "ready", "added")
    assert document["passages"] == 1
    assert [base["name"] for base in run("bases", "--json").document["items"]] == ["Handbook"]


def test_without_wait_it_queues_and_says_who_does_the_work(run, handbook, tmp_path):
    home = ("--home", tmp_path / "own home")
    said = run("add", handbook, "--base", "Handbook", *home)
    assert said.code == 0
    assert f"`refdesk --home '{tmp_path / 'own home'}' work --once`" in said.out
    [waiting] = run("documents", "--base", "Handbook", "--json", *home).document["items"]
    assert waiting["state"] == "queued"
    assert run("work", "--once", "--json", *home).document == {"documents": 1}
    [ready] = run("documents", "--base", "Handbook", "--json", *home).document["items"]
    assert ready["state"] == "ready"
    assert run("work", "--once", *home).out == "Nothing was queued.\n"


@pytest.mark.req("D3")
def test_the_same_bytes_again_change_nothing_other_bytes_replace(run, handbook, tmp_path):
    def change() -> str:
        [document] = run("add", handbook, "--base", "B", "--wait", "--json").document["documents"]
        return str(document["change"])

    assert [change(), change()] == ["added", "unchanged"]
    handbook.write_text(HANDBOOK + "Ask the desk.\n")
    assert change() == "replaced"
    copy = tmp_path / "copy.md"
    copy.write_text(handbook.read_text())
    run("add", copy, "--base", "B", "--wait")
    items = run("documents", "--base", "B", "--json").document["items"]
    assert [(item["name"], item["version"]) for item in items] == [("handbook.md", 2), ("copy.md", 1)]


@pytest.mark.req("D3")
def test_two_files_of_one_name_get_the_shortest_endings_that_tell_them_apart(run, tmp_path):
    for side in ("north", "south"):
        (tmp_path / "sites" / side).mkdir(parents=True)
        (tmp_path / "sites" / side / "notice.md").write_text(f"# Notice\n\nThe {side} gate is closed.\n")
    paths = [tmp_path / "sites" / side / "notice.md" for side in ("north", "south")]
    added = run("add", *paths, "--base", "B", "--wait", "--json").document["documents"]
    assert [document["name"] for document in added] == ["north/notice.md", "south/notice.md"]


@pytest.mark.req("D2")
def test_a_folder_s_files_are_named_by_their_path_in_it(run, tmp_path):
    (tmp_path / "policies" / "eu").mkdir(parents=True)
    (tmp_path / "policies" / "eu" / "returns.md").write_text(HANDBOOK)
    added = run("add", tmp_path / "policies", "--base", "B", "--wait", "--json").document["documents"]
    assert [document["name"] for document in added] == ["eu/returns.md"]


@pytest.mark.req("D5", "DOC5")
def test_a_refused_file_stays_out_and_is_told_the_others_go_on(run, handbook, tmp_path):
    (tmp_path / "empty.md").write_text("  \n")
    arguments = ("add", tmp_path / "empty.md", handbook, "--base", "B", "--wait")
    result = run(*arguments, "--json")
    assert result.code == 3
    refused, kept = result.document["documents"]
    assert (refused["name"], refused["state"], refused["code"]) == ("empty.md", "refused", "no_text")
    assert (refused["id"], refused["change"]) == (None, None)
    assert refused["error"].endswith(".")
    assert kept["state"] == "ready"
    assert [item["name"] for item in run("documents", "--base", "B", "--json").document["items"]] == [
        "handbook.md"
    ]
    said = run(*arguments)
    assert said.code == 3
    assert "empty.md" in said.out
    assert refused["error"] in said.out


def test_a_path_that_is_not_there_makes_no_base(run, tmp_path):
    result = run("add", tmp_path / "gone.md", "--base", "B", "--json")
    assert (result.code, result.error["code"]) == (4, "file_not_found")
    assert run("bases", "--json").document == {"items": []}


def test_an_unknown_id_of_a_base_is_not_found_and_makes_none(run, handbook):
    result = run("add", handbook, "--base", "kb_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "--json")
    assert (result.code, result.error["code"]) == (4, "not_found")
    assert run("bases", "--json").document == {"items": []}


def test_source_and_metadata_come_back(run, handbook):
    run(
        "add",
        handbook,
        "--base",
        "B",
        "--wait",
        "--source-url",
        "https://example.org/h",
        "--metadata",
        "team=desk",
    )
    [item] = run("documents", "--base", "B", "--json").document["items"]
    assert (item["source_url"], item["metadata"]) == ("https://example.org/h", {"team": "desk"})


@pytest.mark.req("A4")
def test_an_empty_desk_and_an_empty_base_are_said_in_words(run, handbook, tmp_path):
    assert run("bases").out.startswith("There are no bases yet.")
    (tmp_path / "empty.md").write_text("")
    run("add", tmp_path / "empty.md", "--base", "B")
    result = run("documents", "--base", "B")
    assert (result.code, result.out.splitlines()[0][:26]) == (0, "B has no documents yet. `r")


RESOURCE = {
    "id", "name", "title", "kind", "state", "error", "code", "version", "indexed_version", "chars", "pages",
    "passages", "source_url", "metadata", "notes", "created_at",
}  # fmt: skip


def test_show_gives_the_resource_or_the_text(run, handbook):
    [added] = run("add", handbook, "--base", "B", "--wait", "--json").document["documents"]
    resource = run("show", added["id"], "--json").document
    assert set(resource) >= RESOURCE
    assert resource["title"] == "Refunds"
    said = run("show", added["id"])
    assert said.code == 0
    assert HANDBOOK.strip() in said.out


@pytest.mark.parametrize(
    "thing", ["doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "run_01JE3Y0ZD5V7K8Q2M4N6P8R0ST", "handbook"]
)
def test_show_of_nothing_is_not_found(run, thing):
    result = run("show", thing, "--json")
    assert (result.code, result.error["code"]) == (4, "not_found")


@pytest.mark.req("DOC7")
def test_delete_of_a_document_and_of_a_base(run, handbook):
    [added] = run("add", handbook, "--base", "B", "--wait", "--json").document["documents"]
    assert run("delete", added["id"], "--json").document == {"deleted": 1, "base": None, "erased": False}
    assert run("search", "refund", "--base", "B", "--json").document["hits"] == []
    assert run("delete", added["id"]).code == 4
    run("add", handbook, "--base", "B", "--wait")
    assert run("delete", "--base", "B").out == "Deleted the base B with 1 document.\n"
    assert run("documents", "--base", "B").code == 4


def test_delete_of_several_of_which_one_is_unknown_deletes_none(run, handbook):
    [added] = run("add", handbook, "--base", "B", "--wait", "--json").document["documents"]
    assert run("delete", added["id"], "doc_01JE3Y0ZD5V7K8Q2M4N6P8R0ST").code == 4
    assert run("show", added["id"]).code == 0


def test_erasing_blanks_the_passages_in_receipts(run, handbook):
    [added] = run("add", handbook, "--base", "B", "--wait", "--json").document["documents"]
    asked = run("ask", "when does a refund arrive?", "--base", "B", "--json").document
    assert "14 days" in run("show", asked["run"]).out
    run("delete", added["id"], "--erase")
    receipt = run("show", asked["run"], "--json").document
    assert [reference["number"] for reference in receipt["references"]] == [1]
    assert "14 days" not in str(receipt)


def test_reindex_says_when_there_is_nothing_to_do(run, handbook):
    run("add", handbook, "--base", "B", "--wait")
    assert run("reindex", "--base", "B", "--json").document == {"queued": 0}
    assert run("reindex", "--base", "nosuch").code == 4


def test_a_name_cannot_steer_the_terminal(run, tmp_path):
    (tmp_path / "a\x1b[31mred.md").write_text("")
    said = run("add", tmp_path / "a\x1b[31mred.md", "--base", "B")
    assert said.code == 3
    assert "\x1b" not in said.out
