"""Other identifiers for those of a note, of the same type and form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from phiscrub.core.cover import Cover
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.span import Span
from phiscrub.replace.institutions import UnitLists
from phiscrub.replace.keyed import Key
from phiscrub.replace.originals import Originals, plain_words
from phiscrub.replace.people import fold
from phiscrub.replace.streets import is_generic
from phiscrub.replace.surrogates import Surrogates


@dataclass(frozen=True, slots=True)
class Resampler:
    """Surrogates under a key that is given for each copy."""

    surrogates: Surrogates

    def resample(self, note: Annotated, key: Key, country: str = "") -> Annotated:
        """Return the note with surrogates for all of its mentions, which become gold.

        They are of a country, where one is named, else of the one that the note tells.
        """
        made = replace(self.surrogates, key=key)
        if country:
            made = replace(made, countries={country: made.countries[country]})
        output = made.replace(note.document, Cover.of(note.mentions)).output
        gold = tuple(Mention(mention.span, mention.label) for mention in output.mentions)
        return Annotated(output.document, gold)


@dataclass(frozen=True, slots=True)
class Check:
    """Looks for words of a note's identifiers, as ``phiscrub scrub --verify`` does.

    `hubs` gives each label's name in the hub set, `plain` the words that are no names, `kinds`
    those that say what a unit is.
    """

    hubs: Mapping[str, str]
    plain: frozenset[str] = field(default=frozenset(), repr=False)
    kinds: frozenset[str] = field(default=frozenset(), repr=False)

    @classmethod
    def of(cls, labels: str, language: str) -> Check:
        """Load the words of a language, for notes whose labels are of a set."""
        units = UnitLists.load(language)
        kinds = frozenset({*units.generic, *units.endings})
        return cls(label_set(labels).to_hub, plain_words(language), kinds)

    def stand_elsewhere(self, note: Annotated) -> list[Span]:
        """Return where a note has words of its identifiers that no mention holds."""
        cover = Cover.of(note.mentions)
        bare = Redaction(note.document, cover, tuple("\0" * len(m.span) for m in cover)).text
        return self._originals(note).left(bare)

    def left(self, was: Annotated, made: Annotated) -> list[Span]:
        """Return where a copy holds words of the identifiers of what it is a copy of.

        In the copy's own identifiers dates and kinds do not count: `Lane` is of any address.
        """
        text, inside = made.document.text, [mention.span for mention in made.mentions]
        return [
            span
            for span in self._originals(was).left(text, inside)
            if not (
                self._are_kinds(text[span.start : span.end])
                and any(other.contains(span) for other in inside)
            )
        ]

    def _are_kinds(self, words: str) -> bool:
        parts = words.split()
        return all(p.isalpha() and (fold(p) in self.kinds or is_generic(p)) for p in parts)

    def _originals(self, note: Annotated) -> Originals:
        text, hubs = note.document.text, self.hubs
        days = [m.span for m in note.mentions if hubs.get(m.label) == "DATE"]
        moved = [text[span.start : span.end] for span in days]
        return Originals.of(text, note.mentions, hubs, self.plain, moved)
