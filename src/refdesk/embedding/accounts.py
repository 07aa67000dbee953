"""From an embedding account to its embedder. Local ones are ready wherever their weights are."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from refdesk.embedding.model import Embedder
from refdesk.errors import Failed, UsageError
from refdesk.settings import Settings

if TYPE_CHECKING:
    from refdesk.embedding.inprocess import InProcessEmbedder

LOCAL = "local"
LOCAL_MULTILINGUAL = "local-multilingual"
READY = (LOCAL, LOCAL_MULTILINGUAL)
"""Accounts that nobody makes: they are there where their model is."""


def open_embedder(account: str, settings: Settings) -> Embedder:
    """A ready account's. Costs nothing yet: the weights load with the first text.

    Raises ``Failed`` (``embedding_unavailable``) where the account can't be used here, saying what to run.
    """
    opens = {LOCAL: _local, LOCAL_MULTILINGUAL: _local_multilingual}
    if account not in opens:
        accounts = ", ".join(map(repr, opens))
        raise UsageError(f"There is no embedding account {account!r}; ready ones are {accounts}.")
    return opens[account](settings.cache_folder())


@cache
def _local(cache_folder: Path) -> InProcessEmbedder:
    """One for the process, however many desks it opens: loaded weights take about 180 MB."""
    from refdesk.embedding.local import LocalEmbedder
    from refdesk.embedding.models import BGE_SMALL, installed, model_folder

    if any(find_spec(library) is None for library in ("onnxruntime", "tokenizers")):
        raise _unavailable(LOCAL, "run `pip install 'refdesk[local]'`, then `refdesk models pull`")
    if not installed(BGE_SMALL.name, cache_folder):
        raise _unavailable(LOCAL, "its weights are not on this machine; run `refdesk models pull`")
    return LocalEmbedder(BGE_SMALL, model_folder(BGE_SMALL.name, cache_folder))


@cache
def _local_multilingual(cache_folder: Path) -> InProcessEmbedder:
    """One for the process, too: about 100 MB."""
    from refdesk.embedding.models import E5_SMALL, installed, model_folder
    from refdesk.embedding.nano import NanoEmbedder

    if not installed(E5_SMALL.name, cache_folder):
        raise _unavailable(LOCAL_MULTILINGUAL, f"run {E5_SMALL.remedy}")
    return NanoEmbedder(E5_SMALL, model_folder(E5_SMALL.name, cache_folder))


def _unavailable(account: str, why: str) -> Failed:
    return Failed(f"The embedding account {account!r} cannot be used: {why}.", code="embedding_unavailable")
