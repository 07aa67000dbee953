"""A PostgreSQL of the tests' own: started once, shared by every process of a test run, gone with it.

As a program it runs the server for as long as the process that it is told to watch lives:

    postgres_server.py FOLDER PORT WATCHED_PID
"""

from __future__ import annotations

import fcntl
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

USER = "postgres"
START_SECONDS = 60.0

# Other than C, so that an order which depends on the database's collation is found out.
_INITDB = ("--auth=trust", f"--username={USER}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
_COLLATION = ("--locale-provider=icu", "--icu-locale=en-US")
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    "fsync": "off",  # nothing here outlives the run
    "full_page_writes": "off",
    "synchronous_commit": "off",
}


def program(name: str) -> str | None:
    """Debian keeps them beside the path."""
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name))
    return shutil.which(name, path=os.pathsep.join(map(str, reversed(versions)))) or shutil.which(name)


def installed() -> bool:
    return program("initdb") is not None and program("postgres") is not None


def shared_address(folder: Path, watched: int) -> str:
    """The address of the server that ``folder`` names, started by whoever asks first."""
    with (folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        written = folder / "postgres.address"
        if not written.exists():
            written.write_text(_started(watched))
        return written.read_text()


def _started(watched: int) -> str:
    data = Path(tempfile.mkdtemp(prefix="refdesk-postgres-"))
    if os.geteuid() == 0:
        owner = pwd.getpwnam(USER)
        os.chown(data, owner.pw_uid, owner.pw_gid)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with (data / "log").open("wb") as log:
        keeper = subprocess.Popen(
            [sys.executable, __file__, str(data), str(port), str(watched)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    give_up = time.monotonic() + START_SECONDS
    while not _answers(port):
        if keeper.poll() is not None or time.monotonic() > give_up:
            raise RuntimeError(f"PostgreSQL did not start: {(data / 'log').read_text(errors='replace')}")
        time.sleep(0.1)
    keeper.returncode = 0  # it ends by itself, and nobody waits for it
    return f"postgresql://{USER}@127.0.0.1:{port}"


def _answers(port: int) -> bool:
    ready = program("pg_isready")
    assert ready is not None
    call = [ready, "--quiet", "--host=127.0.0.1", f"--port={port}", "--timeout=1"]
    return subprocess.run(call, check=False).returncode == 0


def keep(data: Path, port: int, watched: int) -> None:
    try:
        _run(["initdb", f"--pgdata={data / 'cluster'}", *_INITDB, *_COLLATION]).wait()
        settings = [part for name, value in _SETTINGS.items() for part in ("-c", f"{name}={value}")]
        server = _run(["postgres", "-D", str(data / "cluster"), "-p", str(port), *settings])
        while server.poll() is None and Path(f"/proc/{watched}").exists():
            time.sleep(0.2)
        server.send_signal(signal.SIGQUIT)
        server.wait()
    finally:
        shutil.rmtree(data, ignore_errors=True)


def _run(call: Sequence[str]) -> subprocess.Popen[bytes]:
    found = program(call[0])
    assert found is not None
    user: dict[str, Any] = {}
    if os.geteuid() == 0:
        user = {"user": USER, "group": pwd.getpwnam(USER).pw_gid, "extra_groups": []}
    return subprocess.Popen([found, *call[1:]], cwd="/", **user)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
