"""The files of ``sqlite``; words that more than a fifth of a base's passages hold are left out of a question.

FTS5's documentation knows no such thing; it is what somebody who measures would do. The words are known by
``fts5vocab``, FTS5's own table of what stands in its index.
"""

from __future__ import annotations

from collections.abc import Sequence

import apsw

from speed.engines import sqlite

PACKAGES = sqlite.PACKAGES

_MOST = 0.2
_FREQUENT = "SELECT term FROM temp.held WHERE doc > :most * (SELECT count(*) FROM passages)"


class Adapter(sqlite.Adapter):
    def open(self) -> None:
        super().open()
        self._frequent = [_frequent(database) for database in self._databases]

    def chosen(self, words: Sequence[str], base: int) -> Sequence[str]:
        tokenizer = self._databases[base].fts5_tokenizer("porter")
        rare = [word for word in words if not _terms(tokenizer, word) <= self._frequent[base]]
        return rare or words


def _frequent(database: apsw.Connection) -> set[str]:
    database.execute("CREATE VIRTUAL TABLE temp.held USING fts5vocab('main', 'words', 'row')")
    return {term for (term,) in database.execute(_FREQUENT, {"most": _MOST})}


def _terms(tokenizer: apsw.FTS5Tokenizer, word: str) -> set[str]:
    found = tokenizer(
        word.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
    )
    return set(found)
