"""What a child says is data to check: a document may have taken it over."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from refdesk.errors import Refusal
from refdesk.policy import load_policy
from refdesk.reading import frames
from refdesk.reading.answer import Answer, Clocks
from refdesk.reading.assemble import assemble
from refdesk.reading.limits import Limits

PACKS = load_policy("packs")
LIMITS = Limits.of(PACKS)
WEBP = b"RIFF\x00\x00\x00\x00WEBPVP8L"

TEXT: dict[str, Any] = {
    "text": "words \ue0001\ue001",
    "pages": None,
    "title": None,
    "notes": [],
    "drawn": 1,
    "unseen": [],
    "labels": {"1": "a label"},
}


def receiver(data: bytes) -> Callable[[int], bytes]:
    rest = bytearray(data)

    def receive(count: int) -> bytes:
        if count > len(rest):
            raise EOFError
        taken = bytes(rest[:count])
        del rest[:count]
        return taken

    return receive


def answered(*said: tuple[bytes, dict[str, Any], bytes]) -> Answer:
    answer, clocks = Answer(LIMITS), Clocks.of(LIMITS)
    for tag, fields, body in said:
        answer.takes(frames.Frame(tag, fields, body), clocks)
    return answer


class TestFrames:
    def test_there_and_back(self) -> None:
        sent = frames.pack(frames.FIGURE, {"drawn": 3, "ü": None}, b"\x00body")
        assert frames.unpack(receiver(sent)) == (frames.FIGURE, {"drawn": 3, "ü": None}, b"\x00body")

    @pytest.mark.parametrize(
        "head", [b"no json", b"[1]", b"[" * 100_000, b'"text"', b"\xff\xfe", b'{"a": ' + b"9" * 5_000 + b"}"]
    )
    def test_a_head_that_is_no_object(self, head: bytes) -> None:
        with pytest.raises(frames.BadFrame):
            frames.unpack(receiver(frames.HEADER.pack(b"T", len(head), 0) + head))

    def test_more_than_any_document_gives_is_not_received(self) -> None:
        sent = frames.pack(b"T", {}, b"x" * 100)
        assert frames.unpack(receiver(sent), 102).body == b"x" * 100
        with pytest.raises(frames.BadFrame):
            frames.unpack(receiver(sent[: frames.HEADER.size]), 101)

    def test_an_honest_answer_is_never_too_much(self) -> None:
        text = '"' * LIMITS.max_characters + "🐢" * LIMITS.max_characters
        sent = frames.pack(b"T", {"text": text[LIMITS.max_characters // 2 :][: LIMITS.max_characters]})
        assert len(sent) < LIMITS.frame_bytes


class TestAnswers:
    @pytest.mark.parametrize(
        ("tag", "fields", "body"),
        [
            (b"?", {}, b""),
            (frames.PHASE, {"clock": "mine"}, b""),
            (frames.PHASE, {"clock": ["read"]}, b""),
            (frames.NOT_KEPT, {"type": "many"}, b""),
            (frames.NOT_KEPT, {"type": True}, b""),
            (frames.NOT_KEPT, {"because": 1}, b""),
            (frames.FIGURE, {}, b"<svg/>"),
        ],
    )
    def test_what_no_sane_child_says(self, tag: bytes, fields: dict[str, Any], body: bytes) -> None:
        with pytest.raises(frames.BadFrame):
            answered((tag, fields, body))

    def test_no_more_figures_than_the_limit(self) -> None:
        figure = (frames.FIGURE, {"drawn": 1, "same_as": 1, "width": 40, "height": 40}, WEBP)
        assert len(answered(*[figure] * 40).figures) == 40
        with pytest.raises(frames.BadFrame):
            answered(*[figure] * 41)

    def test_only_one_clock_runs_at_a_time(self) -> None:
        clocks = Clocks({"read": 100.0, "prepare": 50.0})
        clocks.since -= 40
        clocks.switch("prepare")
        clocks.since -= 10
        assert clocks.remaining() == pytest.approx(40, abs=1)
        clocks.switch("read")
        assert clocks.remaining() == pytest.approx(60, abs=1)


class TestReadings:
    @pytest.mark.parametrize(
        "change",
        [
            {"text": 7},
            {"text": None},
            {"title": ["x"]},
            {"notes": [1]},
            {"notes": None},
            {"pages": [1]},
            {"drawn": "many"},
            {"drawn": 1e400},
            {"unseen": ["x"]},
            {"text": "a lone \ud800 surrogate"},
        ],
        ids=str,
    )
    def test_text_of_another_shape_is_damaged(self, change: dict[str, Any]) -> None:
        answer = answered((frames.TEXT, {**TEXT, **change}, b""))
        with pytest.raises(Refusal) as refused:
            assemble("word", answer, PACKS)
        assert refused.value.code == "damaged"

    def test_missing_fields_are_damaged(self) -> None:
        for key in TEXT:
            left = {name: value for name, value in TEXT.items() if name != key}
            with pytest.raises(Refusal) as refused:
                assemble("word", answered((frames.TEXT, left, b"")), PACKS)
            assert refused.value.code == "damaged"

    @pytest.mark.parametrize(
        "problem",
        [
            {},
            {"code": "no such code", "message": "x", "limit": None, "actual": None},
            {"code": 1, "message": 2},
        ],
        ids=["empty", "unknown code", "other types"],
    )
    def test_a_problem_of_another_shape_is_damaged(self, problem: dict[str, Any]) -> None:
        with pytest.raises(Refusal) as refused:
            assemble("pdf", answered((frames.PROBLEM, problem, b"")), PACKS)
        assert refused.value.code == "damaged"

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"drawn": 1, "same_as": 9, "width": 1, "height": 1},
            {"drawn": "x", "same_as": 1, "width": 1, "height": 1},
        ],
        ids=["empty", "same as none", "no number"],
    )
    def test_a_figure_of_another_shape_is_damaged(self, fields: dict[str, Any]) -> None:
        answer = answered((frames.TEXT, TEXT, b""), (frames.FIGURE, fields, b""))
        with pytest.raises(Refusal) as refused:
            assemble("word", answer, PACKS)
        assert refused.value.code == "damaged"

    @pytest.mark.req("FIG3")
    @pytest.mark.parametrize("cut", ["deadline", "decode"])
    def test_what_was_not_reached_is_counted_by_what_cut_it(self, cut: str) -> None:
        text = {**TEXT, "drawn": 4, "text": "".join(f"w\n\n\ue000{n}\ue001\n\n" for n in range(1, 5))}
        figure = {"drawn": 1, "same_as": 1, "width": 40, "height": 40}
        answer = answered(
            (frames.TEXT, text, b""), (frames.FIGURE, figure, WEBP), (frames.NOT_KEPT, {"type": 1}, b"")
        )
        answer.cut_by = cut
        reading = assemble("word", answer, PACKS)
        assert reading.not_kept == {"type": 1, cut: 2}
        assert (
            reading.text
            == f"w\n\n[Figure 1: a label]\n\nw\n\nw\n\nw\n\nImages: 1 kept, 3 not kept (type: 1, {cut}: 2)"
        )

    def test_a_picture_drawn_again_shares_its_bytes(self) -> None:
        text = {**TEXT, "drawn": 2}
        figure = {"drawn": 1, "same_as": 1, "width": 40, "height": 40}
        again = {**figure, "drawn": 2}
        answer = answered(
            (frames.TEXT, text, b""), (frames.FIGURE, figure, WEBP), (frames.FIGURE, again, b"")
        )
        first, second = assemble("word", answer, PACKS).figures
        assert first.webp is second.webp
        assert (first.number, second.number) == (1, 2)


def test_limits_travel_as_plain_data() -> None:
    assert Limits(**json.loads(json.dumps(LIMITS.to_dict()))) == LIMITS
