"""What models that a training builds on have learned from already."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from phiscrub.core.wording import counted
from phiscrub.detect.tagging.learned import learned
from phiscrub.detect.tagging.manifest import Manifest
from phiscrub.train.corpus import Corpus


def known_notices(
    models: Iterable[Manifest], weighed: Sequence[Corpus], dev: Corpus | None
) -> Iterator[str]:
    """Yield which models have learned from the very notes that they are weighed or measured on."""
    told = [(one, "its word counts for too much there; weigh it on other notes") for one in weighed]
    if dev is not None:
        told.append((dev, "figures are too good; measure on other notes"))
    for model in learned(models):
        for corpus, so in told:
            texts = {note.document.id: note.document.text for note in corpus.notes}
            known = len(model.known(texts, corpus.sha256))
            if known:
                yield (
                    f"{model.model} has learned from {corpus.name}: {known:,} of "
                    f"{counted(len(corpus), 'note')}, so {so}"
                )
