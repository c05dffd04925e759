"""Other identifiers for those of a note, of the same type and form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from phiscrub.core.cover import Cover
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.span import Span
from phiscrub.replace.keyed import Key
from phiscrub.replace.originals import Originals
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

    `hubs` gives each label's name in the hub set, `plain` the words that are no names.
    """

    hubs: Mapping[str, str]
    plain: frozenset[str] = field(default=frozenset(), repr=False)

    def stand_elsewhere(self, note: Annotated) -> list[Span]:
        """Return where a note has words of its identifiers that no mention holds."""
        cover = Cover.of(note.mentions)
        bare = Redaction(note.document, cover, tuple("\0" * len(m.span) for m in cover)).text
        return self._originals(note).left(bare)

    def left(self, was: Annotated, made: Annotated) -> list[Span]:
        """Return where a copy holds words of the identifiers of what it is a copy of."""
        return self._originals(was).left(made.document.text)

    def _originals(self, note: Annotated) -> Originals:
        return Originals.of(note.document.text, note.mentions, self.hubs, self.plain)
