"""What a dozen notes of one's own are worth: a CRF from nothing, and from the one that ships.

Run: python benchmarks/adaptation.py [--writers NAME …]
Every second note of an English writer from whom nothing that ships has learned is trained on, the
others are measured on. Writes benchmarks/results/adaptation.json and adaptation.md, which hold no
text of a note.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from build_models import SHELF, learned_by
from evaluate_rules import figures
from model_data import data_of
from pages import RESULTS, keep_figures, shown, table

from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.detect.tagging.crf import CrfTagger
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.evaluate.sample import Sample
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import fit
from phiscrub.train.reading import tried
from phiscrub.train.recipe import load_recipe
from phiscrub.train.schedule import Run

SHIPPED = "en-crf"
LABELS = label_set("i2b2-2014")
WAYS = "as it ships", "from nothing", "from what ships"


def alone(notes: Sequence[Annotated]) -> list[Sample]:
    """Return notes with what the CRF that ships finds in them, alone."""
    model = CrfModel.load(SHELF / "models" / SHIPPED)
    tagger = CrfTagger.of(model, Shelf("en", None))
    return tried(notes, get_tokenizer(model.tokenizer), tagger)


def halves(corpus: Corpus) -> tuple[Corpus, Corpus]:
    """Return every second note, and the others."""
    return replace(corpus, notes=corpus.notes[::2]), replace(corpus, notes=corpus.notes[1::2])


def told(samples: Sequence[Sample]) -> dict[str, Any]:
    """Return strict F1, and how much of HIPAA's identifiers is masked, how precisely."""
    own = figures(samples, LABELS)
    f1 = next(value for name, value in own["all"].items() if name.startswith("Strict F1"))
    return {"f1": f1, "recall": own["hipaa"]["recall"], "precision": own["hipaa"]["precision"]}


def measured(corpora: Iterable[Corpus]) -> dict[str, Any]:
    """Return what each way finds in the other halves of all writers' notes."""
    recipe = load_recipe("phiscrub-crf")
    found: dict[str, list[Sample]] = {way: [] for way in WAYS}
    for corpus in corpora:
        own, others = halves(corpus)
        found["as it ships"] += alone(others.notes)
        for way, init in (("from nothing", None), ("from what ships", Path(SHIPPED))):
            fitted = fit(recipe, "en", [own], None, run=Run(init=init))
            found[way] += fitted.samples(others.notes)
        print(corpus.name, flush=True)
    return {way: told(samples) for way, samples in found.items()}


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--writers", nargs="+", help="by default all that no model knows")
    given = parser.parse_args()
    known = learned_by(SHELF / "models" / SHIPPED)
    corpora = [
        corpus
        for corpus in data_of("en").train
        if corpus.name not in known
        and (not given.writers or corpus.name.rpartition("/")[2] in given.writers)
    ]
    results: dict[str, Any] = {
        "writers": [corpus.name for corpus in corpora],
        "notes": sum(len(halves(corpus)[0].notes) for corpus in corpora),
        "ways": measured(corpora),
    }
    keep_figures(RESULTS / "adaptation.json", results)
    rows = [
        [way, *(shown(one[0] if isinstance(one, list) else one) for one in told.values())]
        for way, told in results["ways"].items()
    ]
    lines = [
        "# A dozen notes of one's own",
        "",
        f"The CRF alone, on every second note of {len(corpora)} writers whom it does not know as",
        "it ships; it is trained on the other notes of the same writer, "
        f"{results['notes'] / len(corpora):.0f} of each.",
        "",
        *table(["CRF", "strict F1", "HIPAA recall", "HIPAA precision"], rows),
    ]
    (RESULTS / "adaptation.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
