"""What stands in for words of each subcategory (Shweta et al. 2017), on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from phiscrub.core.cover import Cover
from phiscrub.core.labels import HUB, label_set
from phiscrub.experiments.figures import f1
from phiscrub.experiments.invented import note
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Table
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace.templates import Settings, Templates, build
from phiscrub.train.corpus import Corpus

PAPERS = frozenset(  # labels whose templates the paper names
    {"PATIENT", "DOCTOR", "HOSPITAL", "DATE", "PHONE", "IDNUM", "MEDICALRECORD"}
)
NO_KIND = ("OTHER", "PHI")  # labels of the set that are no subcategory of the task


def templates() -> Templates:
    """Return the part that `phiscrub scrub --replace templates` replaces words by."""
    return build(Settings(HUB), Shelf("en", None))


def subcategories() -> tuple[str, ...]:
    """Return the task's labels, by category."""
    known = label_set(HUB)
    return tuple(label for label in known.labels if label not in NO_KIND)


def stand_ins(tested: Corpus, done: Results, steps: Mapping[str, str]) -> tuple[Table, Table]:
    """Return the template and our F1 of each subcategory, and an invented note with templates.

    `steps` are those of the systems, by their names on the page.
    """
    known, part = label_set(HUB), templates()
    there = Counter(mention.label for own in tested.notes for mention in own.mentions)
    rows = [
        (
            known.category(label),
            label,
            part.templates[label],
            "yes" if label in PAPERS else "",
            there[label],
            *_scores(done, tuple(steps.values()), label),
        )
        for label in subcategories()
    ]
    example = note()
    written = part.replace(example.document, Cover.of(example.mentions))
    return (
        Table(
            "Subcategories, and what stands in for them (templates)",
            "What `phiscrub scrub --replace templates` writes in the place of a mention; the paper "
            "names those marked, the others are in its manner. It counts 25 subcategories, the "
            f"task's guidelines name the {len(rows)} of this table. Ours: F1 of mentions, place "
            "and label right; the paper gives none by subcategory.",
            (
                *("category", "subcategory", "stands in", "the paper's", "there"),
                *(f"ours {name}" for name in steps),
            ),
            tuple(rows),
        ),
        Table(
            "An invented note with templates",
            "As it is where every mention is found.",
            ("note", "becomes"),
            ((example.document.text, written.text),),
        ),
    )


def _scores(done: Results, steps: Sequence[str], label: str) -> list[float | None]:
    return [f1(done[name]["mentions"].get(label)) if name in done else None for name in steps]
