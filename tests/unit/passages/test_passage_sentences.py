"""Where sentences end, in many languages. ``|`` marks each expected start but the first."""

from __future__ import annotations

from itertools import pairwise

import pytest

from refdesk.passages.sentences import sentence_starts


@pytest.mark.parametrize(
    "marked",
    [
        "One here. |Two here! |Three? |Four",
        'He said "stop." |Then he left.',
        "“Is it so?” he asked. |Nobody knew.",
        "(It was late.) |She slept.",
        "Dr. Miller and Prof. Ito met Mr. J. R. Smith. |They spoke.",
        "See Fig. 3 and cf. Sec. 4.2 for details. |More follows.",
        "Use it, e.g. at home, i.e. where you live. |Then stop.",
        "Pi is 3.14 and version 2.1.3 is out. |Go to example.com now.",
        "The U.S. Army and Acme Inc. merged vs. all odds.",
        "Apples, pears, etc. |Then came rain.",
        "It costs approx. five euros. |Fine.",
        "Wait... what? |Yes… no.",
        "all lower case text. |the next one follows. |and a third.",
        "tokens apart . |Next one .",
        "Am 3. März kam z. B. Herr Dr. Weiß, d. h. der Chef. |Er blieb bis 18.30 Uhr.",
        "Das gilt bzw. galt usw. bis heute. |Ende.",
        "Il vit M. Dupont, cf. p. 120. |Puis il partit.",
        "¿Qué hora es? |¡Son las tres! |El Sr. López y la Sra. Ruiz salen.",
        "他来了。|她走了！|真的吗？|「好。」|完",
        "東京です。|大阪です｡|終わり．|次",
        "３．５は数です。|次",
        "مرحبا بك؟ |نعم. |شكرا",
        "یہ پہلا ہے۔ |یہ دوسرا ہے۔",
        "यह पहला है। |यह दूसरा है॥ |अंत",
        "Он живёт на ул. Ленина, д. 125. |Это всё.",
        "Սա մեկն է։ |Սա երկուսն է։",
        "ይህ አንድ ነው። |ይህ ሁለት ነው።",
        "နေကောင်းလား။|ကောင်းပါတယ်။",
        "สวัสดีครับ วันนี้อากาศดี",
        "Well done! |Great! 🙂",
        "1. First press the button. |2. Then wait.",
    ],
)
def test_sentence_ends(marked: str) -> None:
    text = marked.replace("|", "")
    starts = [*sentence_starts(text, 0, len(text)), len(text)]
    assert "|".join(text[first:following] for first, following in pairwise(starts)) == marked
