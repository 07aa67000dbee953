from __future__ import annotations

from dataclasses import replace

import pytest

from refdesk.embedding.model import Fingerprint
from refdesk.embedding.scripts import reads

BGE = Fingerprint("local", "bge-small-en-v1.5", "x", 384, "cls", "", "", 512)


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("When does a refund arrive?", True),
        ("Wann kommt die Rückerstattung?", True),
        ("4711 / 0815", True),
        ("什么时候退款", False),
        ("Когда придёт возврат?", False),
        ("退款 refund policy form", True),
        ("متى يصل المبلغ", False),
    ],
)
def test_the_english_model_reads_latin_letters(question: str, read: bool) -> None:
    assert reads(BGE, question) is read
    assert reads(replace(BGE, model="multilingual-e5-small"), question)
    assert reads(replace(BGE, provider="openai"), question)
