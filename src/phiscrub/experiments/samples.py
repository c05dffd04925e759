"""What a pipeline finds in annotated notes."""

from __future__ import annotations

from collections.abc import Sequence

from phiscrub.core.mention import Annotated
from phiscrub.evaluate.sample import Sample, paired
from phiscrub.pipeline.pipeline import Pipeline


def samples_by(pipeline: Pipeline, notes: Sequence[Annotated]) -> list[Sample]:
    """Return annotated notes with what a pipeline finds in them."""
    return paired(notes, pipeline.annotate([note.document for note in notes]))
