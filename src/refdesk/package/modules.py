"""The modules that a module needs, by the imports of its source, wherever in it they stand."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
_TOP = "refdesk"


def needed(roots: Sequence[str]) -> dict[str, Path]:
    """The files of all modules of ours that ``roots`` import, and their own, by name and in its order."""
    found: dict[str, Path] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        file = _file(name)
        if file is None or name in found:
            continue
        found[name] = file
        if name != _TOP:  # what the package itself gives on first use is nobody's need
            waiting += [name.rpartition(".")[0], *_imported(file)]
    return dict(sorted(found.items()))


def _file(name: str) -> Path | None:
    parts = name.split(".")
    if parts[0] != _TOP:
        return None
    path = ROOT.joinpath(*parts[1:])
    return next((file for file in (path / "__init__.py", path.with_suffix(".py")) if file.is_file()), None)


def _imported(file: Path) -> Iterator[str]:
    for node in _at_run_time(_parsed(file)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            for one in node.names:
                yield from _named(node.module, one.name)


def _named(module: str, name: str) -> Iterator[str]:
    """A submodule of that name, or the one that a package gives it from on first use."""
    if _file(f"{module}.{name}") is not None:
        yield f"{module}.{name}"
    file = _file(module)
    if file is None or file.name != "__init__.py":
        return
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.ImportFrom) and node.module and any(one.name == name for one in node.names):
            yield node.module


def _at_run_time(node: ast.AST) -> Iterator[ast.AST]:
    """Without what is imported for its types alone."""
    yield node
    for child in ast.iter_child_nodes(node):
        if (
            isinstance(child, ast.If)
            and isinstance(child.test, ast.Name)
            and child.test.id == "TYPE_CHECKING"
        ):
            continue
        yield from _at_run_time(child)


@cache
def _parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_bytes())
