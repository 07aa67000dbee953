"""The bases of ``agent.yaml``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from refdesk.package.documents import READ, documents, leaves
from refdesk.package.findings import Findings, Place, did_you_mean
from refdesk.package.keyed import keyed
from refdesk.package.keys import (
    BASE,
    BASE_KEYS,
    CHUNK_OVERLAP,
    CHUNK_SIZE,
    EMBED,
    MAX_CHUNK_SIZE,
    MAX_TOP_K,
    MODES,
    SECRETS,
    SERVICES,
    TOP_K,
)
from refdesk.package.manifest import Base
from refdesk.package.nodes import Entry
from refdesk.package.values import Values, shown
from refdesk.policy import load_policy
from refdesk.policy.model import Mode


@dataclass(frozen=True, slots=True)
class DeclaredBase:
    """``place`` is its key's; ``base`` is ``None`` where something is wrong with it."""

    place: Place
    base: Base | None


def read_bases(
    entry: Entry | None, secrets: Collection[str], folder: Path, findings: Findings
) -> dict[str, DeclaredBase]:
    if entry is None:
        return {}
    listed = Values(findings).mapping(entry.value, "`knowledge`", "bases by their keys", entry.place)
    if listed is None:
        return {}
    return {
        key: DeclaredBase(one.place, _Reader(one, secrets, folder, findings).base())
        for key, one in listed.entries.items()
    }


class _Reader:
    def __init__(self, entry: Entry, secrets: Collection[str], folder: Path, findings: Findings) -> None:
        self._entry = entry
        self._secrets = secrets
        self._folder = folder
        self._findings = findings
        self._values = Values(findings)

    def base(self) -> Base | None:
        key, place = self._entry.key, self._entry.place
        before = len(self._findings.errors)
        if not BASE.fullmatch(key):
            message = f"A base is called by 3 to 64 of `a-z 0-9 _`, and `{key}` has {len(key)} characters."
            self._findings.error(place, "bad_name", message)
        what = f"The base `{key}`"
        mapping = self._values.mapping(self._entry.value, what, ", ".join(BASE_KEYS), place)
        if mapping is None:
            return None
        its = keyed(mapping, BASE_KEYS, what, place, self._findings)
        path = self._path(its.get("path"))
        mode: Mode | None = self._values.choice(its["mode"], MODES) if "mode" in its else "hybrid"
        embed = self._values.choice(its["embed"], SERVICES) if "embed" in its else EMBED
        size = self._whole(its.get("chunk_size"), 1, MAX_CHUNK_SIZE, CHUNK_SIZE)
        overlap = self._overlap(its.get("chunk_overlap"), size)
        top_k = self._whole(its.get("top_k"), 1, MAX_TOP_K, TOP_K)
        min_score = self._min_score(its.get("min_score"), mode)
        if mode in ("meaning", "hybrid") and embed is not None:
            self._credential(embed, its["embed"].value.place if "embed" in its else place, key)
        self._budget(its, top_k, size)
        if len(self._findings.errors) > before:
            return None
        embeds = embed if mode != "keyword" else None
        secret = next((name for name in SECRETS[embeds] if name in self._secrets), None) if embeds else None
        return Base(
            key=key,
            path=path or "",
            mode=mode or "hybrid",
            embed=embeds,
            secret=secret,
            chunk_size=size or CHUNK_SIZE,
            chunk_overlap=overlap or 0,
            top_k=top_k or TOP_K,
            min_score=min_score,
        )

    def _whole(self, entry: Entry | None, least: int, most: int, default: int) -> int | None:
        return default if entry is None else self._values.whole(entry, least, most)

    def _overlap(self, entry: Entry | None, size: int | None) -> int | None:
        """Not written it is no more than the passage, and so cannot be wrong."""
        most = MAX_CHUNK_SIZE if size is None else size
        if entry is None:
            return min(CHUNK_OVERLAP, most)
        return self._values.whole(entry, 0, most, "" if size is None else " (the chunk_size)")

    def _path(self, entry: Entry | None) -> str | None:
        written = None if entry is None else self._values.text(entry, "the path of a folder")
        if entry is None or written is None:
            return None
        folder = self._folder / written
        if leaves(written):
            self._outside(entry, "it leads outside the package. Name a folder inside it.")
            return None
        if not _there(folder, written):
            near = [one.name for one in self._folder.iterdir() if one.is_dir()]
            message = f"`path` is {shown(entry.value)}, and the package has no such folder."
            self._findings.error(entry.value.place, "path_not_found", message + did_you_mean(written, near))
            return None
        if not folder.resolve().is_relative_to(self._folder.resolve()):
            self._outside(entry, "a link there leads outside the package.")
            return None
        if not folder.is_dir():
            message = f"`path` is {shown(entry.value)}, which is a file: name the folder that it is in."
            self._findings.error(entry.value.place, "path_not_found", message)
            return None
        return self._documents(entry, folder)

    def _documents(self, entry: Entry, folder: Path) -> str | None:
        found = documents(folder, self._folder)
        if found.escaping:
            self._outside(entry, f"its {found.escaping[0]} is a link that leads outside the package.")
            return None
        if found.unnamed:
            why = f"the name of its {found.unnamed[0]} is not in UTF-8; rename it."
            message = f"`path` is {shown(entry.value)}: {why}"
            self._findings.error(entry.value.place, "bad_name", message)
            return None
        if not found.files:
            message = f"The folder {shown(entry.value)} holds no document that ends in {', '.join(READ)}."
            self._findings.warn(entry.value.place, "no_documents", message)
        return folder.resolve().relative_to(self._folder.resolve()).as_posix()

    def _outside(self, entry: Entry, why: str) -> None:
        message = f"`path` is {shown(entry.value)}: {why}"
        self._findings.error(entry.value.place, "outside_package", message)

    def _min_score(self, entry: Entry | None, mode: str | None) -> float | None:
        if entry is None:
            return None
        score = self._values.share(entry)
        if mode == "keyword":
            self._findings.error(
                entry.place,
                "min_score_with_keyword",
                f"`min_score` is {shown(entry.value)}, and `mode: keyword` gives no scores to compare: "
                "leave it out, or search by meaning or hybrid.",
            )
            return None
        most = load_policy("package").search.warn_min_score_over
        if score is not None and most is not None and score > most:
            self._findings.warn(
                entry.value.place,
                "min_score_high",
                f"`min_score` is {shown(entry.value)}, over {most}: it may drop real answers. "
                "`refdesk calibrate` shows what each cut-off would lose.",
            )
        return score

    def _credential(self, embed: str, place: Place, key: str) -> None:
        names = SECRETS[embed]
        if names and not any(name in self._secrets for name in names):
            others = f" (or {', '.join(names[1:])})" if names[1:] else ""
            self._findings.error(
                place,
                "missing_credential",
                f"`embed` is `{embed}` for the base `{key}`, and `secrets` does not list {names[0]}{others}.",
            )

    def _budget(self, its: dict[str, Entry], top_k: int | None, size: int | None) -> None:
        most = load_policy("package").search.warn_tokens_over
        if top_k is None or size is None or most is None or top_k * size <= most:
            return
        written = [its[name] for name in ("top_k", "chunk_size") if name in its]
        last = max(written, key=lambda one: (one.value.place.line, one.value.place.column))
        self._findings.warn(
            last.value.place,
            "reads_much",
            f"A lookup may give {top_k} × {size} = {top_k * size:,} tokens, over {most:,}, which are read "
            "in the middle of a call. Raise one of `top_k` and `chunk_size`, not both.",
        )


def _there(folder: Path, written: str) -> bool:
    try:
        return written.isprintable() and folder.exists()
    except OSError:  # a name that is longer than any may be
        return False
