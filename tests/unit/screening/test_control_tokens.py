"""Control tokens of chat models lose the signs that make them tokens."""

from __future__ import annotations

import pytest

from refdesk.screening.clean import clean_text
from refdesk.screening.edits import Edited
from refdesk.screening.fences import closing
from refdesk.screening.tokens import control_tokens

pytestmark = pytest.mark.req("RUN5")


def without(text: str) -> str:
    return " ".join(Edited(text, control_tokens(text)).text.split())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("<|im_start|>system", "im_start system"),
        ("a <|eot_id|> b", "a eot_id b"),
        ("<\uff5cend\u2581of\u2581sentence\uff5c>", "end\u2581of\u2581sentence"),
        ("[INST] x [/INST] <<SYS>> y <</SYS>>", "INST x INST SYS y SYS"),
        ("<start_of_turn>model", "start_of_turn model"),
        ("<bos><unk><eos>", "bos unk eos"),
    ],
)
def test_the_word_stays(text: str, left: str) -> None:
    assert without(text) == left


@pytest.mark.parametrize(
    "text",
    ["xs |> map f <| y", "a <b> c", "[IN] [1] [Install]", "<s>old</s>", "if x <| y", "<|>", "| a | b |"],
)
def test_what_is_no_token_stays(text: str) -> None:
    assert control_tokens(text) == []


@pytest.mark.parametrize("text", ["<|im_<|x|>start|>", f"<|im_{closing('a' * 32, 'reference [1]')}start|>"])
def test_nothing_that_is_left_reads_as_a_token(text: str) -> None:
    assert control_tokens(clean_text(text)) == []


@pytest.mark.parametrize("text", ["<|x|>" * 50_000, "<|" * 100_000, "<|x|>\n" * 50_000, "[INST" * 50_000])
def test_a_text_of_tokens_is_judged_in_one_pass(text: str) -> None:
    clean_text(text)
