"""The four policies are complete, every value names its requirement, and nothing else decides."""

from __future__ import annotations

import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from refdesk.errors import UsageError
from refdesk.policy import POLICIES, lines_in_force, load_policy, policy_lines

SOURCE = Path(__file__).parents[3] / "src" / "refdesk"


def _leaves(table: dict, prefix: str = "") -> set[str]:
    keys: set[str] = set()
    for key, value in table.items():
        path = f"{prefix}{key}"
        keys |= _leaves(value, f"{path}.") if isinstance(value, dict) else {path}
    return keys


@pytest.mark.parametrize("name", POLICIES)
def test_every_value_names_its_requirement(name: str) -> None:
    text = resources.files("refdesk.policy").joinpath(f"{name}.toml").read_text("utf-8")
    lines = policy_lines(name)
    assert {line.key for line in lines} == _leaves(tomllib.loads(text)) - {"name"}
    known = re.compile(r"^(?:DOC|FIG|CLS|ING|SPL|SRCH|RUN|KB|CMP|W|D|A|H)\d+$")
    for line in lines:
        for source in line.source.split(", "):
            assert known.match(source), f"{line.key}: {source}"


@pytest.mark.req("SRCH3")
@pytest.mark.parametrize("name", POLICIES)
def test_every_file_is_valid_and_read_as_it_would_be_validated(name: str) -> None:
    """To the type of each number: what is read plainly is what a project's own values would be laid over."""
    validated = load_policy(name, {"name": name})
    assert load_policy(name) == validated
    assert repr(load_policy(name)) == repr(validated)


EXPECTED = {
    "packs": {
        "documents.max_bytes.pdf": 4 * 1_048_576,
        "documents.max_characters": 400_000,
        "documents.max_pages": 300,
        "documents.max_seconds": 15,
        "figures.max_count": 40,
        "figures.max_pixels": 8_000_000,
        "figures.max_bytes": 5 * 1_048_576,
        "figures.max_total_bytes": 128 * 1_048_576,
        "figures.min_side": 32,
        "figures.max_stored_side": 1_568,
        "figures.prepare_seconds": 20,
        "figures.label_characters": 200,
        "figures.description_characters": 1_000,
        "search.top_k": 8,
        "answers.references": 8,
        "passages.size": 1_000,
        "search.question_max": 2_000,
        "ingestion.concurrent_per_organization": 2,
        "answers.fold_lines": 6,
        "answers.fold_characters": 600,
    },
    "bases": {
        "documents.max_bytes.word": 20 * 1_048_576,
        "documents.max_pages": 300,
        "search.top_k": 5,
        "search.max_top_k": 20,
        "passages.overlap_sentences": 1,
        "ingestion.while_reprocessing": "skip",
        "ingestion.accept": "queue",
    },
    "voice": {
        "documents.max_bytes.text": 2 * 1_048_576,
        "documents.max_bytes.pdf": 10 * 1_048_576,
        "documents.max_characters": 500_000,
        "documents.max_line_characters": 3_800,
        "documents.keep_original.pdf": False,
        "documents.concurrent_pdf_reads": 1,
        "passages.max_count": 400,
        "passages.size": 600,
        "passages.max_size": 1_300,
        "search.top_k": 4,
        "search.max_characters": 2_400,
        "search.per_call": 12,
        "search.question_min": 2,
        "search.question_max": 500,
        "search.deadline_seconds": 0.9,
        "bases.max_per_project": 10,
        "bases.max_documents": 50,
        "bases.max_project_characters": 5_000_000,
        "agents.max_bases": 3,
        "agents.inline_characters": 12_000,
        "agents.prompt_characters": 32_000,
    },
    "package": {
        "passages.unit": "tokens",
        "passages.size": 90,
        "passages.overlap": 20,
        "search.top_k": 3,
        "search.max_top_k": 20,
        "search.warn_min_score_over": 0.25,
        "search.warn_tokens_over": 1_500,
    },
}


@pytest.mark.req(
    "DOC3", "FIG2", "SRCH3", "SPL1", "SPL2", "SPL4", "KB4", "RUN1", "RUN3", "W8", "D9", "ING3", "ING4"
)
@pytest.mark.parametrize(
    ("name", "key", "value"),
    [(name, key, value) for name, keys in EXPECTED.items() for key, value in keys.items()],
)
def test_the_numbers_of_the_requirements(name: str, key: str, value: object) -> None:
    found: object = load_policy(name)
    for part in key.split("."):
        found = found[part] if isinstance(found, dict) else getattr(found, part)
    assert found == value


@pytest.mark.req("DOC1", "D8")
def test_kinds_by_policy() -> None:
    kinds = {name: set(load_policy(name).documents.kinds) for name in POLICIES}
    assert kinds == {
        "packs": {"markdown", "text", "word", "pdf", "image"},
        "bases": {"markdown", "text", "word", "pdf"},
        "voice": {"markdown", "text", "pdf"},
        "package": {"markdown", "text", "pdf"},
    }


def test_a_projects_own_values_lie_over_the_policy() -> None:
    changed = load_policy("packs", {"search.top_k": 3, "documents.max_bytes.pdf": 10})
    assert changed.search.top_k == 3
    assert changed.documents.max_bytes["pdf"] == 10
    assert load_policy("packs").search.top_k == 8
    shown = {line.key: line.value for line in lines_in_force("packs", {"search.top_k": 3})}
    assert shown["search.top_k"] == 3
    assert shown["search.max_top_k"] == 8


@pytest.mark.parametrize("overrides", [{"search.top": 3}, {"nothing.at_all": 1}, {"search.top_k": 0}])
def test_an_override_that_is_no_value_is_refused(overrides: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        load_policy("packs", overrides)


def test_an_unknown_policy_is_named_with_those_that_exist() -> None:
    with pytest.raises(UsageError, match="packs, bases, voice, package") as caught:
        load_policy("enterprise")
    assert caught.value.code == "unknown_policy"


def test_no_code_asks_which_policy_it_is() -> None:
    asks = re.compile(r"""(?:policy|name)\s*(?:==|!=|in)\s*[\[({]?\s*["'](?:packs|bases|voice|package)["']""")
    for path in SOURCE.rglob("*.py"):
        assert not asks.search(path.read_text("utf-8")), path
