"""``python worker.py``: serves a build; ``python worker.py bake`` makes its indexes."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path

from refdesk.errors import RefdeskError
from refdesk.package.compiled import read_compiled
from refdesk.package.worker.meanings import Meanings

log = logging.getLogger("refdesk.worker")

KEY = "REFDESK_WORKER_KEY"


def main(folder: Path, arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    given = _arguments(arguments)
    logging.basicConfig(stream=sys.stderr, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("refdesk").setLevel(logging.INFO)
    try:
        if given.command == "bake":
            return _bake(folder)
        return _serve(folder, given.host, given.port)
    except RefdeskError as error:
        log.critical("%s", error.message)
        return error.exit_code


def _arguments(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="worker.py", description="Serves the agents of this build.")
    parser.add_argument("command", nargs="?", choices=("serve", "bake"), default="serve")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8080)
    return parser.parse_args(arguments)


def _bake(folder: Path) -> int:
    from refdesk.package.bake import bake

    for one in bake(folder):
        log.info(
            "base=%s baked documents=%d passages=%d skipped=%d",
            *(one.base, one.documents, one.passages, len(one.skipped)),
        )
    return 0


def _serve(folder: Path, host: str, port: int) -> int:
    compiled = read_compiled(folder)
    meanings = Meanings(folder, compiled.calibrations)
    meanings.begin(compiled.bases.values())
    from refdesk.package.worker.knowledge import Knowledge
    from refdesk.package.worker.routes import App
    from refdesk.package.worker.server import Server

    server = Server(host, port)  # a port that is taken is told before anything is embedded
    knowledge = Knowledge(folder, compiled, meanings)
    try:
        server.routes = App(compiled, knowledge.bases, os.environ.get(KEY) or None)
        server.server_activate()
        for ending in (signal.SIGTERM, signal.SIGINT):
            signal.signal(ending, lambda *_: threading.Thread(target=server.shutdown).start())
        log.info("ready name=%s at http://%s:%d", compiled.name, server.server_name, server.server_port)
        server.serve_forever(poll_interval=0.1)
        server.finish()
    finally:
        server.server_close()
        knowledge.close()
    return 0
