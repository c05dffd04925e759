"""What a run did, as counts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any

LISTS = ("failures", "unscrubbed", "identifying")


@dataclass(slots=True)
class Summary:
    """What a run did. Counts of mentions are by label; nothing of a note is in it.

    `quarantined` counts notes and records that were kept back, `broken_files` whole files of many
    notes, of which nobody knows how many there are. `empty` counts written notes without a word.
    `left_out` counts annotations that are no mentions, such as relations, and were not written,
    `declined` records that their annotator rejected or skipped. `unscrubbed` names columns that
    passed through and look like notes, `identifying` those that hold what was removed from the note
    beside them; `identifying_names` counts names that notes go out under and that hold what was
    removed from them. `passed_by` counts hidden files, which were not read. `files` counts those
    that were written, `foreign` others in the output folder, which this run did not write.
    `duplicate_ids` counts ids that several notes of a file have; it is known only with an audit.
    """

    notes: int = 0
    written: int = 0
    quarantined: int = 0
    broken_files: int = 0
    empty: int = 0
    characters: int = 0
    unknown_subjects: int = 0
    left_out: int = 0
    declined: int = 0
    passed_by: int = 0
    files: int = 0
    foreign: int = 0
    identifying_names: int = 0
    duplicate_ids: int = 0
    mentions: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    unscrubbed: list[str] = field(default_factory=list)
    identifying: list[str] = field(default_factory=list)

    @property
    def kept_back(self) -> int:
        """How many notes and whole files were to be read, and are not in the output."""
        return self.quarantined + self.broken_files

    def totals(self) -> dict[str, Any]:
        """Return what a checkpoint keeps."""
        told = {one.name: getattr(self, one.name) for one in fields(self)}
        lists = {name: list(told[name]) for name in LISTS}
        return {**told, **lists, "mentions": dict(self.mentions)}

    @classmethod
    def of(cls, totals: dict[str, Any]) -> Summary:
        """Go on from a checkpoint's totals."""
        lists = {name: list(totals.get(name, ())) for name in LISTS}
        return cls(**{**totals, **lists, "mentions": Counter(totals.get("mentions", {}))})
