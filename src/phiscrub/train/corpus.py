"""Annotated notes to learn from, and all that is wrong with them."""

from __future__ import annotations

import hashlib
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path

from phiscrub.core.document import Document, patient_of
from phiscrub.core.errors import InputError, LabelError, Place, SettingsError
from phiscrub.core.labels import HUB, MAPPED, LabelSet, label_set, label_set_names, strangers
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.core.wording import counted, listed, shown
from phiscrub.detect.tagging.manifest import TrainedOn
from phiscrub.formats.annotated import DEFAULT, fixed_set, left_out, read_gold
from phiscrub.formats.mentions import WHERE
from phiscrub.formats.record import Options

FEWEST = 5  # examples of a label below which a warning is due
LONG = 200  # characters of a text that no two notes share by chance
LANGUAGES = {"meddocan": "es", "stockholm-epr": "sv", "suc-3": "sv"}
UNSTATED = "not stated"


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Notes whose mentions share no character, in the order of their ids.

    `origins` gives for pieces of notes, by their ids, the notes that they were cut from.
    """

    name: str
    notes: tuple[Annotated, ...] = field(repr=False)
    label_set: str
    licence: str = UNSTATED
    origins: Mapping[str, str] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.notes)

    def origin(self, name: str) -> str:
        """Return the id of the whole note that a note or piece is of."""
        return self.origins.get(name, name)

    def patient(self, note: Annotated) -> str | None:
        """Return whose a note or piece is, where it or its whole note's name says so."""
        return patient_of(note.document, self.origin(note.document.id))

    @property
    def wholes(self) -> dict[str, str]:
        """The text of each whole note by its id, blanks made even, so that copies are alike."""
        parts: dict[str, list[str]] = {}
        for note in self.notes:
            parts.setdefault(self.origin(note.document.id), []).append(note.document.text)
        return {name: even("".join(texts)) for name, texts in parts.items()}

    @property
    def labels(self) -> Counter[str]:
        """How many examples each label has."""
        return Counter(m.label for note in self.notes for m in note.mentions)

    @property
    def language(self) -> str:
        """The language that the label set was made for; English where it does not say."""
        return LANGUAGES.get(self.label_set, "en")

    @property
    def characters(self) -> int:
        """The length of all texts."""
        return sum(len(note.document.text) for note in self.notes)

    @property
    def sha256(self) -> str:
        """A hash of ids, texts and mentions."""
        digest = hashlib.sha256()
        for note in self.notes:
            marks = sorted((m.span.start, m.span.end, m.label) for m in note.mentions)
            told = f"{note.document.id}\0{note.document.text}\0{marks}\0"
            digest.update(told.encode("utf-8", "surrogatepass"))
        return digest.hexdigest()

    @property
    def stated(self) -> TrainedOn:
        """What the manifest of a model that learns from it says of it."""
        return TrainedOn(self.name, self.licence, len(self), self.sha256)

    def only(self, ids: Iterable[str]) -> Corpus:
        """Return the corpus with just the named notes."""
        wanted = set(ids)
        return replace(self, notes=tuple(n for n in self.notes if n.document.id in wanted))

    def without(self, ids: Iterable[str]) -> Corpus:
        """Return the corpus without the named notes."""
        unwanted = set(ids)
        return replace(self, notes=tuple(n for n in self.notes if n.document.id not in unwanted))

    def sample(self, characters: int) -> Corpus:
        """Return evenly spaced notes with about so many characters in all."""
        step = max(1, round(self.characters / max(1, characters)))
        return replace(self, notes=self.notes[::step])

    def cut(self, lines: int) -> Corpus:
        """Return the corpus with its notes cut after so many lines, for loose sentences.

        A piece goes on where a mention would be cut.
        """
        pieces = [(piece, note) for note in self.notes for piece in _pieces(note, lines)]
        origins = {piece.document.id: self.origin(note.document.id) for piece, note in pieces}
        return replace(self, notes=tuple(piece for piece, _ in pieces), origins=origins)


def read_corpus(
    path: Path,
    *,
    labels: str | None = None,
    options: Options = DEFAULT,
    read_as: str | None = None,
    licence: str = UNSTATED,
) -> tuple[Corpus, tuple[str, ...]]:
    """Read a folder or file of annotated notes; return it with notices of what was mended or left.

    `labels` names the label set, where the format does not fix one; by default the first that
    has every label. Of mentions that overlap the longest is kept, and the words of others that
    stick out. Raises `InputError` where nothing is annotated, and `LabelError` where a label is of
    no known set.
    """
    gold = read_gold(path, options, read_as)
    placed = gold.notes
    fixed = fixed_set(placed.values(), path)
    notes = [placed[name].note for name in sorted(placed)]
    seen = Counter(m.label for note in notes for m in note.mentions)
    if not seen:
        left = left_out(gold.unmarked, gold.declined)
        raise InputError(
            f"{counted(len(notes), 'note')}, and not one annotation",
            where=str(path),
            hint="; ".join((f"it takes notes in which identifiers are marked: {WHERE}", *left)),
        )
    if labels is not None and fixed is not None and label_set(labels).name != fixed:
        raise LabelError(
            f"has label set {fixed}, not {label_set(labels).name}",
            where=Place(str(path)),
            hint=f"convert it with phiscrub convert --labels {labels}",
        )
    known = _set_of(labels, fixed, seen, path)
    disjoint = [
        Annotated(note.document, _disjoint(note.document.text, note.mentions)) for note in notes
    ]
    mended = [
        (old.document.id, lost)
        for old, new in zip(notes, disjoint, strict=True)
        if (lost := (Counter(old.mentions) - Counter(new.mentions)).total())
    ]
    notices = [*gold.notices(path)]
    if mended:
        dropped = sum(count for _, count in mended)
        notices.append(
            f"{path}: {counted(dropped, 'annotation')} overlap{'s' * (dropped == 1)} another: the "
            f"longest is kept whole, of others what sticks out; in {shown([i for i, _ in mended])}"
        )
    name = "/".join(path.resolve().parts[-2:])
    return Corpus(name, tuple(disjoint), known.name, licence), tuple(notices)


def check_training(
    train: Corpus, dev: Corpus | None, extra: Sequence[Corpus] = ()
) -> tuple[str, ...]:
    """Return what a user should know before training on a corpus and some `extra` ones.

    Raises `SettingsError` where corpora have other label sets, or `dev` shares notes with one.
    """
    notices = []
    there = train.labels
    for corpus in extra:
        same_labels(train, corpus)
        there += corpus.labels
    rare = {label: count for label, count in there.items() if count < FEWEST}
    if rare:
        told = ", ".join(f"{label} ({rare[label]})" for label in sorted(rare))
        notices.append(f"fewer than {FEWEST} examples to learn from: {told}")
    if dev is not None:
        same_labels(train, dev)
        for corpus in (train, *extra):
            keep_apart(corpus, dev)
            notices += on_both_sides(corpus, dev)
        unseen = sorted(set(dev.labels) - set(there))
        if unseen:
            notices.append(
                f"only in {dev.name}, so not learned here: "
                + ", ".join(f"{label} ({dev.labels[label]})" for label in unseen)
            )
    return tuple(notices)


def keep_apart(train: Corpus, tested: Corpus) -> None:
    """Raise `SettingsError` where notes of `tested` are in `train` too.

    Notes, whole or the pieces that they were cut to, are the same by id and text, or by a text
    alone that is long enough, whatever its blanks.
    """
    there = set(_texts(train))
    texts = {text for _, text in there if len(text) >= LONG}
    same = list(
        dict.fromkeys(
            tested.origin(name)
            for name, text in _texts(tested)
            if (name, text) in there or text in texts
        )
    )
    if same:
        there_too = f"{'is' if len(same) == 1 else 'are'} in {train.name} too: {shown(same)}"
        raise SettingsError(
            f"{counted(len(same), 'note')} of {tested.name} {there_too}",
            hint="figures on notes that were learned from say nothing; keep them apart",
        )


def on_both_sides(train: Corpus, tested: Corpus) -> tuple[str, ...]:
    """Return a notice where patients have notes in both corpora; it names no patient."""
    one, other = ({corpus.patient(n) for n in corpus.notes} for corpus in (train, tested))
    both = len((one & other) - {None})
    if not both:
        return ()
    return (
        f"{counted(both, 'patient')} of {tested.name} {'have' if both > 1 else 'has'} notes in "
        f"{train.name} too: figures are better than on patients who were never seen",
    )


def same_labels(one: Corpus, other: Corpus) -> None:
    """Raise `SettingsError` where two corpora have other label sets."""
    if one.label_set != other.label_set:
        raise SettingsError(
            f"{other.name} has label set {other.label_set}, but {one.name} has {one.label_set}",
            hint=f"convert it with phiscrub convert --labels {one.label_set}",
        )


def even(text: str) -> str:
    """Return a text with one blank for each stretch of blanks and line ends, none at its ends."""
    return " ".join(text.split())


def _texts(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield ids and texts of whole notes, then of the pieces that they were cut to."""
    yield from corpus.wholes.items()
    if corpus.origins:
        yield from ((note.document.id, even(note.document.text)) for note in corpus.notes)


def _set_of(named: str | None, fixed: str | None, seen: Mapping[str, int], path: Path) -> LabelSet:
    """Return the label set of the labels that were seen: named, fixed by the format, or told."""
    if (name := named or fixed) is not None:
        known = label_set(name)
        strange = set(seen) - set(known.labels)
        if strange:
            raise LabelError(
                f"label set {known.name} lacks {strangers(strange)}",
                where=Place(str(path)),
                hint=f"its labels are {listed(known.labels)}; "
                + (MAPPED if fixed else "another set? say --labels"),
            )
        return known
    for name in sorted(label_set_names(), key=lambda name: (name != HUB, name)):
        if set(seen) <= set(label_set(name).labels):
            return label_set(name)
    raise LabelError(
        f"no label set has all of: {strangers(seen)}",
        where=Place(str(path)),
        hint=f"{MAPPED}; known sets: {', '.join(label_set_names())}",
    )


def _disjoint(text: str, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    """Return mentions that share no character: longer ones first, then earlier, then by label.

    Of one that overlaps those the words stay that no other holds.
    """
    kept: list[Mention] = []  # by place
    for mention in sorted(mentions, key=lambda m: (-len(m.span), m.key)):
        start, end = mention.span.start, mention.span.end
        first = bisect_right(kept, start, key=lambda m: m.span.end)
        behind = bisect_left(kept, end, key=lambda m: m.span.start)
        over = kept[first:behind]
        held = chain.from_iterable((m.span.start, m.span.end) for m in over)
        edges = [start, *held, end]
        free = zip(edges[::2], edges[1::2], strict=True)
        rest = [_words(text, *stretch) for stretch in free] if over else [mention.span]
        own = [replace(mention, span=span) for span in rest if span is not None]
        kept[first:behind] = sorted((*over, *own), key=lambda m: m.key)
    return tuple(kept)


def _words(text: str, start: int, end: int) -> Span | None:
    """Return where a stretch has its words, from the first letter or digit to the last."""
    places = [at for at in range(start, end) if text[at].isalnum()]
    return Span(places[0], places[-1] + 1) if places else None


def _pieces(note: Annotated, lines: int) -> Iterator[Annotated]:
    """Yield pieces of so many lines; ids count them."""
    text, start, number, seen = note.document.text, 0, 0, 0
    mentions = sorted(note.mentions, key=lambda m: m.key)
    first = behind = reach = 0  # the piece's mentions, and where they end
    ends = [at + 1 for at, letter in enumerate(text) if letter == "\n"]
    for end in (*ends, len(text)):
        seen += 1
        while behind < len(mentions) and mentions[behind].span.start < end:
            reach = max(reach, mentions[behind].span.end)
            behind += 1
        is_last = end == len(text)
        if end == start or (not is_last and (seen < lines or reach > end)):
            continue
        number += 1
        document = Document(
            f"{note.document.id}-{number:05}",
            text[start:end],
            note.document.subject,
            note.document.meta,
        )
        moved = tuple(
            replace(m, span=Span(m.span.start - start, m.span.end - start))
            for m in mentions[first:behind]
        )
        yield Annotated(document, moved)
        first, start, seen = behind, end, 0
