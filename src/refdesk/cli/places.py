"""Where a passage stands, in words."""

from __future__ import annotations


def place(title: str, locator: str | None) -> str:
    """``Title › Section › Part``; a section path that begins with the title says it once."""
    from refdesk.passages.model import SECTION_SEPARATOR

    if locator is None or locator == title:
        return title
    if locator.startswith(f"{title}{SECTION_SEPARATOR}"):
        return locator
    return f"{title}{SECTION_SEPARATOR}{locator}"
