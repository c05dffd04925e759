"""How many decoys a pipeline leaves alone: words that look identifying and are not."""

from __future__ import annotations

import re

from pages import ROOT

from phiscrub.core.document import Document
from phiscrub.core.span import Span
from phiscrub.pipeline.pipeline import Pipeline

DECOYS = ROOT / "tests" / "refine" / "decoys.txt"  # English sentences, the decoys in braces
LANGUAGE = "en"
BRACES = re.compile(r"[{}]")


def decoys_kept(pipeline: Pipeline, language: str) -> float:
    """Return the share of the language's decoys of which nothing is found, 1 where it has none."""
    if language != LANGUAGE:
        return 1.0
    lines = [line for line in DECOYS.read_text("utf-8").splitlines() if line[0] != "#"]
    documents = [Document(str(at), BRACES.sub("", line)) for at, line in enumerate(lines)]
    kept = [
        not any(mention.span.overlaps(span) for mention in cover)
        for line, cover in zip(lines, pipeline.covers(documents), strict=True)
        for span in _marked(line)
    ]
    return sum(kept) / len(kept)


def _marked(line: str) -> list[Span]:
    places = [brace.start() - index for index, brace in enumerate(BRACES.finditer(line))]
    return [Span(*pair) for pair in zip(places[::2], places[1::2], strict=True)]
