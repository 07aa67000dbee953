"""rich's console, imported only where something is shown."""

from __future__ import annotations

from rich.console import Console


class Screen(Console):
    def on_broken_pipe(self) -> None:
        """The reader has left; the entry knows what that means, and it is no failure."""
        raise BrokenPipeError
