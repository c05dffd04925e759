"""What was not masked, word by word with what stands around it: for the user's eyes alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from phiscrub.evaluate.masking import Leak
from phiscrub.evaluate.sample import Sample
from phiscrub.formats.private import write_private
from phiscrub.formats.stream import written

AROUND = 40  # characters on either side


def write_leaks(file: Path, samples: Sequence[Sample], leaks: Sequence[Leak]) -> None:
    """Write a line a leaked stretch: note, place, labels, words, and the text around them.

    Only the owner can read the file: it holds text of notes, and identifying text at that. Raises
    `OutputError` where it cannot be written.
    """
    texts = {sample.id: sample.text for sample in samples}
    lines = ["note\tstart\tend\tlabels\tleaked\taround"]
    for leak in leaks:
        text = texts[leak.document]
        for start, end in leak.uncovered:
            around = text[max(0, start - AROUND) : end + AROUND]
            cells = (leak.document, start, end, " ".join(leak.labels), text[start:end], around)
            lines.append("\t".join(" ".join(str(cell).split()) for cell in cells))
    with written(file):
        file.parent.mkdir(parents=True, exist_ok=True)
    write_private(file, "\n".join(lines) + "\n")
