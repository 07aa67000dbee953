"""A checked package as a folder that can be deployed. The same package gives the same bytes."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from refdesk.embedding.models import DEFAULT_MODEL, known, pull, wrong
from refdesk.errors import Failed, UsageError
from refdesk.package.calibrations import read_calibrations
from refdesk.package.compiled import FILE, FILE_MODE, FOLDER_MODE, INDEX, KNOWLEDGE, MODELS, Compiled
from refdesk.package.documents import Documents, documents
from refdesk.package.keys import LOCAL
from refdesk.package.manifest import Package
from refdesk.package.models import protocol_of
from refdesk.package.rendered import rendered
from refdesk.package.replace import replace_build
from refdesk.package.requirements import pinned, wanted
from refdesk.package.wheel import NAME, Wheel, worker_wheel

_KEEP = ".keep"
"""Makes a folder that may be empty one that is copied."""
_OTHERS = (".venv", ".env")
"""What the README has people put into a build, and ``.dockerignore`` leaves out."""


@dataclass(frozen=True, slots=True)
class Built:
    """``ignored`` counts by ending what of each base's folder was left out; ``bytes`` are of all files."""

    name: str
    documents: Mapping[str, int]
    ignored: Mapping[str, Mapping[str, int]]
    requirements: tuple[str, ...]
    files: int
    bytes: int
    bake_kept: bool

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "documents": dict(self.documents),
            "ignored": {key: dict(counts) for key, counts in self.ignored.items()},
            "requirements": list(self.requirements),
            "files": self.files,
            "bytes": self.bytes,
            "bake_kept": self.bake_kept,
        }


def build(package: Package, out: Path, cache_folder: Path) -> Built:
    """Writes ``out`` anew, and what it links to where it is a link; the indexes that were baked there stay,
    and are held against the build when a worker starts. ``cache_folder`` is where the weights of the local
    model are. Raises ``UsageError`` where ``out`` is something else, ``Failed`` where it cannot be written,
    and is as it was, or the weights cannot be had."""
    _check_out(package, out)
    place = out.resolve()
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=f".{place.name}-") as work:
            made = Path(work) / "made"
            built = _written(package, made, cache_folder)
            kept = replace_build(made, place, [*(f"{INDEX}/{key}" for key in package.bases), *_OTHERS])
    except OSError as error:
        raise Failed(f"The build cannot be written to {out}: {error.strerror or error}.") from None
    return replace(built, bake_kept=any(name.startswith(f"{INDEX}/") for name in kept))


def _check_out(package: Package, out: Path) -> None:
    place, folder = out.resolve(), package.folder.resolve()
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file: name a folder with --out.")
    if folder == place or folder.is_relative_to(place):
        raise UsageError(f"{out} holds the package itself: name another folder with --out.")
    for base in package.bases.values():
        if place.is_relative_to(folder / base.path):
            raise UsageError(f"{out} is inside the documents of {base.key}: name another folder with --out.")
    if out.is_dir() and any(out.iterdir()) and not (out / FILE).is_file():
        raise UsageError(f"{out} is not empty and no build: name a new folder with --out.")


def _written(package: Package, made: Path, cache_folder: Path) -> Built:
    found = {
        key: documents(package.folder / base.path, package.folder) for key, base in package.bases.items()
    }
    compiled = _compiled(package)
    wheel = worker_wheel()
    pins = pinned(_wanted(package, found))
    files = {
        FILE: compiled.written(),
        "requirements.txt": _requirements([pin.text for pin in pins], wheel),
        f"wheels/{wheel.file}": wheel.content,
        **rendered(compiled, found),
        f"{INDEX}/{_KEEP}": b"",
    }
    for key, one in found.items():
        files |= {f"{KNOWLEDGE}/{key}/{file.name}": file.path.read_bytes() for file in one.files}
        files.setdefault(f"{KNOWLEDGE}/{key}/{_KEEP}", b"")
    if any(base.embed == LOCAL for base in package.bases.values()):
        files |= _weights(cache_folder)
    ignored = {key: dict(sorted((+one.ignored).items())) for key, one in found.items()}
    built = Built(
        name=package.name,
        documents={key: len(one.files) for key, one in found.items()},
        ignored=ignored,
        requirements=tuple(dict.fromkeys(pin.name for pin in pins)),
        files=len(files) + 1,
        bytes=sum(map(len, files.values())),
        bake_kept=False,
    )
    report = {
        name: value for name, value in built.to_dict().items() if name in ("name", "documents", "ignored")
    }
    files["report.json"] = json.dumps(report, indent=1, ensure_ascii=False).encode() + b"\n"
    _write(made, files)
    return built


def _compiled(package: Package) -> Compiled:
    bases = {key: replace(base, path=f"{KNOWLEDGE}/{key}") for key, base in package.bases.items()}
    return Compiled(
        name=package.name,
        agents=package.agents,
        tools=package.tools,
        bases=bases,
        secrets=package.secrets,
        calibrations=read_calibrations(package.folder),
    )


def _wanted(package: Package, found: Mapping[str, Documents]) -> list[str]:
    embeds = [base.embed for base in package.bases.values() if base.embed]
    pdf = any(file.name.lower().endswith(".pdf") for one in found.values() for file in one.files)
    models = [protocol for agent in package.agents.values() if (protocol := protocol_of(agent.model))]
    return list(wanted(embeds, pdf=pdf, models=models))


def _requirements(pins: list[str], wheel: Wheel) -> bytes:
    own = f"{NAME}=={wheel.version} \\\n    --hash=sha256:{wheel.sha256}"
    head = "# What this build's worker needs, and nothing else. Paths are relative to this file."
    return "\n".join([head, "--find-links wheels/", own, *pins, ""]).encode()


def _weights(cache_folder: Path) -> dict[str, bytes]:
    """Those of the local model, verified; fetched first where they are not on this machine."""
    model = known(DEFAULT_MODEL)
    pull(DEFAULT_MODEL, cache_folder)
    folder = model.folder(cache_folder)
    for file in model.files:
        if reason := wrong(file, folder):
            raise Failed(
                f"The weights of {model.name} cannot be used: {reason}.", code="embedding_unavailable"
            )
    return {f"{MODELS}/{model.name}/{file.name}": (folder / file.name).read_bytes() for file in model.files}


def _write(made: Path, files: Mapping[str, bytes]) -> None:
    """Whatever the mask of whoever builds, everybody may read them."""
    for name, content in files.items():
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(FILE_MODE)
    for folder in (made, *(path for path in made.rglob("*") if path.is_dir())):
        folder.chmod(FOLDER_MODE)
