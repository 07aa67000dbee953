from __future__ import annotations

import pytest

from refdesk import errors
from refdesk.errors import CODES, Failed, NotFound, NotPermitted, RefdeskError, Refusal, UsageError
from refdesk.ids import is_id, new_id


def test_every_error_renders_the_same_four_fields() -> None:
    error = Refusal("It has 9 pages; 3 are accepted.", code="too_many_pages", limit=3, actual=9)
    assert error.to_dict() == {
        "code": "too_many_pages",
        "message": "It has 9 pages; 3 are accepted.",
        "limit": 3,
        "actual": 9,
    }
    assert error.status == 413


def test_exit_codes_are_those_of_the_contract() -> None:
    assert [kind.exit_code for kind in (Failed, UsageError, Refusal, NotFound, NotPermitted)] == [
        1,
        2,
        3,
        4,
        5,
    ]


def test_every_kind_of_error_has_a_known_default_code() -> None:
    kinds = [
        kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, RefdeskError)
    ]
    assert len(kinds) == 6
    for kind in kinds:
        assert kind("x").code in CODES


def test_a_code_outside_the_table_is_a_fault_of_ours() -> None:
    with pytest.raises(ValueError, match=r"errors\.CODES"):
        Failed("x", code="nonsense")


def test_ids_sort_by_time_and_tell_what_they_name() -> None:
    ids = [new_id("doc") for _ in range(50)]
    assert len(set(ids)) == 50
    assert all(is_id(one, "doc") and not is_id(one, "kb") for one in ids)
    assert not is_id("doc_handbook", "doc")
