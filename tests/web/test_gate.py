"""Routes of the API and their threads."""

from __future__ import annotations

import asyncio
import threading
from inspect import iscoroutinefunction

import pytest

from refdesk.web.api import ROUTERS
from refdesk.web.gate import Gate, in_thread


@pytest.mark.req("ING3")
def test_what_may_wait_runs_beside_the_loop_and_in_one_thread() -> None:
    def waits(number: int) -> tuple[int, int]:
        return number, threading.get_ident()

    number, thread = asyncio.run(in_thread(waits)(number=7))
    assert number == 7
    assert thread != threading.get_ident()


@pytest.mark.req("ING3")
def test_no_route_has_another_thread_check_its_answer() -> None:
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, Gate)]
    assert routes
    assert [route.path for route in routes if not iscoroutinefunction(route.endpoint)] == []
