"""The queue with many documents, organizations and workers, some of them killed: is the cap kept, is it fair?

    python benchmarks/queueing.py [--documents 10000] [--organizations 20] [--processes 8] [--kills 40]
                               [--seconds 0.005 | --real] [--database postgresql://…/empty]

Documents are queued through the facade. ``--seconds`` is how long a worker pretends to take for one, so that
what is measured is the queue; with ``--real`` each is read, split and indexed. Prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

import crowd

from refdesk.catalog import Catalog

HOUR = 3600.0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--organizations", type=int, default=20)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.005)
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--database")
    return parser.parse_args()


def sizes(total: int, organizations: int) -> list[int]:
    """The largest has three times as many as the smallest."""
    weights = [1 + 2 * number / (organizations - 1) for number in range(organizations)]
    return [round(total * weight / sum(weights)) for weight in weights]


def main() -> None:
    asked = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        address = asked.database or f"sqlite:///{folder / 'catalog.sqlite'}"
        settings = crowd.settings(address, folder)
        queue_sizes = sizes(asked.documents, asked.organizations)
        begun = time.monotonic()
        crowd.fill(folder / "desk", settings, queue_sizes)
        filled = time.monotonic() - begun
        total = sum(queue_sizes)
        gang = crowd.Crowd(
            folder / "desk",
            settings,
            folder / "journal",
            "real" if asked.real else str(asked.seconds),
            processes=asked.processes,
            kill_every=total // (asked.kills + 1),
        )
        with closing(Catalog(address)) as catalog:
            begun = time.monotonic()
            gang.run(catalog, time.monotonic() + HOUR)
            took = time.monotonic() - begun
            queued = crowd.queued_of(catalog)
            states = sorted(crowd.states(catalog))
        journal = crowd.Journal.read(gang.journal)
    report = {
        "database": address.partition(":")[0],
        "documents": total,
        "organizations": asked.organizations,
        "processes": asked.processes,
        "kills": gang.kills,
        "fill_seconds": round(filled, 1),
        "seconds": round(took, 1),
        "documents_a_second": round(total / took, 1),
        "states": states,
        "done_once": sum(times == 1 for times in journal.done.values()),
        "done_more_often": sum(times > 1 for times in journal.done.values()),
        "most_at_once_in_an_organization": max(gang.most_seen, journal.most_at_once()),
        "widest_spread_between_organizations": journal.spread(queue_sizes),
        "furthest_out_of_turn": max(journal.furthest_out_of_turn(ids) for ids in queued.values()),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
