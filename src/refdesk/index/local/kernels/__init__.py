"""The inner loops of a search: compiled where the installation could compile them, else in numpy. What uses
them finds the same either way."""

from __future__ import annotations

from refdesk.index.local.kernels import by_vectors, by_words
from refdesk.index.local.kernels.compiled import load

COMPILED = load()
"""``None`` where numpy does it."""

scored = COMPILED.scored if COMPILED else by_words.scored
proposed = COMPILED.proposed if COMPILED else by_vectors.proposed
cosines = COMPILED.cosines if COMPILED else by_vectors.cosines
