"""The reference desk for AI agents: documents in, cited passages out, every answer with a receipt."""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Client", "Desk", "__version__"]

if TYPE_CHECKING:
    from refdesk.client import Client
    from refdesk.desk import Desk


def __getattr__(name: str) -> Any:
    """They come on first use: a reading child imports this package and needs none of it."""
    if name == "Desk":
        from refdesk.desk import Desk

        return Desk
    if name == "Client":
        from refdesk.client import Client

        return Client
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
