"""One note as it came, and the person whom it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

OFFICIAL_ID = re.compile(r"(?P<patient>\d+)-(?P<record>\d+)-?")  # as the i2b2 corpora name notes


@dataclass(frozen=True, slots=True)
class Subject:
    """The patient of a note: a key that links the patient's notes, and what is known of them.

    `known` holds ``(label, words)`` pairs such as ``("PATIENT", "Ann Lee")``, `onset` the day from
    which time is counted, if it is known, as ``2021-02-27``. Nothing is shown in a repr, because
    all of it identifies.
    """

    key: str = field(repr=False)
    known: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    onset: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Document:
    """One note: its id, its text in Unicode code points, its subject, and free metadata.

    Text, subject and metadata stay out of the repr: they may identify the patient. The metadata
    are copied, so that the caller's mapping may change, and pickle, so that workers get them.
    """

    id: str
    text: str = field(repr=False)
    subject: Subject | None = field(default=None, repr=False)
    meta: Mapping[str, str] = field(default_factory=dict, repr=False, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "meta", MappingProxyType(dict(self.meta)))

    def __reduce__(self) -> tuple[object, ...]:
        return Document, (self.id, self.text, self.subject, dict(self.meta))


def patient_of(document: Document, name: str | None = None) -> str | None:
    """Return the key of a note's subject, else the patient in its id PATIENT-RECORD, else None.

    `name` is the id of the whole note where the document is a piece of one.
    """
    if document.subject is not None:
        return document.subject.key
    named = OFFICIAL_ID.fullmatch(document.id if name is None else name)
    return named["patient"] if named else None
