"""The sides that corpora are distributed with: what is learned from, and what is tested."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Official:
    """Files and folders of the two sides, as they are called where the corpus is unpacked."""

    train: tuple[str, ...]
    test: tuple[str, ...]

    def __str__(self) -> str:
        return f"{' + '.join(self.train)} and {' + '.join(self.test)}"

    def is_in(self, folder: Path) -> bool:
        """Tell whether all of them are in a folder."""
        return all((folder / name).exists() for name in (*self.train, *self.test))


OFFICIAL = (
    Official(("train",), ("dev",)),  # MEDDOCAN, and what a user parts
    Official(  # 2006 i2b2
        ("deid_surrogate_train_all_version2.xml",),
        ("deid_surrogate_test_all_groundtruth_version2.xml",),
    ),
    Official(  # 2014 i2b2
        ("training-PHI-Gold-Set1", "training-PHI-Gold-Set2"),
        ("testing-PHI-Gold-fixed",),
    ),
    Official(("train", "development"), ("test",)),  # CoNLL-2012
    Official(("eng.train", "eng.testa"), ("eng.testb",)),  # CoNLL-2003
)


def official(folder: Path) -> Official | None:
    """Return the sides that a folder holds, if they are known."""
    return next((sides for sides in OFFICIAL if sides.is_in(folder)), None)
