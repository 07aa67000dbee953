"""Calibrate tells what each cut-off would lose (SRCH5, CMP3)."""

from __future__ import annotations

import json
from pathlib import Path
from unittest.mock import patch

import pytest
from packages import Written

from refdesk.cli import main
from refdesk.errors import NotFound, UsageError
from refdesk.evaluate.calibrate import CUTOFFS, calibrate
from refdesk.package.build import build
from refdesk.package.check import check
from refdesk.package.compiled import read_compiled
from refdesk.testing import WordEmbedder

QUERIES = {
    "q1": "How long a repair takes: an inspection takes two working days",
    "q2": "opening hours of the shop on Saturday",
    "q3": "zeppelin quantum marmalade",
}


@pytest.fixture
def package(tmp_path: Path) -> Written:
    made = Written(tmp_path / "shop")
    made.base("embed: bedrock", mode="meaning")
    folder = made.folder / "questions"
    folder.mkdir()
    lines = (json.dumps({"_id": id_, "text": text}) for id_, text in QUERIES.items())
    (folder / "queries.jsonl").write_text("\n".join(lines))
    (folder / "qrels.tsv").write_text("query\tcorpus\tscore\nq1\trepairs.md\t1\nq2\topening-hours.md\t1\n")
    return made


@pytest.fixture(autouse=True)
def _embedder() -> object:
    with patch("refdesk.package.embedders._service", return_value=WordEmbedder(512)) as opened:
        yield opened


@pytest.mark.req("SRCH5", "CMP3")
def test_each_cutoff_counts_what_it_loses_and_what_it_lets_through(package: Written, tmp_path: Path) -> None:
    [made] = calibrate(package.folder, package.folder / "questions", tmp_path)
    assert (made.base, len(made.similarities(answered=True))) == ("shop_documents", 2)
    [off] = made.similarities(answered=False)
    low, high = made.similarities(answered=True)
    assert off < low <= high
    for cut in made.cutoffs():
        assert cut.lost == (low < cut.min_score) + (high < cut.min_score)
        assert cut.kept == (off >= cut.min_score)
    assert made.highest_safe == max(at for at in CUTOFFS if at <= low)
    assert made.cosine(answered=True) >= made.cosine(answered=False)


@pytest.mark.req("SRCH5")
def test_at_the_command_line(package: Written, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", str(package.folder), "--json"]) == 0
    [base] = json.loads(capsys.readouterr().out)["bases"]
    assert base["answered"]["questions"] == 2
    assert base["unanswered"]["questions"] == 1
    assert [one["min_score"] for one in base["cutoffs"]] == list(CUTOFFS)
    assert main(["calibrate", str(package.folder)]) == 0
    shown = capsys.readouterr().out
    assert "2 questions with an answer, 1 without" in shown
    assert "The highest cut-off that loses no answer: 0." in shown


@pytest.mark.req("SRCH2", "SRCH5")
def test_a_model_without_a_calibration_gets_one_that_the_build_takes_along(
    package: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = package.folder / "questions"
    [before] = calibrate(package.folder, questions, tmp_path)
    assert main(["calibrate", str(package.folder), "--write", "--json"]) == 0
    fit = json.loads(capsys.readouterr().out)["fitted"]["words"]
    assert fit == {"on_topic": before.cosine(answered=True), "off_topic": before.cosine(answered=False)}
    [after] = calibrate(package.folder, questions, tmp_path)
    assert [one.cosine for one in after.reached] == [one.cosine for one in before.reached]
    assert after.similarities(answered=False) == [pytest.approx(0.1, abs=0.01)]
    assert max(after.similarities(answered=True)) > 0.89
    built = check(package.folder).package
    assert built is not None
    build(built, tmp_path / "out", tmp_path)
    compiled = read_compiled(tmp_path / "out")
    assert compiled.calibrations == {"words": (fit["on_topic"], fit["off_topic"])}
    (package.folder / "calibration.json").write_text('{"words": {"on_topic": 0.1, "off_topic": 0.5}}')
    with pytest.raises(UsageError, match="no calibration"):
        build(built, tmp_path / "out", tmp_path)


def test_what_cannot_be_calibrated(package: Written, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no folder"):
        calibrate(package.folder, tmp_path / "nothing", tmp_path)
    with pytest.raises(UsageError, match="no base 'other'; it has shop_documents"):
        calibrate(package.folder, package.folder / "questions", tmp_path, "other")
    package.agent = package.agent.replace("mode: meaning", "mode: keyword")
    with pytest.raises(UsageError, match="keyword search gives no scores"):
        calibrate(package.folder, package.folder / "questions", tmp_path)
    package.agent = package.agent.replace("mode: keyword", "mode: on")
    with pytest.raises(UsageError, match="The package has an error"):
        calibrate(package.folder, package.folder / "questions", tmp_path)
