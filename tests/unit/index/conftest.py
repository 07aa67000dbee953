"""The inner loops of a search in both of their forms."""

from __future__ import annotations

import pytest
from tests.conftest import need

from refdesk.index.local import kernels
from refdesk.index.local.kernels import by_rows, by_vectors, by_words


@pytest.fixture
def compiled() -> object:
    need(
        kernels.COMPILED is not None,
        "the loops of a search are not compiled: install Refdesk with a C compiler",
    )
    return kernels.COMPILED


@pytest.fixture(params=["compiled", "numpy"])
def loops(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that uses this runs once with each."""
    if request.param == "compiled":
        request.getfixturevalue("compiled")
        return
    monkeypatch.setattr(kernels, "scored", by_words.scored)
    monkeypatch.setattr(kernels, "proposed", by_vectors.proposed)
    monkeypatch.setattr(kernels, "cosines", by_vectors.cosines)
    monkeypatch.setattr(kernels, "postings_of", by_rows.postings_of)
