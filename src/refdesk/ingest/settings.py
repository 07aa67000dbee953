"""What an index knows of itself: its analyzer, its vectors' fingerprint, its documents' languages."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping

from refdesk.errors import Failed
from refdesk.index.analysis import detect_languages
from refdesk.index.model import EXPECTED, FINGERPRINT, LANGUAGES, Index

MOST = 3  # at most so many are asked in; a vote of the documents decides which ...
SHARE = 0.05  # ... and one with fewer of the votes than this is taken for a mistake
DEFAULT_LANGUAGE = "english"


def languages_of(text: str) -> list[str]:
    """What a document is stemmed by, and votes for."""
    return detect_languages(text) or [DEFAULT_LANGUAGE]


def languages_in(settings: Mapping[str, str]) -> list[str]:
    """Those of most documents of an index with these settings, the most common first."""
    counts: Counter[str] = Counter(json.loads(settings.get(LANGUAGES, "{}")))
    enough = counts.total() * SHARE
    common = [language for language, count in counts.most_common(MOST) if count >= enough]
    return common or [DEFAULT_LANGUAGE]


class IndexSettings:
    """As they were when they were read: made for each use."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._values = dict(index.settings())

    @property
    def fingerprint(self) -> str | None:
        """The embedding model that the vectors were made by, ``None`` without vectors."""
        return self._values.get(FINGERPRINT)

    def agree(self, fingerprint: str) -> None:
        """The first vectors decide; others are refused, because they could not be compared."""
        self.check(fingerprint)
        if self.fingerprint is None:
            self._set(FINGERPRINT, fingerprint)

    def check(self, fingerprint: str) -> None:
        expected = self._values.get(EXPECTED, fingerprint)
        if self.fingerprint not in {None, fingerprint} or expected != fingerprint:
            raise Failed(
                "The base holds vectors of another embedding model, which cannot be compared: "
                "run `refdesk reindex`.",
                code="embedding_changed",
            )

    def turn_to(self, fingerprint: str | None) -> None:
        """Another embedding model, or none: vectors of the present one are kept, and not compared."""
        self._index.turn_to(fingerprint)
        self._values = dict(self._index.settings())

    @property
    def languages(self) -> list[str]:
        """Those of most documents, the most common first. Each document is stemmed by its own alone, so its
        terms stay right when these change."""
        return languages_in(self._values)

    @property
    def analyzer(self) -> int | None:
        """The analyzer version that the terms were made by, ``None`` before the first document."""
        version = self._values.get("analyzer")
        return None if version is None else int(version)

    def set_analyzer(self, version: int) -> None:
        self._set("analyzer", str(version))

    def _set(self, name: str, value: str | None) -> None:
        self._index.set_setting(name, value)
        if value is None:
            self._values.pop(name, None)
        else:
            self._values[name] = value
