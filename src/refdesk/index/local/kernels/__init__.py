"""The inner loops of searches and scrubs: compiled where the installation could compile them, else in numpy.
What uses them finds the same either way."""

from __future__ import annotations

from refdesk.index.local.kernels import by_rows, by_vectors, by_words
from refdesk.index.local.kernels.compiled import load

COMPILED = load()
"""``None`` where numpy does it."""

scored = COMPILED.scored if COMPILED else by_words.scored
proposed = COMPILED.proposed if COMPILED else by_vectors.proposed
cosines = COMPILED.cosines if COMPILED else by_vectors.cosines
postings_of = COMPILED.postings_of if COMPILED else by_rows.postings_of
