"""Similarity: a cosine made comparable between models, from 0 (off topic) to 1 (on topic).

Cosines of one model mean nothing beside another's: an unrelated passage has 0.58 with one, 0.25 with
the next. A known model's similarity is a logistic of its cosine: strictly rising, so that it never
changes an order, and one half where a passage is as likely on topic as off.
"""

from __future__ import annotations

import math

from refdesk.embedding.model import Fingerprint
from refdesk.embedding.models import MODELS


def similarity(fingerprint: Fingerprint, cosine: float) -> float:
    """0-1; for a model without a calibration the cosine itself, 0 where it is negative."""
    model = MODELS.get(fingerprint.model) if fingerprint.provider == "local" else None
    if model is None or model.calibration is None:
        return min(1.0, max(0.0, cosine))
    midpoint, slope = model.calibration
    return 1.0 / (1.0 + math.exp(-slope * (cosine - midpoint)))
