"""A note with its identifiers replaced."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, OffsetError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Moves offsets from one text to another that differs in some stretches.

    `sources` and `targets` hold the ``(start, end)`` of each changed stretch in either text, in
    order; outside them a character keeps its neighbours. `lengths` are those of the two texts.
    """

    sources: tuple[tuple[int, int], ...]
    targets: tuple[tuple[int, int], ...]
    lengths: tuple[int, int]

    def __call__(self, offset: int) -> int:
        """Map the offset of a character; in a changed stretch it becomes that stretch's start.

        Where a stretch is empty (what stood there was removed), the offset is that of the
        character behind it. The length of the text is the offset of its end. Raises
        `OffsetError` for what is no offset of the text.
        """
        if not 0 <= offset <= self.lengths[0]:
            raise OffsetError(
                f"offset {offset} is not in the text",
                hint=f"it has {self.lengths[0]} characters; give 0 to {self.lengths[0]}",
            )
        index = bisect_right(self.sources, offset, key=itemgetter(0)) - 1
        if index < 0:
            return offset
        _, end = self.sources[index]
        start, stop = self.targets[index]
        return start if offset < end else stop + offset - end

    def inverse(self) -> OffsetMap:
        """Return the map that leads back."""
        return OffsetMap(self.targets, self.sources, (self.lengths[1], self.lengths[0]))


@dataclass(frozen=True, slots=True)
class Redaction:
    """A document, the cover found in it, and the words that stand in for each mention.

    `replacements` has one string a mention, in order; an empty one removes the mention. Text
    and offsets of the output are derived. `kept` are mentions that may stay, in part or whole,
    and are no part of the cover. Raises `AnnotationError` where the numbers differ or the cover
    ends behind the text.
    """

    document: Document
    cover: Cover
    replacements: tuple[str, ...] = field(repr=False)
    kept: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        if len(self.cover) != len(self.replacements):
            raise AnnotationError(
                f"{len(self.cover)} mentions but {len(self.replacements)} replacements"
            )
        if len(self.cover) and self.cover.mentions[-1].span.end > len(self.document.text):
            raise AnnotationError(f"the cover ends behind the text of note {self.document.id}")

    @property
    def text(self) -> str:
        """The text with every mention replaced and all else untouched."""
        source, done = self.document.text, 0
        pieces: list[str] = []
        for mention, words in zip(self.cover, self.replacements, strict=True):
            pieces += (source[done : mention.span.start], words)
            done = mention.span.end
        pieces.append(source[done:])
        return "".join(pieces)

    @property
    def to_output(self) -> OffsetMap:
        """The map from offsets of the original to offsets of the output."""
        sources = tuple((mention.span.start, mention.span.end) for mention in self.cover)
        targets = tuple(_moved(self.cover.mentions, self.replacements))
        before = after = len(self.document.text)
        if targets:
            after += targets[-1][1] - sources[-1][1]
        return OffsetMap(sources, targets, (before, after))

    @property
    def to_original(self) -> OffsetMap:
        """The map from offsets of the output to offsets of the original."""
        return self.to_output.inverse()

    @property
    def output(self) -> Annotated:
        """The output as a document, its mentions where the replacements stand."""
        document = Document(self.document.id, self.text, self.document.subject, self.document.meta)
        places = _moved(self.cover.mentions, self.replacements)
        return Annotated(
            document,
            tuple(
                Mention(Span(start, end), mention.label, mention.score, mention.source)
                for mention, (start, end) in zip(self.cover, places, strict=True)
                if start < end
            ),
        )


def _moved(mentions: Sequence[Mention], replacements: Sequence[str]) -> list[tuple[int, int]]:
    """Return where each replacement stands in the output."""
    places, grown = [], 0
    for mention, words in zip(mentions, replacements, strict=True):
        start = mention.span.start + grown
        places.append((start, start + len(words)))
        grown += len(words) - len(mention.span)
    return places
