"""What embedding a question costs, to be added to engines that are given its vector:
``python -m speed.embedding DATA`` prints the times of each question of the data."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from refdesk.embedding.accounts import open_embedder
from refdesk.settings import Settings
from speed.clock import timed
from speed.given import Given
from speed.worker import WARM


def main() -> None:
    embedder = open_embedder("local", Settings())
    assert embedder is not None
    questions = Given(Path(sys.argv[1])).questions()
    for question in questions[:WARM]:
        embedder.question(question)
    print(json.dumps(asdict(timed([lambda q=question: embedder.question(q) for question in questions]))))


if __name__ == "__main__":
    main()
