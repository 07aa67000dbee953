"""What an answer cost: by this desk's own prices, else by pydantic-ai's list, else nobody knows."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from refdesk.answer.models.providers import Place
from refdesk.errors import UsageError

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelResponse

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars a million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Prices:
    """``own``: by the name of the model, ``provider:model``."""

    own: Mapping[str, Price] = field(default_factory=dict)

    def of(self, place: Place, response: ModelResponse) -> float | None:
        """US dollars. A server of one's own has the prices that were set, and no others."""
        usage = response.usage
        price = self.own.get(place.name)
        if price is not None:
            return (usage.input_tokens * price.input + usage.output_tokens * price.output) / _MILLION
        if place.url is not None and place.url != place.provider.address:
            return None
        try:
            return float(response.cost().total_price)
        except (LookupError, ValueError, AssertionError):
            return None


def read_prices(file: Path | None) -> Prices:
    """Of a TOML file with ``["openai:gpt-5"]`` and its ``input`` and ``output``. Raises ``UsageError``."""
    if file is None:
        return Prices()
    try:
        table = tomllib.loads(file.expanduser().read_text("utf-8"))
        return Prices({name: _price(row) for name, row in table.items()})
    except OSError as error:
        raise UsageError(f"The prices in {file} cannot be read: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f'{file} is no list of prices: for each model it has ["provider:model"], then input and output, '
            "in US dollars a million tokens."
        ) from error


def _price(row: Any) -> Price:
    price = Price(float(row["input"]), float(row["output"]))
    if price.input < 0 or price.output < 0:
        raise ValueError
    return price
