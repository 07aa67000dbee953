"""Where the engine's events go while a command runs."""

from __future__ import annotations

import logging
import sys


def to_stderr() -> None:
    """Failures alone, as ``key=value`` on stderr: stdout belongs to the reply, and what a person must know
    is in it."""
    import structlog

    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.LogfmtRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR),
        logger_factory=structlog.PrintLoggerFactory(file=sys.stderr),
    )
