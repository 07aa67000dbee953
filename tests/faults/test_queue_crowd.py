"""Many organizations and worker processes that are killed at random, on both databases: nothing is lost."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import crowd
import pytest

from refdesk.catalog import Catalog

SIZES = (5, 6, 7, 8)
SECONDS = 240.0


@pytest.mark.req("ING3", "D7", "ING1")
@pytest.mark.parametrize("work", ["real", "0.02"])
def test_nothing_is_lost_done_twice_or_out_of_turn_when_workers_are_killed(
    catalog_at: str, tmp_path: Path, work: str
) -> None:
    settings = crowd.settings(catalog_at, tmp_path)
    crowd.fill(tmp_path / "desk", settings, SIZES)
    gang = crowd.Crowd(tmp_path / "desk", settings, tmp_path / "journal", work, processes=5, kill_every=6)
    with closing(Catalog(catalog_at)) as catalog:
        gang.run(catalog, time.monotonic() + SECONDS)
        queued = crowd.queued_of(catalog)
        states = crowd.states(catalog)
    journal = crowd.Journal.read(gang.journal)
    assert gang.kills >= 3
    assert states == {"ready"}
    assert set(journal.done.values()) == {1}
    assert len(journal.done) >= sum(SIZES) - gang.kills  # who is killed after it is done cannot write it down
    assert max(gang.most_seen, journal.most_at_once()) <= crowd.CAP
    for documents in queued.values():
        # who was killed begins again; two that claim at once may write it down the other way round
        assert journal.furthest_out_of_turn(documents) <= gang.processes
    # an organization that somebody claims for just then is passed over
    assert journal.spread(SIZES) <= gang.processes
