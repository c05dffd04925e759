"""Tag schemes: how mentions are written as one tag a token. Tables, not code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.core.errors import AnnotationError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.tokens import Tokens

OUTSIDE = "O"


@dataclass(frozen=True, slots=True)
class Scheme:
    """The prefixes of a tag scheme by a token's part in its chunk.

    `single` is a chunk of one token, `begin`, `inside` and `end` the first, middle and last of
    a longer one. `after` replaces the opening prefix where a chunk directly follows another of
    its own label (IOB1). A scheme whose prefixes are all empty tags with the bare label.
    """

    name: str
    begin: str
    inside: str
    end: str
    single: str
    after: str = ""

    @property
    def prefixes(self) -> frozenset[str]:
        """Every prefix that the scheme writes."""
        parts = {self.begin, self.inside, self.end, self.single}
        return frozenset(parts | ({self.after} if self.after else set()))

    @property
    def _prefixes(self) -> tuple[str, ...]:
        """What `prefixes` holds, quicker to ask for one."""
        parts = (self.begin, self.inside, self.end, self.single)
        return (*parts, self.after) if self.after else parts

    def tags(self, labels: Iterable[str]) -> tuple[str, ...]:
        """Return every tag for the labels, `O` first, then sorted."""
        return OUTSIDE, *sorted({_join(p, label) for label in labels for p in self.prefixes})

    def encode(self, tokens: Tokens, mentions: Iterable[Mention]) -> list[str]:
        """Tag every token that shares a character with a mention.

        Mentions are taken by place; a token that two mentions share belongs to the first.
        """
        chunks, done = [], 0
        for mention in sorted(mentions, key=lambda m: m.key):
            inside = tokens.within(mention.span)
            start = max(inside.start, done)
            if start < inside.stop:
                chunks.append((start, inside.stop, mention.label))
                done = inside.stop
        return self.write(len(tokens), chunks)

    def write(self, length: int, chunks: Iterable[tuple[int, int, str]]) -> list[str]:
        """Write sorted, disjoint chunks ``(first, end, label)`` of token indices as tags."""
        tags, last = [OUTSIDE] * length, (0, "")
        for first, end, label in chunks:
            opening = self.single if end - first == 1 else self.begin
            if self.after and last == (first, label):
                opening = self.after
            tags[first] = _join(opening, label)
            tags[first + 1 : end] = [_join(self.inside, label)] * (end - first - 1)
            if end - first > 1:
                tags[end - 1] = _join(self.end, label)
            last = (end, label)
        return tags

    def chunks(self, tags: Sequence[str]) -> list[tuple[int, int, str]]:
        """Read tags as chunks ``(first, end, label)``; ill-formed sequences are repaired.

        The repair loses no tagged token: a tag that cannot go on with the chunk before it opens
        a new one. Raises `AnnotationError` where a prefix is not of this scheme.
        """
        chunks: list[tuple[int, int, str]] = []
        closed = True
        for index, tag in enumerate(tags):
            if tag == OUTSIDE:
                closed = True
                continue
            prefix, label = self.split(tag, index)
            goes_on = (
                not closed
                and chunks[-1][2] == label
                and prefix in (self.inside, self.end)
                and not self._separates(prefix)
            )
            if goes_on:
                first, _, _ = chunks.pop()
                chunks.append((first, index + 1, label))
            else:
                chunks.append((index, index + 1, label))
            closed = prefix in (self.end, self.single) and prefix not in (self.inside, self.begin)
        return chunks

    def repair(self, tags: Sequence[str]) -> list[str]:
        """Return the nearest well-formed sequence: the same tokens tagged, as `chunks` reads."""
        return self.write(len(tags), self.chunks(tags))

    def is_well_formed(self, tags: Sequence[str]) -> bool:
        """Tell whether the sequence is one that this scheme writes."""
        return list(tags) == self.repair(tags)

    def follows(self, left: str | None, right: str | None) -> bool:
        """Tell whether `right` may come after `left` in a well-formed sequence.

        ``None`` stands for the sentence's edge, on either side.
        """
        opened = left not in (None, OUTSIDE) and self._opens(str(left))
        if right in (None, OUTSIDE):
            return not opened or self._may_close(str(left))
        prefix, label = self.split(str(right), 0)
        same = left not in (None, OUTSIDE) and self.split(str(left), 0)[1] == label
        if opened and same and prefix in (self.inside, self.end) and not self._separates(prefix):
            return True
        if opened and not self._may_close(str(left)):
            return False
        if self._separates(prefix):
            return same
        if self.after and same:
            return False
        return prefix in (self.begin, self.single)

    def split(self, tag: str, index: int) -> tuple[str, str]:
        """Split a tag into prefix and label; `index` places the error.

        Raises `AnnotationError` where the tag is not of the scheme.
        """
        if self.inside == "" and tag:
            return "", tag
        prefix, dash, label = tag.partition("-")
        if not dash or not label or prefix not in self._prefixes:
            known = ", ".join(f"{prefix}-LABEL" for prefix in sorted(self.prefixes) if prefix)
            raise AnnotationError(
                f"tag of token {index} is not of scheme {self.name}",
                hint=f"its tags are O and {known or 'LABEL'}",
            )
        return prefix, label

    def _separates(self, prefix: str) -> bool:
        return bool(self.after) and prefix == self.after

    def _opens(self, tag: str) -> bool:
        prefix, _ = self.split(tag, 0)
        return prefix in (self.begin, self.inside) or self._separates(prefix)

    def _may_close(self, tag: str) -> bool:
        prefix, _ = self.split(tag, 0)
        return prefix in (self.end, self.single) or self._separates(prefix)


def _join(prefix: str, label: str) -> str:
    return f"{prefix}-{label}" if prefix else label


SCHEMES = MappingProxyType(
    {
        scheme.name: scheme
        for scheme in (
            Scheme("BIO", begin="B", inside="I", end="I", single="B"),
            Scheme("IOB1", begin="I", inside="I", end="I", single="I", after="B"),
            Scheme("BIOES", begin="B", inside="I", end="E", single="S"),
            Scheme("BILOU", begin="B", inside="I", end="L", single="U"),
            Scheme("IO", begin="", inside="", end="", single=""),
        )
    }
)


def scheme(name: str) -> Scheme:
    """Return a scheme by name (`IOB2` is `BIO`, `IOBES` is `BIOES`), in any case.

    Raises `SettingsError` where there is none.
    """
    known = {"IOB2": "BIO", "IOB": "BIO", "IOBES": "BIOES"}.get(name.upper(), name.upper())
    if known not in SCHEMES:
        raise SettingsError(f"no tag scheme {name!r}", hint=f"known: {', '.join(SCHEMES)}")
    return SCHEMES[known]
