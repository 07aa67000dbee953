"""What a cut-off would lose: the similarities that questions with and without an answer reach in a package's
bases, and where the cosines of its embedding model lie.

A question is answered in a base where a document that its judgements name is one of the base's; every other
question is one that the base does not answer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from refdesk.embedding.calibration import shipped
from refdesk.errors import UsageError
from refdesk.evaluate.metrics import percentile
from refdesk.evaluate.sets import Questions, load_questions
from refdesk.index.local.baked import BakedIndex, open_baked
from refdesk.package.bake import Progress, bake_base, silent
from refdesk.package.calibrations import Fitted, read_calibrations
from refdesk.package.check import check
from refdesk.package.manifest import Base, Package
from refdesk.package.worker.meanings import meaning_of
from refdesk.search.halves import Meaning

CUTOFFS = tuple(place / 20 for place in range(1, 20))
DEPTH = 200
"""Passages of a question that are looked at for one of a right document."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The best cosine and similarity of a question: of a right document's passages where it is answered, of
    all where it is not."""

    answered: bool
    cosine: float
    similarity: float


@dataclass(frozen=True, slots=True)
class Cutoff:
    """How many of the answered questions lose their answer, and of the others still get something."""

    min_score: float
    lost: int
    kept: int


@dataclass(frozen=True, slots=True)
class Calibrated:
    base: str
    mode: str
    model: str
    shipped: bool
    """Whether the model's calibration came with it, so that none is fitted."""
    reached: tuple[Reached, ...]

    def similarities(self, *, answered: bool) -> list[float]:
        return sorted(one.similarity for one in self.reached if one.answered is answered)

    def cosine(self, *, answered: bool) -> float | None:
        """Their median: what a calibration of the model is made of."""
        values = [one.cosine for one in self.reached if one.answered is answered]
        return round(percentile(values, 0.5), 4) if values else None

    def cutoffs(self) -> list[Cutoff]:
        right, wrong = self.similarities(answered=True), self.similarities(answered=False)
        return [Cutoff(at, sum(one < at for one in right), sum(one >= at for one in wrong)) for at in CUTOFFS]

    @property
    def highest_safe(self) -> float | None:
        """The highest cut-off of the table that loses no answer."""
        return max((one.min_score for one in self.cutoffs() if not one.lost), default=None)

    def to_dict(self) -> dict[str, Any]:
        return {
            "base": self.base,
            "mode": self.mode,
            "model": self.model,
            "answered": _band(self.similarities(answered=True)),
            "unanswered": _band(self.similarities(answered=False)),
            "cosine": {
                "on_topic": self.cosine(answered=True),
                "off_topic": self.cosine(answered=False),
            },
            "highest_safe": self.highest_safe,
            "cutoffs": [
                {"min_score": one.min_score, "answers_lost": one.lost, "unanswered_kept": one.kept}
                for one in self.cutoffs()
            ],
        }


def calibrate(
    folder: Path, questions: Path, models: Path, only: str | None = None, progress: Progress = silent
) -> list[Calibrated]:
    """Of each base of the package ``folder`` that compares vectors, or of one by its key. ``questions`` is a
    folder in BEIR's layout whose judgements name documents as their base's folder does; ``models`` has the
    weights of local models. Embeds the documents. Raises ``UsageError``, ``Failed``."""
    package = _package(folder)
    bases = _bases(package, only)
    asked = load_questions(questions)
    fitted = read_calibrations(folder)
    made = []
    for base in bases:
        with tempfile.TemporaryDirectory(prefix="refdesk-") as work:
            bake_base(folder, base, Path(work) / base.key, progress, models=models)
            index = open_baked(Path(work) / base.key)
            meaning = meaning_of(base, models, fitted)
            reached = tuple(_reached(asked, index, meaning))
            index.close()
        fingerprint = meaning.embedder.fingerprint
        made.append(Calibrated(base.key, base.mode, fingerprint.model, shipped(fingerprint), reached))
    return made


def fitted(made: Iterable[Calibrated]) -> Fitted:
    """A calibration for each model that has none of its own and whose cosines tell the questions apart: of
    several bases, by all of their questions."""
    cosines: dict[str, tuple[list[float], list[float]]] = {}
    for one in made:
        if not one.shipped:
            on, off = cosines.setdefault(one.model, ([], []))
            for reached in one.reached:
                (on if reached.answered else off).append(reached.cosine)
    medians = {
        model: (round(percentile(on, 0.5), 4), round(percentile(off, 0.5), 4))
        for model, (on, off) in cosines.items()
        if on and off
    }
    return {model: (on, off) for model, (on, off) in medians.items() if on > off}


def _package(folder: Path) -> Package:
    checked = check(folder)
    if checked.package is None:
        count = len(checked.findings.errors)
        what = "an error" if count == 1 else f"{count} errors"
        raise UsageError(f"The package has {what}: `refdesk check {folder}` tells more.")
    return checked.package


def _bases(package: Package, only: str | None) -> Sequence[Base]:
    if only is not None and only not in package.bases:
        raise UsageError(f"The package has no base {only!r}; it has {', '.join(package.bases) or 'none'}.")
    bases = [base for base in package.bases.values() if base.embed and only in (None, base.key)]
    if not bases:
        raise UsageError("There is nothing to calibrate: keyword search gives no scores.")
    return bases


def _reached(questions: Questions, index: BakedIndex, meaning: Meaning) -> Iterable[Reached]:
    names = {one.id: one.name for one in index.documents}
    held = set(names.values())
    for query in questions.queries:
        grades = questions.qrels.get(query.id, {})
        right = held.intersection(name for name, grade in grades.items() if grade > 0)
        found = index.nearest(meaning.embedder.question(query.text), DEPTH)
        fitting = [one.score for one in found if not right or names[one.document] in right]
        cosine = fitting[0] if fitting else 0.0
        yield Reached(bool(right), cosine, meaning.similarity(cosine))


def _band(values: Sequence[float]) -> dict[str, Any]:
    shares = {"lowest": 0.0, "p5": 0.05, "median": 0.5, "p95": 0.95, "highest": 1.0}
    band = {name: round(percentile(values, share), 4) if values else None for name, share in shares.items()}
    return {"questions": len(values), **band}
