"""A chat model of a provider. Nothing is loaded or asked before the first prompt."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from importlib.util import find_spec

from refdesk.answer.model import Completion, Prompt, Said
from refdesk.answer.models.prices import Prices
from refdesk.answer.models.providers import Place
from refdesk.errors import Failed
from refdesk.outgoing.patience import Pace, Patience, persist
from refdesk.outgoing.trouble import Trouble

_TRIES = 3


class ProviderModel:
    """For one run: ``seconds`` are those of all its prompts together, with every try."""

    calls_tools = True
    sees = True

    def __init__(self, place: Place, seconds: float, prices: Prices) -> None:
        self.name = place.name
        self._place = place
        self._seconds = seconds
        self._prices = prices
        self._pace = Pace()
        self._until: float | None = None

    def check(self) -> None:
        """Raises ``Failed`` where what it needs is not installed."""
        provider = self._place.provider
        if any(not _installed(module) for module in ("pydantic_ai", provider.needs)):
            raise Failed(
                f"The model {self.name} needs a client that is not installed: "
                f"run `pip install 'refdesk[{provider.protocol}]'`.",
                code="model_unavailable",
            )

    def complete(self, prompt: Prompt, said: Said | None = None) -> Completion:
        if self._until is None:
            self._until = time.monotonic() + self._seconds
        left = max(self._until - time.monotonic(), 0.001)
        from refdesk.answer.models.asked import ask

        patience = Patience(request=self._seconds, tries=_TRIES)
        try:
            return persist(
                lambda seconds: ask(self._place, prompt, seconds, said, self._prices),
                1,
                left,
                patience,
                self._pace,
            )
        except Trouble as trouble:
            raise self._failed(trouble, prompt) from None

    def _failed(self, trouble: Trouble, prompt: Prompt) -> Failed:
        key = self._place.key
        sent = [*_sent(prompt), *([key.get_secret_value()] if key else [])]
        return Failed(
            trouble.sentence(f"The model {self.name}", sent),
            code="model_unavailable",
            retry_after=math.ceil(trouble.after) if trouble.after else None,
        )


def _sent(prompt: Prompt) -> Iterator[str]:
    yield from (prompt.system, prompt.user, prompt.closing)
    yield from (picture.label for picture in prompt.pictures)
    for turn in prompt.turns:
        yield from (turn.completion.text, *turn.replies)
        for call in turn.completion.calls:
            yield from (value for value in (call.arguments or {}).values() if isinstance(value, str))


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # its parent is not
        return False
