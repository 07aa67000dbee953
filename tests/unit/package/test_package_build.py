"""A build is a folder that can be deployed, the same for the same package (CMP4, CMP5)."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
import yaml
from packages import Written
from packaging.requirements import Requirement

from refdesk.errors import Failed, UsageError
from refdesk.package.bake import bake
from refdesk.package.build import Built, build
from refdesk.package.check import check
from refdesk.package.keys import LOCAL, SERVICES
from refdesk.package.modules import needed
from refdesk.package.requirements import CORE, MODELS, PDF, pinned, wanted
from refdesk.package.wheel import ROOTS, worker_wheel


@pytest.fixture
def package(tmp_path: Path) -> Written:
    return Written(tmp_path / "shop")


def _built(package: Written, out: Path) -> Built:
    checked = check(package.folder)
    assert checked.package is not None, checked.findings
    return build(checked.package, out, Path("/nonexistent"))


def _bytes(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): (path.stat().st_mode, path.read_bytes()) for path in files}


@pytest.mark.req("CMP5")
def test_the_same_package_gives_the_same_bytes_wherever_and_by_whom(package: Written, tmp_path: Path) -> None:
    _built(package, tmp_path / "one")
    moved = tmp_path / "elsewhere"
    package.folder.rename(moved)
    package.folder = moved
    mask = os.umask(0o077)
    try:
        _built(package, tmp_path / "deep/two")
    finally:
        os.umask(mask)
    assert _bytes(tmp_path / "one") == _bytes(tmp_path / "deep/two")
    written = b"".join(content for _, content in _bytes(tmp_path / "one").values())
    assert str(tmp_path).encode() not in written


@pytest.mark.req("CMP5")
def test_what_is_no_document_stays_out_and_is_counted(package: Written, tmp_path: Path) -> None:
    documents = package.folder / "documents"
    for name in (".DS_Store", "photo.jpg", "scan.JPG", "notes.docx", "Makefile"):
        (documents / name).write_bytes(b"x")
    (documents / "more").mkdir()
    (documents / "more/terms.TXT").write_text("Terms of the shop.")
    built = _built(package, tmp_path / "out")
    assert built.documents == {"shop_documents": 4}
    counted = {".docx": 1, ".jpg": 2, "hidden": 1, "no ending": 1}
    assert built.ignored == {"shop_documents": counted}
    assert json.loads((tmp_path / "out/report.json").read_text())["ignored"] == {"shop_documents": counted}
    there = {name for name in _bytes(tmp_path / "out") if name.startswith("knowledge/")}
    assert "knowledge/shop_documents/more/terms.TXT" in there
    assert not any(name.lower().endswith((".jpg", ".docx", "makefile", ".ds_store")) for name in there)


@pytest.mark.req("CMP4", "CMP5")
def test_keyword_alone_installs_no_client(package: Written, tmp_path: Path) -> None:
    package.base("embed: google")
    built = _built(package, tmp_path / "out")
    assert set(built.requirements) <= {*CORE, "typing-extensions"}
    text = (tmp_path / "out/requirements.txt").read_text()
    assert all("==" in line for line in text.splitlines() if line and line[0] not in "# -")
    [wheel] = (tmp_path / "out/wheels").iterdir()
    assert f"--hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}" in text


CLIENTS = {
    "openai": {"httpx2"},
    "google": {"httpx2"},
    "huggingface": {"httpx2"},
    "bedrock": {"boto3"},
    LOCAL: {"onnxruntime", "tokenizers"},
}


@pytest.mark.req("CMP4")
@pytest.mark.parametrize("embed", SERVICES)
def test_a_service_brings_its_client_and_no_other(embed: str) -> None:
    names = {pin.name for pin in pinned(wanted([embed], pdf=False))}
    assert CLIENTS[embed] <= names
    others = set.union(*CLIENTS.values()) - CLIENTS[embed] - ({"httpx2"} if embed == LOCAL else set())
    assert not names & others
    assert not names & set(PDF)


@pytest.mark.req("CMP4")
@pytest.mark.parametrize(
    ("embeds", "models"),
    [((), ()), *(((one,), ()) for one in SERVICES), *(((), (one,)) for one in MODELS), (SERVICES, MODELS)],
)
def test_nothing_that_a_requirement_requires_is_missing(
    embeds: tuple[str, ...], models: tuple[str, ...]
) -> None:
    names = {pin.name for pin in pinned(wanted(embeds, pdf=True, models=models))}
    for name in names:
        try:
            lines = requires(name) or ()
        except PackageNotFoundError:  # of another platform or Python
            continue
        for line in map(Requirement, lines):
            if line.marker is None or line.marker.evaluate({"extra": ""}):
                assert line.name.lower().replace("_", "-") in names, f"{name} requires {line}"


@pytest.mark.req("CMP5")
def test_pdfs_bring_what_reads_them(package: Written, tmp_path: Path) -> None:
    (package.folder / "documents/scan.pdf").write_bytes(b"%PDF-1.4")
    assert set(PDF) <= set(_built(package, tmp_path / "out").requirements)


@pytest.mark.req("CMP5")
def test_the_wheel_has_the_worker_and_nothing_of_a_desk() -> None:
    modules = needed(ROOTS)
    for part in ("catalog", "desk", "web", "cli", "demo", "evaluate", "client", "blobs", "access"):
        assert not [name for name in modules if name.split(".")[1:2] == [part]], part
    assert "refdesk.package.worker.main" in modules
    assert "refdesk.search.search" in modules
    wheel = worker_wheel()
    assert worker_wheel() == wheel
    with zipfile.ZipFile(__import__("io").BytesIO(wheel.content)) as archive:
        assert archive.testzip() is None
        recorded = archive.read("refdesk_worker-0.1.0.dist-info/RECORD").decode().splitlines()
        assert {line.split(",")[0] for line in recorded} == set(archive.namelist())


@pytest.mark.req("CMP4", "CMP5")
def test_a_start_imports_no_library_but_numpy_and_the_stemmer() -> None:
    code = (
        "import sys, refdesk.package.worker.main, refdesk.package.worker.routes;"
        "print(*{name.split('.')[0] for name in sys.modules} - set(sys.stdlib_module_names))"
    )
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {
        "pydantic",
        "pydantic_core",
        "sqlalchemy",
        "fastapi",
        "httpx2",
        "mcp",
        "yaml",
        "onnxruntime",
        "PIL",
    }
    assert not set(there.stdout.split()) & heavy
    assert {"numpy", "Stemmer"} <= set(there.stdout.split())


@pytest.mark.req("CMP5", "CMP6")
def test_the_container_is_pinned_not_root_and_keeps_no_secret(package: Written, tmp_path: Path) -> None:
    package.base("embed: google", mode="hybrid")
    package.agent += "secrets: [GEMINI_API_KEY, OTHER_KEY]\n"
    out = tmp_path / "out"
    _built(package, out)
    container = (out / "Dockerfile").read_text()
    assert re.search(r"^ARG PYTHON=python:\d+\.\d+\.\d+-slim-\w+$", container, re.MULTILINE)
    assert "latest" not in container
    assert container.index("COPY requirements.txt") < container.index("COPY knowledge/")
    assert re.search(r"^USER 10001:10001$", container, re.MULTILINE)
    assert "ARG KNOWLEDGE_BAKE=0" in container
    bake_step = re.search(r"^RUN --mount.*?fi$", container, re.MULTILINE | re.DOTALL)
    assert bake_step is not None
    assert "--mount=type=secret,id=GEMINI_API_KEY" in bake_step[0]
    assert 'GEMINI_API_KEY="$(cat /run/secrets/GEMINI_API_KEY)" python worker.py bake' in bake_step[0]
    assert not re.search(r"^(ENV|ARG) .*KEY", container, re.MULTILINE)
    readme = (out / "README.md").read_text()
    assert (
        "docker build -t bicycle-shop --build-arg KNOWLEDGE_BAKE=1 \\\n"
        "  --secret id=GEMINI_API_KEY,env=GEMINI_API_KEY ."
    ) in readme
    assert "docker run --rm -p 127.0.0.1:8080:8080 -e GEMINI_API_KEY -e OTHER_KEY bicycle-shop" in readme
    compose = yaml.safe_load((out / "compose.yaml").read_text())
    worker = compose["services"]["worker"]
    assert worker["build"] == {
        "context": ".", "args": {"KNOWLEDGE_BAKE": "1"}, "secrets": ["GEMINI_API_KEY"],
    }  # fmt: skip
    assert worker["read_only"] is True
    assert compose["secrets"] == {"GEMINI_API_KEY": {"environment": "GEMINI_API_KEY"}}
    unit = (out / "bicycle-shop.service").read_text()
    assert "DynamicUser=yes" in unit
    assert "ExecStart=/opt/bicycle-shop/.venv/bin/python worker.py" in unit


@pytest.mark.req("CMP6")
def test_bedrock_bakes_with_the_chains_own_file(package: Written, tmp_path: Path) -> None:
    package.base("embed: bedrock", mode="meaning")
    _built(package, tmp_path / "out")
    assert (
        "--mount=type=secret,id=aws,target=/root/.aws/credentials"
        in (tmp_path / "out/Dockerfile").read_text()
    )
    assert "--secret id=aws,src=$HOME/.aws/credentials" in (tmp_path / "out/README.md").read_text()


AWS = ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("asked_for", ["vectors", "answers"])
def test_a_container_that_asks_bedrock_is_given_region_and_keys(
    package: Written, tmp_path: Path, asked_for: str
) -> None:
    """To bake: region and profile, beside the file of the chain."""
    if asked_for == "vectors":
        package.base("embed: bedrock", mode="meaning")
    else:
        package.agent = package.agent.replace("model: quoting", "model: bedrock:amazon.nova-lite-v1:0")
    _built(package, tmp_path / "out")
    readme = (tmp_path / "out/README.md").read_text()
    assert f"docker run --rm -p 127.0.0.1:8080:8080 {' '.join(f'-e {one}' for one in AWS)} bicycle" in readme
    worker = yaml.safe_load((tmp_path / "out/compose.yaml").read_text())["services"]["worker"]
    assert worker["environment"] == [*AWS, "REFDESK_WORKER_KEY"]
    bakes = asked_for == "vectors"
    arguments = {"AWS_REGION": None, "AWS_PROFILE": None} if bakes else {}
    assert worker["build"]["args"] == {"KNOWLEDGE_BAKE": "1", **arguments}
    container = (tmp_path / "out/Dockerfile").read_text()
    assert ("ARG AWS_REGION\nARG AWS_PROFILE\nRUN --mount=type=secret,id=aws" in container) is bakes
    assert ("KNOWLEDGE_BAKE=1 --build-arg AWS_REGION --build-arg AWS_PROFILE \\\n" in readme) is bakes


@pytest.mark.req("CMP6")
def test_a_build_in_place_of_a_build_keeps_what_was_baked(package: Written, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert not _built(package, out).bake_kept
    bake(out)
    (out / "stray").write_text("x")
    (package.folder / "documents/repairs.md").unlink()
    assert _built(package, out).bake_kept
    assert (out / "index/shop_documents/manifest.json").exists()
    assert not (out / "knowledge/shop_documents/repairs.md").exists()
    assert not (out / "stray").exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_folder_that_is_no_build_is_left_alone(package: Written, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/thesis.txt").write_text("years of work")
    for out, says in (
        (tmp_path / "mine", "not empty and no build"),
        (package.folder, "holds the package itself"),
        (tmp_path, "holds the package itself"),
        (package.folder / "documents/out", "inside the documents"),
        (package.folder / "agent.yaml", "is a file"),
    ):
        with pytest.raises(UsageError, match=says):
            _built(package, out)
    assert (tmp_path / "mine/thesis.txt").read_text() == "years of work"


@pytest.mark.req("CMP6")
def test_a_bake_may_be_read_by_everybody_whatever_the_mask(package: Written, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _built(package, out)
    mask = os.umask(0o077)
    try:
        bake(out)
    finally:
        os.umask(mask)
    folder = out / "index/shop_documents"
    assert {path.name: oct(path.stat().st_mode & 0o777) for path in folder.iterdir()} == {
        "manifest.json": "0o644",
        "passages.segment": "0o644",
        "texts.db": "0o644",
    }
    assert [oct(path.stat().st_mode & 0o777) for path in (folder, folder.parent)] == ["0o755"] * 2


def _all(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.req("CMP6")
@pytest.mark.parametrize("fails", ["shop_documents", ".env", "out"])
def test_a_build_that_cannot_be_put_in_place_leaves_the_former_one_as_it_was(
    package: Written, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    out = tmp_path / "out"
    _built(package, out)
    bake(out)
    (out / ".env").write_text("A=b")
    (out / ".venv").mkdir()
    (out / ".venv/pyvenv.cfg").write_text("home = /usr")
    before = _all(out)
    rename = Path.rename
    failed = []

    def once(self: Path, target: Path) -> Path:
        if target.name == fails and not failed:
            failed.append(target)
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", once)
    with pytest.raises(Failed, match=r"cannot be written to .*out: No space left on device\."):
        _built(package, out)
    assert _all(out) == before
    assert _built(package, out).bake_kept
    assert _all(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_build_into_a_link_is_made_where_it_leads(package: Written, tmp_path: Path) -> None:
    (tmp_path / "releases").mkdir()
    link = tmp_path / "current"
    link.symlink_to(tmp_path / "releases/one", target_is_directory=True)
    _built(package, link)
    _built(package, link)
    assert link.is_symlink()
    assert (tmp_path / "releases/one/worker.json").is_file()


@pytest.mark.req("CMP5")
def test_a_name_that_is_not_utf8_is_an_error_or_counted(package: Written, tmp_path: Path) -> None:
    documents = os.fsencode(package.folder / "documents")
    for name in (b"a.\xff", b"b.\xfe", b"caf\xe9.jpg"):
        Path(os.fsdecode(documents + b"/" + name)).write_bytes(b"x")
    built = _built(package, tmp_path / "out")
    counted = {".jpg": 1, "names not in UTF-8": 2}
    assert built.ignored == {"shop_documents": counted}
    assert json.loads((tmp_path / "out/report.json").read_text())["ignored"] == {"shop_documents": counted}
    Path(os.fsdecode(documents + b"/caf\xe9.md")).write_text("Coffee.")
    [error] = check(package.folder).findings.errors
    assert error.code == "bad_name"
    assert r"the name of its caf\udce9.md is not in UTF-8" in error.message
