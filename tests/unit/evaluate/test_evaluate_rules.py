"""benchmarks/rules.py: a rule that is switched off makes a difference, and none afterwards."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from refdesk.index.analysis import analyze, analyze_question
from refdesk.index.analysis.passages import analyze_passages
from refdesk.index.hashed import term_hash
from refdesk.search import halves


def _rules() -> ModuleType:
    path = Path(__file__).parents[3] / "benchmarks" / "rules.py"
    spec = spec_from_file_location("benchmark_rules", path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


RULES = {rule.name: rule for rule in _rules().RULES}
EXAMPLES = {
    "W2 stems": ("policies", "one policy", "english"),
    "W2 the word as typed above its stem": ("policies", "policies", "english"),
    "W2 spellings without accents": ("facturación", "facturacion", "spanish"),
    "W3 one spelling (case, width, composition)": ("ＡＢＣ", "abc", "english"),
    "W4 names in parts": ("PO-4711/B", "4711", "english"),
    "W4 compounds in parts": ("long-term", "a term", "english"),
    "W5 figures with their unit or sign": ("5 kg", "5kg", "english"),
    "W6 words inside scripts without spaces": ("北京", "我在北京工作", "english"),
    "W7 little weight for common words": ("the", "the", "english"),
}


def cut_up(hashes: bytes) -> list[bytes]:
    return [hashes[start : start + 8] for start in range(0, len(hashes), 8)]


def matched(question: str, text: str, language: str) -> dict[str, float]:
    (stored,) = analyze_passages([text], [language])
    terms = analyze(text, [language]).terms
    assert set(cut_up(stored.terms.hashes)) == set(map(term_hash, terms)), "what an index keeps of it"
    asked = (term for word in analyze_question(question, [language]) for term in word.terms)
    return {term.term: term.weight for term in asked if term.term in terms}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_rule_switched_off_matches_otherwise_and_then_as_before(name: str) -> None:
    before = matched(*EXAMPLES[name])
    assert before
    with RULES[name].switched_off():
        assert matched(*EXAMPLES[name]) != before
    assert matched(*EXAMPLES[name]) == before


def test_frequent_words_are_kept_while_that_rule_is_off() -> None:
    before = halves.FREQUENT_SHARE
    with RULES["W7 dropping frequent words"].switched_off():
        assert halves.FREQUENT_SHARE == 1 > before
    assert before == halves.FREQUENT_SHARE


def test_every_rule_has_an_example() -> None:
    assert set(RULES) == {"nothing", *EXAMPLES, "W7 dropping frequent words"}
