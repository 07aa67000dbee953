"""Test doubles for users' own tests."""

from refdesk.testing.chats import Chatted, Says, ToolUse
from refdesk.testing.embedder import WordEmbedder
from refdesk.testing.protocols import Asked
from refdesk.testing.provider import FakeProvider, Mode

__all__ = ["Asked", "Chatted", "FakeProvider", "Mode", "Says", "ToolUse", "WordEmbedder"]
