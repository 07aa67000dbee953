"""Whatever is sent to any address of the OpenAPI document, the answer is one that it describes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from refdesk import Desk
from refdesk.settings import Settings
from refdesk.testing import WordEmbedder
from refdesk.web.app import create_app

EXAMPLES = int(os.environ.get("REFDESK_TEST_EXAMPLES", "10"))
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("schema")
    (folder / "hours.md").write_text("# Hours\n\nWe open at nine on Saturday.\n")
    opened = Desk.open(
        folder / "desk",
        settings=Settings(cache=folder / "cache", requests_per_minute=None),
        embedders={"local": WordEmbedder()},
    )
    with opened as desk:
        desk.bases.create("Handbook").add(folder / "hours.md", wait=True)
        yield desk


@pytest.mark.req("H4")
def test_every_answer_is_one_that_is_described(desk: Desk) -> None:
    api = schemathesis.openapi.from_asgi("/openapi.json", create_app(desk))
    base = desk.bases.list()[0]
    agent = desk.agents.create("Reception", bases=[base])
    known = {
        "base_id": base.id,
        "document_id": base.list_documents()[0].id,
        "agent_id": agent.id,
        "call_id": desk.calls.start(agent.id).call.id,
        "run_id": desk.ask("when do you open on Saturday?", agent=agent.id).id,
    }
    headers = {"X-Api-Key": desk.keys.create().secret}
    operations = [found.ok() for found in api.get_all_operations()]
    assert len(operations) > 20
    for operation in operations:
        _ask(operation, headers, known)
        _ask(operation, headers, {})


def _ask(operation: Any, headers: dict[str, str], known: dict[str, str]) -> None:
    """With the ids that there are, where the address has one, and with whatever hypothesis thinks of."""

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None, derandomize=True, database=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    def asked(case: Any) -> None:
        if operation.method.upper() != "DELETE":
            case.path_parameters |= {key: id_ for key, id_ in known.items() if key in case.path_parameters}
        case.call_and_validate(headers=headers, checks=CHECKS)

    asked()
