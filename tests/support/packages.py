"""A package for a test: the one that ``init`` writes, with its texts changed."""

from __future__ import annotations

from pathlib import Path

from refdesk.package.init import init


class Written:
    """``agent`` and ``tool`` are the texts of its files."""

    def __init__(self, folder: Path) -> None:
        init(folder)
        self.folder = folder

    @property
    def agent(self) -> str:
        return (self.folder / "agent.yaml").read_text("utf-8")

    @agent.setter
    def agent(self, text: str) -> None:
        (self.folder / "agent.yaml").write_text(text, "utf-8")

    @property
    def tool(self) -> str:
        return (self.folder / "tools/look_up.yaml").read_text("utf-8")

    @tool.setter
    def tool(self, text: str) -> None:
        (self.folder / "tools/look_up.yaml").write_text(text, "utf-8")

    def base(self, *lines: str, mode: str = "keyword") -> None:
        """Lines of its base, ``path`` apart."""
        said = "".join(f"    {line}\n" for line in (f"mode: {mode}", *lines))
        self.agent = self.agent.replace("    mode: keyword\n", said)
