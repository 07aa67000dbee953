"""The door for people and scripts: ``refdesk``. Heavy imports wait until a command needs them."""

from refdesk.cli.entry import main

__all__ = ["main"]
