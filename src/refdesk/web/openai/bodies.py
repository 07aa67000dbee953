"""What clients of this protocol send. A field that means something which a desk does not do is refused, with
what it does instead; one that nobody knows is refused as well."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Query
from pydantic import Field

from refdesk.errors import UsageError
from refdesk.web.foreign import flat
from refdesk.web.shapes import Body

Value = str | int | float | bool
Attributes = dict[str, Value]

Order = Annotated[Literal["asc", "desc"], Query()]
Limit = Annotated[int, Query(ge=1, le=100)]
Edge = Annotated[str | None, Query()]
Status = Annotated[Literal["in_progress", "completed", "failed", "cancelled"] | None, Query()]


class Chunking(Body):
    type: Literal["auto"]


class NewStore(Body):
    name: str | None = None
    description: str | None = None
    file_ids: list[str] = Field(default_factory=list)
    chunking_strategy: Chunking | None = None
    metadata: dict[str, str] | None = None
    expires_after: dict[str, Any] | None = None


class StoreChanges(Body):
    name: str | None = None
    metadata: dict[str, str] | None = None
    expires_after: dict[str, Any] | None = None


class NewFile(Body):
    file_id: str
    attributes: Attributes | None = None
    chunking_strategy: Chunking | None = None


class NewBatch(Body):
    file_ids: list[str] = Field(default_factory=list)
    files: list[NewFile] = Field(default_factory=list)
    attributes: Attributes | None = None
    chunking_strategy: Chunking | None = None


class FileChanges(Body):
    attributes: Attributes | None


class Filter(Body):
    """A comparison, or several of them joined."""

    type: str
    key: str | None = None
    value: Any = None
    filters: list[Filter] = Field(default_factory=list)


class Ranking(Body):
    ranker: str | None = None
    score_threshold: float | None = None


class Question(Body):
    query: str | Annotated[list[str], Field(min_length=1, max_length=1)]
    max_num_results: int | None = None
    filters: Filter | None = None
    ranking_options: Ranking | None = None
    rewrite_query: bool = False


def checked(body: NewStore | StoreChanges) -> None:
    """Raises ``UsageError``."""
    if body.metadata:
        raise UsageError(
            "A base has no metadata here: give them to its files, as attributes.", code="bad_value"
        )
    if body.expires_after:
        raise UsageError("A base here does not expire: delete it when it is done with.", code="bad_value")


def metadata(attributes: Attributes | None) -> dict[str, str] | None:
    """As they are kept: flat strings."""
    return None if attributes is None else {key: flat(value) for key, value in attributes.items()}
