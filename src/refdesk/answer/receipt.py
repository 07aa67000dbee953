"""The hash over a receipt, so that a change of it shows.

It is taken of the run as it was made. What an erasure on demand may blank goes in by its own digest, and
these digests are kept: a receipt of which something was erased is still the one that was written.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from refdesk.answer.model import Receipt, ReceiptState, Run
from refdesk.results.receipts import is_erased

_APART = ("question", "answer", "warnings", "references", "receipt", "rating", "searches", "rejected")
_QUESTION = "question"
"""Has a digest of its own; in older receipts it went into the hash itself, and so did a document's names."""
_BLANKED = ("text", "section", "name", "title", "source_url", "metadata", "figures")
_BLANKED_BEFORE = ("text", "section")
_LATER = ("delivery", "figures")
"""What older receipts did not have: it goes into the hash where there is something."""


def sealed(run: Run) -> Receipt:
    digests = {name: _digest(value) for name, value in _parts(run).items()}
    return Receipt(_whole(run, digests), digests)


def state(run: Run) -> ReceiptState | None:
    """``None``: the run was made before receipts had a hash."""
    receipt = run.receipt
    if receipt is None:
        return None
    parts = _parts(run, before=_QUESTION not in receipt.digests)
    erased = _erased(run)
    if _whole(run, receipt.digests) != receipt.sha256 or set(parts) != set(receipt.digests):
        return "changed"
    other = {name for name, value in parts.items() if _digest(value) != receipt.digests[name]}
    if other - erased:
        return "changed"
    return "erased" if other else "intact"


def _parts(run: Run, *, before: bool = False) -> dict[str, Any]:
    """What an erasure may blank; ``before``: in a receipt from before it could blank questions and names."""
    blanked = _BLANKED_BEFORE if before else _BLANKED
    texts = {str(one.number): [asdict(one)[name] for name in blanked] for one in run.references}
    looked_up = {"searches": [asdict(one) for one in run.searches]} if run.searches else {}
    rejected = {"rejected": list(run.rejected)} if run.rejected else {}
    said = {"answer": run.answer, "warnings": list(run.warnings), **looked_up, **rejected, **texts}
    return said if before else {_QUESTION: run.question, **said}


def _erased(run: Run) -> set[str]:
    """Those parts that say of themselves that they were."""
    gone = {"answer", "warnings"} if is_erased(run.answer) and not run.warnings else set()
    if all(is_erased(one.query) and one.error is None for one in run.searches):
        gone.add("searches")
    if is_erased(run.question):
        gone.add(_QUESTION)
    if all(map(is_erased, run.rejected)):
        gone.add("rejected")
    return gone | {str(one.number) for one in run.references if is_erased(one.text) and one.section is None}


def _whole(run: Run, digests: Mapping[str, str]) -> str:
    table = _kept(asdict(run), _APART)
    blanked: Collection[str] = _BLANKED
    if _QUESTION in digests:
        table["citations"] = [_kept(asdict(one), ("name",)) for one in run.citations]
    else:
        table[_QUESTION], blanked = run.question, _BLANKED_BEFORE
    cost = None if run.cost is None else float(run.cost)
    references = [_kept(asdict(one), blanked) for one in run.references]
    return _digest({**table, "cost": cost, "references": references, "digests": dict(digests)})


def _kept(table: Mapping[str, Any], apart: Collection[str]) -> dict[str, Any]:
    said = (name for name in table if name not in apart)
    return {name: table[name] for name in said if table[name] or name not in _LATER}


def _digest(value: Any) -> str:
    written = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(written.encode()).hexdigest()


def resource(run: Run) -> dict[str, Any]:
    """The run as a resource: what ``ask`` prints, with who asked whom what, what it took, and whether its
    receipt is still the one that was written."""
    receipt = None if run.receipt is None else {"sha256": run.receipt.sha256, "state": state(run)}
    return {
        **run.to_dict(),
        "agent": run.agent,
        "agent_version": run.agent_version,
        "knowledge": None if run.knowledge is None else [asdict(base) for base in run.knowledge],
        "knowledge_mode": run.knowledge_mode,
        "delivery": run.delivery,
        "searches": [asdict(one) for one in run.searches],
        "rejected": list(run.rejected),
        "question": run.question,
        "grounding": run.grounding,
        "person": run.person,
        "tokens": {"input": run.input_tokens, "output": run.output_tokens},
        "timings": dict(run.timings),
        "created_at": run.created_at,
        "receipt": receipt,
        "rating": None if run.rating is None else asdict(run.rating),
    }
