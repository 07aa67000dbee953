"""Chat models behind ``ChatModel``. Models are named ``provider:model``; the default is ``quoting``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from refdesk.answer.model import ChatModel
from refdesk.answer.models.quoting import QuotingModel

if TYPE_CHECKING:
    from refdesk.answer.models.providers import Place
    from refdesk.settings import Settings


def open_model(
    name: str | None = None, settings: Settings | None = None, environment: Mapping[str, str] | None = None
) -> ChatModel:
    """The quoting model unless another is named; with the keys of the environment. Raises ``UsageError`` and
    ``Failed`` (``model_unavailable``) where it cannot be asked."""
    if name is None or name == QuotingModel.name:
        return QuotingModel()
    from refdesk.answer.models.providers import place_of

    return provider_model(place_of(name, os.environ if environment is None else environment), settings)


def provider_model(place: Place, settings: Settings | None = None) -> ChatModel:
    """Raises as ``open_model``."""
    from refdesk.answer.models.chat import ProviderModel
    from refdesk.answer.models.prices import read_prices
    from refdesk.settings import Settings

    settings = settings or Settings()
    model = ProviderModel(place, settings.model_seconds, read_prices(settings.model_prices))
    model.check()
    return model


__all__ = ["QuotingModel", "open_model", "provider_model"]
