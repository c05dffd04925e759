"""Label tags: each mention becomes its label in brackets, numbered by who or what is meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.mention import Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox
from phiscrub.replace.people import Name, fold, persons
from phiscrub.replace.standing import standing

PERSON_LABELS = frozenset({"PATIENT", "DOCTOR"})  # of the hub set
TITLE_REACH = 12  # characters before a mention in which its title may stand


@dataclass(frozen=True, slots=True)
class Settings:
    """Whether tags are numbered, and the label set that tells which labels are people."""

    numbered: bool = True
    label_set: str = HUB


def build(settings: Settings, toolbox: Toolbox) -> Tags:  # noqa: ARG001 - every part's signature
    """Make the replacer."""
    to_hub = label_set(settings.label_set).to_hub
    people = frozenset(label for label, hub in to_hub.items() if hub in PERSON_LABELS)
    return Tags(settings.numbered, people)


@dataclass(frozen=True, slots=True)
class Tags:
    """`Dr. Lena Ortiz … Dr. Ortiz` becomes `Dr. [DOCTOR-1] … Dr. [DOCTOR-1]`.

    Within a note and a label the same number is the same person or the same words, and two
    people never share one; numbers count first occurrences, on from those of tags that stand in the
    note already. `people` are the labels whose words
    are read as names; words of others are compared without case and runs of white space.
    """

    numbered: bool = True
    people: frozenset[str] = PERSON_LABELS

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with tags for mentions."""
        if not self.numbered:
            return Redaction(document, cover, tuple(f"[{mention.label}]" for mention in cover))
        numbers: dict[str, dict[Hashable, int]] = defaultdict(dict)
        highest: dict[str, int] = defaultdict(int)  # of the tags that stand
        for tag in standing(document.text, {mention.label for mention in cover}):
            highest[tag.label] = max(highest[tag.label], tag.number)
        tags = []
        for mention, identity in zip(cover, self._identities(document.text, cover), strict=True):
            known = numbers[mention.label]
            number = known.setdefault(identity, highest[mention.label] + len(known) + 1)
            tags.append(f"[{mention.label}-{number}]")
        return Redaction(document, cover, tuple(tags))

    def _identities(self, text: str, cover: Cover) -> list[Hashable]:
        """Return who or what each mention is about, comparable within its label."""
        names: dict[str, list[Name]] = defaultdict(list)
        for mention in cover:
            if mention.label in self.people:
                names[mention.label].append(_name(text, mention))
        told = {label: iter(persons(forms)) for label, forms in names.items()}
        return [
            next(told[mention.label])
            if mention.label in told
            else fold(text[mention.span.start : mention.span.end])
            for mention in cover
        ]


def _name(text: str, mention: Mention) -> Name:
    start, end = mention.span.start, mention.span.end
    return Name.read(text[start:end], text[max(0, start - TITLE_REACH) : start])
