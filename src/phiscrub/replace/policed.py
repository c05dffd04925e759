"""A replacer under a policy: what may stay stays, and is no part of the redaction's cover."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from phiscrub.core.contracts import Replacer
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import HUB, LabelSet, label_set
from phiscrub.core.mention import Mention
from phiscrub.core.redaction import Redaction
from phiscrub.replace.births import REACH, is_birth
from phiscrub.replace.policy import Action, Policy
from phiscrub.replace.shorten import METHODS, Piece, Shortening


@dataclass(frozen=True, slots=True)
class Policed:
    """Asks the policy about each mention, and the replacer for the words of those that go.

    `labels` is the label set of the mentions, `names` what they are called in the output. Of a
    shortened date the years stay in place and each stretch around them is a mention of its own:
    `March 14, 2014` becomes `[DATE-1], 2014`. A shortened age or zip code is a mention whose
    words the policy chooses: `90+`, `021`.

    A replacer that moves dates is asked about the whole date, so that the year is the moved one's;
    a date whose year tells an age over the oldest becomes `[DATE]`.
    """

    policy: Policy
    replacer: Replacer
    labels: LabelSet = field(default_factory=lambda: label_set(HUB))
    names: Mapping[str, str] = field(default_factory=dict)

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with the policy's share of the cover replaced."""
        pieces = list(self._pieces(document, cover))
        asked = Cover(tuple(mention for mention, words in pieces if words is None))
        inner = self.replacer.replace(document, asked)
        kept = self._kept(cover)
        worded = [(self._named(mention), words) for mention, words in pieces if words is not None]
        if not worded:
            return Redaction(document, inner.cover, inner.replacements, kept)
        told = [*zip(inner.cover, inner.replacements, strict=True), *worded]
        told.sort(key=lambda pair: pair[0].key)
        gone, words = zip(*told, strict=True)
        return Redaction(document, Cover(gone), words, kept)

    def _kept(self, cover: Cover) -> tuple[Mention, ...]:
        """Return the mentions of which something stays, under their output labels."""
        return tuple(
            self._named(mention)
            for mention in cover
            if self.policy.action(mention.label, self.labels)[0] is not Action.REPLACE
        )

    def _named(self, mention: Mention) -> Mention:
        return mention.renamed(self.names)

    def _pieces(self, document: Document, cover: Cover) -> Iterator[tuple[Mention, str | None]]:
        """Yield what goes, with the policy's own words for it or None."""
        actions = [self.policy.action(mention.label, self.labels) for mention in cover]
        dates = [m.span for m, (_, hub) in zip(cover, actions, strict=True) if hub == "DATE"]
        shortening = Shortening.of(document.text, dates, self.policy.limits)
        whole: frozenset[str] = getattr(self.replacer, "whole", frozenset())
        for mention, (action, hub) in zip(cover, actions, strict=True):
            if action is Action.REPLACE:
                yield mention, None
            elif action is Action.SHORTEN and hub in whole:
                before = document.text[max(0, mention.span.start - REACH) : mention.span.start]
                words = document.text[mention.span.start : mention.span.end]
                old = shortening.tells_oldest(words, birth=is_birth(before))
                yield mention, f"[{self._named(mention).label}]" if old else None
            elif action is Action.SHORTEN:
                for piece in METHODS[hub](shortening, mention.span):
                    yield _cut(mention, piece), piece.words


def _cut(mention: Mention, piece: Piece) -> Mention:
    return mention if piece.span == mention.span else replace(mention, span=piece.span)
