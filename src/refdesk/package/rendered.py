"""The texts of a build: container file, README, unit and compose file, each for this package."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from string import Template

from refdesk.package.compiled import MODELS, Compiled
from refdesk.package.documents import Documents
from refdesk.package.keys import LOCAL
from refdesk.package.manifest import Base
from refdesk.package.models import protocol_of

_AWS = "aws"
"""The build secret of a base that Bedrock embeds: a credentials file, as the AWS chain reads one."""
_AWS_BAKING = ("AWS_REGION", "AWS_PROFILE")
"""Build arguments beside it."""
_AWS_RUNNING = ("AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN")
"""What the chain reads in a container, where there is no file; on AWS a role stands in for the keys."""


def rendered(compiled: Compiled, documents: Mapping[str, Documents]) -> dict[str, bytes]:
    """By their names in the build."""
    embedding = sorted({base.secret for base in compiled.bases.values() if base.secret})
    aws = any(base.embed == "bedrock" for base in compiled.bases.values())
    bake = [*embedding, *([_AWS] if aws else [])]
    name = compiled.name
    return {
        "Dockerfile": _filled(
            "Dockerfile",
            models=f"COPY {MODELS}/ {MODELS}/\n" if _local(compiled) else "",
            arguments="".join(f"ARG {one}\n" for one in _AWS_BAKING) if aws else "",
            mounts="".join(f"{_mount(secret)} \\\n    " for secret in bake),
            secrets="".join(f'{one}="$(cat /run/secrets/{one})" ' for one in embedding),
        ),
        ".dockerignore": _filled("dockerignore"),
        "worker.py": _filled("worker.py"),
        f"{name}.service": _filled("unit.service", name=name),
        "compose.yaml": _compose(compiled, bake),
        "README.md": _readme(compiled, documents, bake),
    }


def _filled(template: str, **values: str) -> bytes:
    text = resources.files("refdesk.package").joinpath(f"templates/{template}").read_text("utf-8")
    return (Template(text).substitute(values) if values else text).encode()


def _local(compiled: Compiled) -> bool:
    return any(base.embed == LOCAL for base in compiled.bases.values())


def _at_run_time(compiled: Compiled) -> list[str]:
    """The variables that a container is given."""
    return list(dict.fromkeys([*compiled.secrets, *(_AWS_RUNNING if _asks_aws(compiled) else ())]))


def _asks_aws(compiled: Compiled) -> bool:
    models = (protocol_of(agent.model) for agent in compiled.agents.values())
    return "bedrock" in [*models, *(base.embed for base in compiled.bases.values())]


def _mount(secret: str) -> str:
    if secret == _AWS:
        return "--mount=type=secret,id=aws,target=/root/.aws/credentials"
    return f"--mount=type=secret,id={secret}"


def _compose(compiled: Compiled, bake: Iterable[str]) -> bytes:
    bake = list(bake)
    declared = [*(f"  {one}:\n    environment: {one}" for one in bake if one != _AWS)]
    declared += ["  aws:\n    file: ~/.aws/credentials"] if _AWS in bake else []
    return (
        _filled(
            "compose.yaml",
            name=compiled.name,
            arguments="".join(f"        {one}:\n" for one in _AWS_BAKING) if _AWS in bake else "",
            build_secrets=_listed("      secrets:\n", (f"        - {one}\n" for one in bake)),
            environment=_listed(
                "    environment:\n",
                (f"      - {one}\n" for one in [*_at_run_time(compiled), "REFDESK_WORKER_KEY"]),
            ),
            secrets=_listed("\nsecrets:\n", (f"{one}\n" for one in declared)).rstrip("\n"),
        ).rstrip()
        + b"\n"
    )


def _listed(head: str, lines: Iterable[str]) -> str:
    body = "".join(lines)
    return head + body if body else ""


def _readme(compiled: Compiled, documents: Mapping[str, Documents], bake: list[str]) -> bytes:
    name = compiled.name
    first = next(iter(compiled.agents.values()))
    count = sum(len(one.files) for one in documents.values())
    services = [base.embed for base in compiled.bases.values() if base.embed]
    flags = "".join(f" --build-arg {one}" for one in _AWS_BAKING) if _AWS in bake else ""
    flags += "".join(f" \\\n  --secret {_secret_flag(one)}" for one in bake)
    aws = _asks_aws(compiled)
    return _filled(
        "README.md",
        name=name,
        agents=", ".join(compiled.agents),
        agent=first.name,
        documents=f"{count} document{'' if count == 1 else 's'}",
        bases="\n".join(_base_row(base, documents[base.key]) for base in compiled.bases.values()),
        exports="".join(f"export {one}=…\n" for one in [*compiled.secrets, *(_AWS_BAKING if aws else ())]),
        indexes="embeds and indexes" if services else "indexes",
        bake_command=f"docker build -t {name} --build-arg KNOWLEDGE_BAKE=1{flags} .",
        run_command=" ".join(
            ["docker run --rm -p 127.0.0.1:8080:8080", *(f"-e {one}" for one in _at_run_time(compiled)), name]
        ),
        secret_note=(_ABOUT_AWS if aws else "") + (_ABOUT_THE_FLAGS if bake else ""),
        curl="".join(
            f"curl -s http://127.0.0.1:8080/agents/{first.name}/tools/{tool} "
            "-H 'Content-Type: application/json' -d '{\"query\": \"…\"}'\n"
            for tool in first.tools[:1]
        ),
    )


_ABOUT_AWS = """\
Bedrock is asked with what the AWS credential chain finds. A container has no profile: it takes AWS_REGION and
the three variables of a key, which `eval "$(aws configure export-credentials --format env)"` sets from a
profile. A role that AWS gives the machine or the task needs AWS_REGION alone.

"""

_ABOUT_THE_FLAGS = """\
The credential is a build secret: it is mounted for the one command that bakes, and is in no layer. Both flags
are needed: the argument tells the builder's cache that this image is to be baked. A question is embedded too,
so the worker needs the credential as well.

"""


def _secret_flag(secret: str) -> str:
    return f"id={secret},src=$HOME/.aws/credentials" if secret == _AWS else f"id={secret},env={secret}"


def _base_row(base: Base, documents: Documents) -> str:
    cells = (
        f"`{base.key}`",
        base.mode,
        str(len(documents.files)),
        f"{base.chunk_size} tokens",
        base.embed or "–",
        f"`{base.secret}`" if base.secret else "the AWS chain" if base.embed == "bedrock" else "–",
    )
    return f"| {' | '.join(cells)} |"
