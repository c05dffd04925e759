"""Traits of what others find: a recipe's own detectors, and listed terms of several words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

import numpy as np

from phiscrub.core.contracts import Detector
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.layout import Column, Layout
from phiscrub.detect.tagging.wordlists import read_terms
from phiscrub.lexicons.phrases import Hit, Phrases
from phiscrub.tokenize.clinical import clinical_tokens

NEAR = 4  # tokens between two parts of one address
PARTS = ("", "B", "I")
# What a claim tells: its label as `B-LABEL` or `I-LABEL`, its score in tenths, and its source.
ASPECTS = MappingProxyType({"found": 0, "found_score": 1, "found_rule": 2})


def claimed(layout: Layout, detectors: Sequence[Detector]) -> Column:
    """Return the claim that stands at each token: what `ASPECTS` names, parted by tabs, or ''.

    Where claims share a token, the one of the higher score stands, then the longer, then the
    first.
    """
    notes = layout.frame.notes
    claims = [detector.detect(notes) for detector in detectors]
    known = {"": 0}
    shown = np.zeros(len(layout), dtype=np.int32)
    bases = layout.frame.note_starts.tolist()
    for index, note in enumerate(notes):
        told = [mention for by_detector in claims for mention in by_detector[index]]
        base = bases[index]
        for first, last, mention in settle(note.tokens, told):
            behind = f"{mention.label}\t{int(10 * mention.score)}\t{mention.source}"
            shown[base + first] = known.setdefault(f"B-{behind}", len(known))
            inside = known.setdefault(f"I-{behind}", len(known))
            if last > first + 1:
                shown[base + first + 1 : base + last] = inside
    return Column(tuple(known), shown)


def aspect(name: str, claims: Column) -> Column:
    """Return one aspect of each claim; '' where there is none."""
    number = ASPECTS[name]
    return Column(tuple(v and v.split("\t")[number] for v in claims.values), claims.ids)


def before(layout: Layout, tags: Column) -> Column:
    """Return the label of the last chunk that ends before the token on its line.

    A token inside a chunk looks from that chunk's start. ``far`` is said where more than `NEAR`
    tokens lie between. In an address, what comes next depends on what came last.
    """
    return _beside(layout, tags, forward=False)


def after(layout: Layout, tags: Column) -> Column:
    """Return the label of the first chunk that begins behind the token on its line."""
    return _beside(layout, tags, forward=True)


def _beside(layout: Layout, tags: Column, *, forward: bool) -> Column:
    labels = tuple(dict.fromkeys(("", *(tag.partition("-")[2] for tag in tags.values))))
    of_tag = np.array([labels.index(tag.partition("-")[2]) for tag in tags.values])
    opens = np.array([not tag.startswith("I-") for tag in tags.values])[tags.ids]
    label = of_tag[tags.ids]
    first = np.flatnonzero(opens)  # a token without a tag is a chunk of its own, without a label
    chunk = np.cumsum(opens)
    told = np.flatnonzero(label)
    # One behind the last stands for nothing: it is on no line.
    places = np.append(told, len(layout))
    if forward:
        end = np.append(first, len(layout))[chunk]
        near = places[np.searchsorted(told, end)]
        inside, apart = near < layout.line_end, near - end
    else:
        begin = first[chunk - 1]
        near = places[np.searchsorted(told, begin) - 1]
        inside, apart = (near >= layout.line_start) & (near < begin), begin - 1 - near
    shown = np.append(label, 0)[near] + len(labels) * (apart > NEAR)
    values = (*labels, *(f"{label} far" for label in labels))
    return Column(values, np.where(inside, shown, 0).astype(np.int32))


def settle(tokens: Tokens, claims: Iterable[Mention]) -> list[tuple[int, int, Mention]]:
    """Return the claims that stand, as disjoint ``(first, last, claim)`` of token indices."""
    taken = bytearray(len(tokens))
    kept = []
    for mention in sorted(claims, key=_rank):
        inside = tokens.within(mention.span)
        if inside and not any(taken[inside.start : inside.stop]):
            taken[inside.start : inside.stop] = b"\1" * len(inside)
            kept.append((inside.start, inside.stop, mention))
    return kept


def _rank(claim: Mention) -> tuple[float, int, int, str, str]:
    """Return what claims stand by: score, length, place, label, source."""
    start, end = claim.span.start, claim.span.end
    return -claim.score, start - end, start, claim.label, claim.source


def listed(name: str, tools: Toolbox) -> Callable[[Layout], Column]:
    """Return the trait of a list's terms, of one or more words on one line: B, I, or ''.

    Of terms that overlap, the first stands, and the longest of those that begin together.
    """
    phrases = Phrases((term, name) for term in read_terms(name, tools))

    def in_list(layout: Layout) -> Column:
        frame = layout.frame
        ids = np.zeros(len(layout), dtype=np.int32)
        for note, base in zip(frame.notes, frame.note_starts.tolist(), strict=False):
            done = 0
            for inside in _places(note, phrases.find):
                first, last = base + inside.start, base + inside.stop
                alone = len(inside) == 1
                if inside.start < done or not (
                    alone or layout.line[first] == layout.line[last - 1]
                ):
                    continue
                ids[first], ids[first + 1 : last] = 1, 2
                done = inside.stop
        return Column(PARTS, ids)

    return in_list


def _places(note: Note, find: Callable[[Sequence[str]], Iterable[Hit]]) -> Iterable[range]:
    """Yield the note's tokens at each hit; lists are cut as the clinical tokenizer cuts."""
    cut = clinical_tokens(note)
    for hit in find(cut.words()):
        if cut is note.tokens:
            yield range(hit.first, hit.last)
        else:
            place = Span(int(cut.starts[hit.first]), int(cut.ends[hit.last - 1]))
            if inside := note.tokens.within(place):
                yield inside
