"""From an embedding account to its embedder. ``local`` is ready wherever its weights are."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from refdesk.embedding.local import LocalEmbedder
from refdesk.embedding.model import Embedder
from refdesk.embedding.models import BGE_SMALL, installed, model_folder
from refdesk.errors import Failed, UsageError
from refdesk.settings import Settings

LOCAL = "local"


def open_embedder(account: str | None, settings: Settings) -> Embedder | None:
    """``None`` without an account. Costs nothing yet: the weights load with the first text.

    Raises ``Failed`` (``embedding_unavailable``) where the account can't be used here, saying what to run.
    """
    if account is None:
        return None
    if account != LOCAL:
        raise UsageError(f"There is no embedding account {account!r}; the accounts are {LOCAL!r} and none.")
    return _local(settings.cache_folder())


@cache
def _local(cache_folder: Path) -> LocalEmbedder:
    """One for the process, however many desks it opens: loaded weights take about 180 MB."""
    if any(find_spec(library) is None for library in ("onnxruntime", "tokenizers")):
        raise _unavailable("run `pip install 'refdesk[local]'`, then `refdesk models pull`")
    if not installed(BGE_SMALL.name, cache_folder):
        raise _unavailable("its weights are not on this machine; run `refdesk models pull`")
    return LocalEmbedder(BGE_SMALL, model_folder(BGE_SMALL.name, cache_folder))


def _unavailable(why: str) -> Failed:
    return Failed(f"The embedding account {LOCAL!r} cannot be used: {why}.", code="embedding_unavailable")
