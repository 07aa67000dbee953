"""Questions in work on this server. A model may take minutes, so they have threads of their own: everything
else keeps those of the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from anyio import CapacityLimiter, to_thread
from fastapi import Request

from refdesk.answer.model import Run
from refdesk.errors import Failed

MOST = 16
PATIENCE = 5.0  # seconds that a question waits for another to be done


class Asks:
    def __init__(self) -> None:
        self._places = asyncio.Semaphore(MOST)

    async def begin(self, asking: Callable[[], Run]) -> asyncio.Future[Run]:
        """Raises ``Failed`` (``questions_busy``) where none of those in work is done in time."""
        try:
            await asyncio.wait_for(self._places.acquire(), PATIENCE)
        except TimeoutError:
            raise Failed(
                f"The server answers {MOST} questions at a time and is at work on as many: "
                f"ask again in {PATIENCE:g} seconds.",
                code="questions_busy",
                limit=MOST,
                retry_after=round(PATIENCE),
            ) from None
        run = asyncio.ensure_future(to_thread.run_sync(asking, limiter=CapacityLimiter(1)))
        run.add_done_callback(self._ended)
        return run

    def _ended(self, run: asyncio.Future[Run]) -> None:
        self._places.release()
        if not run.cancelled():
            run.exception()  # else the loop writes it out, with its message, where nobody hears it any more


def asks_of(request: Request) -> Asks:
    asks: Asks = request.app.state.asks
    return asks
