"""Why a document cannot be read, as the reading child says it; the parent turns it into a refusal."""

from __future__ import annotations


class Problem(Exception):
    """``code`` is one of ``errors.CODES``; ``message`` is one sentence for a person.

    ``limit`` and ``actual`` are set where a limit was hit. The child knows neither pydantic nor
    ``refdesk.errors``: it has to start in milliseconds.
    """

    def __init__(
        self, code: str, message: str, limit: float | None = None, actual: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.limit = limit
        self.actual = actual
