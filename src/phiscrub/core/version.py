"""Which phiscrub this is: a model's manifest and a run's fingerprint say so."""

from __future__ import annotations

VERSION = "0.1.0"
