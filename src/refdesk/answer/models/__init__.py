"""Chat models by name: ``provider:model``, or ``quoting``."""

from __future__ import annotations

from refdesk.answer.model import ChatModel
from refdesk.answer.models.quoting import QuotingModel
from refdesk.errors import UsageError


def open_model(name: str | None = None) -> ChatModel:
    """The quoting model unless another is named."""
    if name in {None, QuotingModel.name}:
        return QuotingModel()
    raise UsageError(f"There is no model {name!r}; the models are {QuotingModel.name}.")


__all__ = ["QuotingModel", "open_model"]
