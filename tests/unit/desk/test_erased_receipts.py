"""Erased on demand: afterwards nothing of it is in any byte of the desk, and the receipt says so."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.unit.desk.test_screened_documents import everywhere

from refdesk import Desk
from refdesk.answer.model import Run
from refdesk.answer.receipt import state
from refdesk.cli import main
from refdesk.desk.bases import Base
from refdesk.errors import NotFound

pytestmark = pytest.mark.req("RUN3", "RUN6")
SAID = ("zephyrquestion", "zephyranswer", "zephyrnote")


@pytest.fixture
def base(desk: Desk, tmp_path: Path) -> Base:
    file = tmp_path / "zephyrname.md"
    file.write_text(
        "# Gate of zephyrtitle\n\nThe northern castle gate opens for visitors at seven, zephyranswer.\n"
    )
    base = desk.bases.create("Handbook")
    base.add(file, wait=True)
    return base


@pytest.fixture
def run(desk: Desk, base: Base) -> Run:
    run = desk.ask("When does the northern castle gate open for a zephyrquestion?", bases=[base])
    assert run.answer is not None
    assert "zephyranswer" in run.answer
    desk.runs.rate(run.id, helpful=False, reason="wrong", note="It is the zephyrnote gate.")
    return desk.runs.get(run.id)


def test_a_run_keeps_no_word_of_what_was_said_in_it(desk: Desk, base: Base, run: Run) -> None:
    assert all(everywhere(desk.home, word) for word in SAID)
    assert state(run) == "intact"
    assert desk.runs.erase(run.id) == 1
    kept = desk.runs.get(run.id)
    assert {kept.question, kept.answer, kept.rating and kept.rating.note} == {kept.question}
    assert kept.question.startswith("text erased on ")
    assert all(one.text == kept.question and one.section is None for one in kept.references)
    assert [one.document for one in kept.references] == [one.document for one in run.references]
    assert (kept.receipt, state(kept)) == (run.receipt, "erased")
    assert desk.audit.list()[0].action == "run.erase"
    base.delete()
    desk.close()
    for word in (*SAID, "zephyrname", "zephyrtitle"):
        assert everywhere(desk.home, word) == []


def test_a_document_takes_the_notes_about_it_along(desk: Desk, run: Run) -> None:
    desk.documents.delete(run.references[0].document, erase=True)
    kept = desk.runs.get(run.id)
    assert kept.rating is not None
    assert str(kept.rating.note).startswith("text erased on ")
    assert kept.question == run.question
    assert state(kept) == "erased"
    for word in (*SAID[1:], "zephyrname", "zephyrtitle"):
        assert everywhere(desk.home, word) == []


def test_what_was_searched_in_a_call_is_erased_with_it(desk: Desk, base: Base) -> None:
    agent = desk.agents.create("Porter", bases=[base.id])
    call = desk.calls.start(agent.id).call
    desk.calls.search(call.id, "When does the zephyrquestion open?")
    assert desk.runs.erase(call.id) == 1
    assert [one.query[:14] for one in desk.calls.get(call.id).searches] == ["text erased on"]
    assert everywhere(desk.home, "zephyrquestion") == []


def test_only_records_that_are_there_are_erased(desk: Desk, run: Run) -> None:
    nobody = f"{run.id[:-4]}0000"
    with pytest.raises(NotFound):
        desk.runs.erase(run.id, nobody)
    assert desk.runs.get(run.id).question == run.question


def test_the_command_line_erases_runs_and_deletes_none(
    desk: Desk, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--home", str(desk.home), "delete", run.id]) == 2
    assert main(["--home", str(desk.home), "delete", run.id, run.references[0].document, "--erase"]) == 2
    assert main(["--home", str(desk.home), "delete", run.id, "--erase"]) == 0
    assert "Erased 1 record" in capsys.readouterr().out
    assert desk.runs.get(run.id).question.startswith("text erased on ")
