"""One task of one engine, in this process and no other: ``python -m speed.worker ENGINE TASK DATA STORE``.

Prints one JSON object. Before the engine is imported nothing is that would make its start look shorter.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from itertools import cycle
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Any

from speed.clock import cpu, memory, timed
from speed.given import Given

if TYPE_CHECKING:
    from speed.engines.model import Engine, Mode

K = 8
RECALL = 10
WARM = 5
"""Questions that are asked before those that are measured."""


def build(engine: Engine, given: Given) -> dict[str, Any]:
    """Reading the data is part of it, for every engine alike."""
    times = timed([engine.build], cpu)
    return {"cpu": times.cpu[0] / 1000, "wall": times.wall[0] / 1000}


def first(engine: Engine, given: Given) -> dict[str, Any]:
    """The first answer of a process that has imported the engine: by keyword where the engine has that."""
    question, mode = given.questions()[0], next(iter(engine.searches))
    vector = None if mode == "keyword" else given.question_vectors()[0]  # loaded with numpy
    began, used = time.perf_counter(), cpu()
    engine.open()
    opened = time.perf_counter()
    hits = engine.searches[mode]([0], question, vector, K)
    answered = time.perf_counter()
    return {
        "open": (opened - began) * 1000,
        "answer": (answered - opened) * 1000,
        "cpu": (cpu() - used) * 1000,
        "hits": len(hits),
        "memory": memory(),
    }


def search(engine: Engine, given: Given) -> dict[str, Any]:
    engine.open()
    found: dict[str, Any] = {}
    for mode in engine.searches:
        found[mode] = _asked(engine, given, mode, together=False)
    found["memory"] = memory()
    if engine.several and given.bases > 1:
        for mode in engine.searches:
            found[f"{mode} in all bases"] = _asked(engine, given, mode, together=True)
    engine.close()
    return found


def _asked(engine: Engine, given: Given, mode: Mode, *, together: bool) -> dict[str, Any]:
    """Each question in another base, or in all of them at once."""
    bases, every = given.bases, list(range(given.bases))
    one = engine.searches[mode]
    calls = [
        lambda n=n, q=q, v=v: _checked(one(every if together else [n % bases], q, v, K))
        for n, (q, v) in enumerate(zip(given.questions(), given.question_vectors(), strict=True))
    ]
    for call in calls[:WARM]:
        call()
    return asdict(timed(calls))


def _checked(hits: list[Any]) -> None:
    assert len(hits) <= K
    assert all(hit.text for hit in hits), "a hit came without its text"


def change(engine: Engine, given: Given) -> dict[str, Any]:
    """Documents in, then out again, then their bytes; nothing of an engine that documents no such thing."""
    engine.open()
    warm, *documents = given.more()
    try:
        engine.add(0, warm)
    except NotImplementedError:
        return {}
    engine.delete(0, warm)
    began = time.monotonic()
    added = timed([lambda one=one: engine.add(0, one) for one in documents], cpu)
    deleted = timed([lambda one=one: engine.delete(0, one) for one in documents], cpu)
    found = {"add": asdict(added), "delete": asdict(deleted), "during": (began, time.monotonic())}
    began, used = time.perf_counter(), cpu()
    if engine.clean():
        found["clean"] = {"cpu": (cpu() - used) * 1000, "wall": (time.perf_counter() - began) * 1000}
    engine.close()
    return found


def searching(engine: Engine, given: Given) -> dict[str, Any]:
    """By keyword and hybrid in turn until the input is closed, with when each began; prints a line before."""
    engine.open()
    asked = list(zip(given.questions(), given.question_vectors(), strict=True))
    found: dict[str, list[tuple[float, float]]] = {"keyword": [], "hybrid": []}
    for question, vector in asked[:WARM]:
        for mode in found:
            engine.searches[mode]([0], question, vector, K)
    print("searching", flush=True)
    for question, vector in cycle(asked):
        for mode, times in found.items():
            began, used = time.monotonic(), time.process_time()
            engine.searches[mode]([0], question, vector, K)
            times.append((began, (time.process_time() - used) * 1000))
        if select([sys.stdin], [], [], 0)[0]:
            break
    engine.close()
    return found


def recall(engine: Engine, given: Given) -> dict[str, Any]:
    """The share of the exactly nearest passages that are among the first ten by meaning."""
    if "meaning" not in engine.searches:
        return {}
    engine.open()
    exact = _nearest(given)
    found = 0
    for number, vector in enumerate(given.question_vectors()):
        hits = engine.searches["meaning"]([number % given.bases], "", vector, RECALL)
        found += len(exact[number] & {hit.key for hit in hits})
    engine.close()
    return {"recall": found / sum(map(len, exact))}


def _nearest(given: Given) -> list[set[str]]:
    """By comparing every vector of the question's base."""
    import numpy as np

    questions, exact = given.question_vectors(), []
    bases = [([one.key for one in passages], vectors) for _, passages, vectors in given.by_base()]
    for number, question in enumerate(questions):
        keys, vectors = bases[number % len(bases)]
        best = np.argpartition(-(vectors @ question), min(RECALL, len(keys)) - 1)[:RECALL]
        exact.append({keys[index] for index in best})
    return exact


TASKS = {
    "build": build,
    "first": first,
    "search": search,
    "change": change,
    "searching": searching,
    "recall": recall,
}


def main() -> None:
    name, task, data, store = sys.argv[1:]
    began, used = time.perf_counter(), cpu()
    module = import_module(f"speed.engines.{name}")
    imported = {"wall": (time.perf_counter() - began) * 1000, "cpu": (cpu() - used) * 1000}
    given = Given(Path(data))
    measured = TASKS[task](module.Adapter(Path(store), given), given)
    print(json.dumps(measured | {"import": imported, "versions": _versions(module.PACKAGES)}))


def _versions(packages: Sequence[str]) -> str:
    return ", ".join(f"{name} {version(name)}" for name in packages)


if __name__ == "__main__":
    main()
