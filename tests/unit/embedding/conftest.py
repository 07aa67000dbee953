"""A made-up model, a hub that serves it, and the real model where its weights are here."""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.conftest import need

from refdesk.embedding import DEFAULT_MODEL, LocalEmbedder, installed, model_folder
from refdesk.embedding.models import BGE_SMALL, KnownModel
from refdesk.embedding.sources import Hub, ModelFile, Source
from refdesk.settings import Settings

WEIGHTS, TOKENIZER = b"weights " * 40_000, b'{"tokens": []}'
CONTENTS = {"model.onnx": WEIGHTS, "tokenizer.json": TOKENIZER}
PATHS = {"model.onnx": "onnx/model.onnx", "tokenizer.json": "tokenizer.json"}


def model_file(name: str, content: bytes) -> ModelFile:
    return ModelFile(name, len(content), (hashlib.sha256(content).hexdigest(),))


def small_model(*sources: Source) -> KnownModel:
    return KnownModel(
        name="small",
        weights=model_file("model.onnx", WEIGHTS),
        tokenizer=model_file("tokenizer.json", TOKENIZER),
        sources=sources,
        licence="MIT",
        languages="English",
        dimensions=4,
        max_tokens=8,
    )


@dataclass
class Server:
    """Serves what ``pages`` maps a path to: bytes, or a status. ``asked`` holds the paths asked for."""

    url: str
    pages: dict[str, bytes | int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def hub(self, **timeouts: float) -> Hub:
        return Hub(self.url, "maker/small", PATHS, **timeouts)

    def lay(self, contents: Mapping[str, bytes | int]) -> None:
        for name, content in contents.items():
            self.pages[f"/maker/small/resolve/main/{PATHS[name]}"] = content


@pytest.fixture
def server() -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.asked.append(self.path)
            page = told.pages.get(self.path, 404)
            body = page if isinstance(page, bytes) else b""
            self.send_response(200 if isinstance(page, bytes) else page)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """A test prints nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        told = Server(f"http://127.0.0.1:{httpd.server_port}")
        thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield told
        httpd.shutdown()
        thread.join()


@pytest.fixture
def wheel(tmp_path: Path) -> Callable[[Mapping[str, bytes]], Path]:
    """Makes a wheel ``carrier`` 1.0 with files under ``carrier/models/small/``."""

    def make(contents: Mapping[str, bytes]) -> Path:
        path = tmp_path / "wheels" / "carrier-1.0-py3-none-any.whl"
        path.parent.mkdir(exist_ok=True)
        info = "carrier-1.0.dist-info"
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in contents.items():
                archive.writestr(f"carrier/models/small/{name}", content)
            archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\n")
            archive.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            archive.writestr(f"{info}/RECORD", "")
        return path

    return make


@pytest.fixture(scope="session")
def bge() -> LocalEmbedder:
    need(find_spec("onnxruntime") is not None, "refdesk[local] is not installed")
    cache = Settings().cache_folder()
    need(installed(DEFAULT_MODEL, cache), "the weights are not here: run `refdesk models pull`")
    return LocalEmbedder(BGE_SMALL, model_folder(DEFAULT_MODEL, cache))
