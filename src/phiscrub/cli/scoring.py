"""From the files of two folders to the measures of each system."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePath
from types import MappingProxyType

from phiscrub.cli.misplaced import misplaced
from phiscrub.cli.notetypes import note_type
from phiscrub.cli.pairing import Pairing, once, pair
from phiscrub.cli.request import Request
from phiscrub.cli.standoff import DIFFER, bare_texts, notices, places, read_standoff
from phiscrub.cli.tagged import tagged, tagged_files
from phiscrub.core.collector import uncollected
from phiscrub.core.document import Document, patient_of
from phiscrub.core.labels import HUB, MAPPED, label_set, label_set_names, strangers
from phiscrub.core.mention import Annotated
from phiscrub.core.wording import counted
from phiscrub.detect.tagging.learned import shipped_learned
from phiscrub.evaluate import (
    conlleval,
    entities,
    fields,
    i2b2,
    meddocan,
    semeval,
    seqeval,
    tokenlevel,
)
from phiscrub.evaluate.i2b2 import TaggedText
from phiscrub.evaluate.identifying import SLASH
from phiscrub.evaluate.masking import Masking, hipaa_groups, measure
from phiscrub.evaluate.meddocan import MarkedText
from phiscrub.evaluate.rows import category_of, groups
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally
from phiscrub.evaluate.units import Groups
from phiscrub.formats.annotated import Placed, read_gold, read_placed
from phiscrub.formats.brat_marks import Marks
from phiscrub.formats.source import Source
from phiscrub.formats.tag_pairs import read_pairs

NO_SENTENCES: Mapping[str, int] = MappingProxyType({})
ALL_PAIRED: Pairing[Placed] = Pairing((), (), ())


@dataclass(frozen=True, slots=True)
class Result:
    """One system's measures, and what stands behind them.

    `labels` has exact counts by label, `samples` the scored documents with both sides' marks;
    columns of tags have no text and so neither samples nor masking.
    """

    system: str
    measures: fields.Measures = field(repr=False)
    documents: int
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    track: str = "conll"  # whose measures come first: i2b2, meddocan or conll
    labels: Mapping[str, Tally] = field(default_factory=dict, repr=False)
    masking: Masking | None = field(default=None, repr=False)
    samples: tuple[Sample, ...] = field(default=(), repr=False)
    notices: tuple[str, ...] = ()


def score(request: Request) -> list[Result]:
    """Score every system that the folder holds, in the order of their names.

    The i2b2 script takes what stands behind `PATIENT-RECORD` in a file's name as the system's.
    Raises `InputError` where files cannot be read or paired.
    """
    with uncollected():
        results = _scored(request)
        return [replace(one, notices=(*one.notices, *_learned(one.samples))) for one in results]


def _scored(request: Request) -> list[Result]:
    match request.format:
        case "i2b2" | "meddocan":
            return _xml(request)
        case "brat":
            return [_brat(request)]
        case "any":
            return [_any(request)]
        case _:
            return [_columns(request)]


def _learned(samples: Sequence[Sample]) -> Iterator[str]:
    """Yield a notice where the models that ship learned from some of the notes."""
    known = shipped_learned(sample.text for sample in samples)
    if known:
        yield (
            f"the models that ship learned from {known:,} of {counted(len(samples), 'gold note')}: "
            "figures of a system that has one of them are too good; measure it on other notes"
        )


def _xml(request: Request) -> list[Result]:
    gold = once((note.id, path, note) for path, _, note in tagged_files(request.gold))
    spanish = request.format == "meddocan" or _has_spanish(gold.values())
    found: dict[str, list[tuple[str, Path, TaggedText]]] = {}
    for path, name, note in tagged_files(request.system):
        found.setdefault(name, []).append((note.id, path, note))
    systems = {name: once(notes) for name, notes in found.items()}
    wrong = tuple(misplaced("gold", _files(gold.values()), "i2b2"))
    return [
        _scored_xml(
            request,
            name,
            pair(gold, systems[name], request.missing, _untagged),
            spanish,
            (*wrong, *misplaced("system", _files(systems[name].values()), "i2b2")),
        )
        for name in sorted(systems)
    ]


def _files(notes: Iterable[TaggedText]) -> list[Path]:
    return [Path(note.path) for note in notes if note.path is not None]


def _scored_xml(
    request: Request,
    system: str,
    pairing: Pairing[TaggedText],
    spanish: bool,
    wrong: tuple[str, ...],
) -> Result:
    pairs = pairing.pairs
    texts_differ = any(gold.text != found.text for gold, found in pairs)
    sides = [(_labelled(gold), _labelled(found)) for gold, found in pairs]
    marked = [
        (_places(gold, one), _places(found, other))
        for (gold, found), (one, other) in zip(pairs, sides, strict=True)
    ]
    samples = tuple(
        Sample(place.id, gold.text, *both, _patient(gold.id), kind=_kind(request, gold.path))
        for (gold, _), both, (place, _) in zip(pairs, sides, marked, strict=True)
    )
    # The MEDDOCAN script does not compare texts, the i2b2 script stops where they differ.
    official = {} if spanish and texts_differ else fields.of_i2b2(i2b2.score(pairs))
    sentences = _sentences(request.sentences, [gold.id for gold, _ in marked])
    official |= fields.of_meddocan(meddocan.score(marked), sentences)
    return _result(
        system,
        "meddocan" if spanish else "i2b2",
        official,
        samples,
        pairing,
        masking=measure(samples, _spanish_groups if spanish else _groups),
        notices=((DIFFER,) if texts_differ else ()) + wrong,
    )


def _patient(name: str) -> str | None:
    """Return whose a note is, where its name says so."""
    return patient_of(Document(name, ""))


def _kind(request: Request, path: str | None) -> str | None:
    """Return the type of the gold note in a file."""
    inside = PurePath(path or "").relative_to(request.gold)
    return note_type(request.by_type, inside, {})


def _has_spanish(notes: Iterable[TaggedText]) -> bool:
    """Tell whether a tag has a type that only MEDDOCAN has."""
    own = set(label_set("meddocan").labels) - set(label_set("i2b2-2014").labels)
    return any(tag.type in own for note in notes for tag in note.tags)


def _untagged(note: TaggedText) -> TaggedText:
    return replace(note, tags=())


def _labelled(note: TaggedText) -> tuple[Mark, ...]:
    return tuple([(*note.span(tag), f"{tag.element}{SLASH}{tag.type}") for tag in note.tags])


def _places(note: TaggedText, marks: Iterable[Mark]) -> MarkedText:
    """Return what the MEDDOCAN script compares of XML, named as it names documents."""
    keys = frozenset([(tag.element, tag.start, tag.end, tag.type) for tag in note.tags])
    places = frozenset([(start, end) for start, end, _ in marks])
    return MarkedText(Path(note.path or note.id).stem, note.text, keys, places)


def _groups(label: str) -> tuple[str, ...]:
    element, _, kind = label.partition(SLASH)
    return hipaa_groups(element, kind)


def _spanish_groups(label: str) -> tuple[str, ...]:
    element, _, kind = label.partition(SLASH)
    return f"category.{element}", f"type.{kind}"


def _brat(request: Request) -> Result:
    gold, found = read_standoff(request.gold), read_standoff(request.system)
    pairing = pair(
        gold,
        found,
        request.missing,
        lambda one: (one[0], replace(one[1], marks=(), skipped=())),
    )
    marked = [
        (places(path.stem, one), places(path.stem, other))
        for (path, one), (_, other) in pairing.pairs
    ]
    samples = tuple(
        Sample(
            path.stem,
            *one.unmarked,
            other.unmarked[1],
            _patient(path.stem),
            kind=_kind(request, str(path)),
        )
        for (path, one), (_, other) in pairing.pairs
    )
    sentences = _sentences(request.sentences, [gold.id for gold, _ in marked])
    return _result(
        "",
        "meddocan",
        fields.of_meddocan(meddocan.score(marked), sentences),
        samples,
        pairing,
        masking=measure(samples, _labels(samples)),
        notices=(
            *bare_texts(request.gold),
            *notices(pairing.pairs, (gold, found)),
        ),
    )


def _any(request: Request) -> Result:
    """Score annotations of any format, both sides' labels taken as they are written.

    Where the gold notes are i2b2 XML, the measures of that script come first.
    """
    gold_side = read_gold(request.gold, request.reading)
    pairing = pair(
        gold_side.notes,
        read_placed(request.system, request.reading),
        request.missing,
        lambda one: replace(one, note=Annotated(one.note.document)),
    )
    samples = tuple(
        Sample.of(gold.note, found.note, note_type(request.by_type, gold.path, gold.about))
        for gold, found in pairing.pairs
    )
    sentences = _sentences(request.sentences, [sample.id for sample in samples])
    result = of_samples(samples, sentences, pairing)
    result = replace(result, notices=(*gold_side.notices(request.gold), *result.notices))
    if any(gold.label_set != HUB for gold, _ in pairing.pairs):
        return result
    notes = [(tagged(gold.note), tagged(found.note)) for gold, found in pairing.pairs]
    official = fields.of_i2b2(i2b2.score(notes))
    categories = category_of(result.labels)
    masking = measure(samples, lambda label: hipaa_groups(categories[label], label))
    return replace(
        result,
        measures=official | result.measures | fields.of_masking(masking),
        track="i2b2",
        masking=masking,
    )


def of_samples(
    samples: Sequence[Sample],
    sentences: Mapping[str, int] = NO_SENTENCES,
    pairing: Pairing[Placed] = ALL_PAIRED,
) -> Result:
    """Return the measures of samples whose labels are taken as they are written."""
    marked = [(_written(one, one.gold), _written(one, one.found)) for one in samples]
    return _result(
        "",
        "meddocan",
        fields.of_meddocan(meddocan.score(marked), sentences),
        tuple(samples),
        pairing,
        masking=measure(samples, _labels(samples)),
        notices=(),
    )


def _labels(samples: Sequence[Sample]) -> Groups:
    return groups({mark[2] for one in samples for mark in (*one.gold, *one.found)})


def _written(sample: Sample, side: tuple[Mark, ...]) -> MarkedText:
    places = frozenset((start, end) for start, end, _ in side)
    return MarkedText(sample.id, sample.text, frozenset(side), places)


def _sentences(folder: Path | None, names: Iterable[str]) -> dict[str, int]:
    """Count the lines of each document's file in the folder; one without a file is left out."""
    if folder is None:
        return {}
    paths = {name: folder / f"{name}.ann" for name in names}
    counts = {}
    for name, path in paths.items():
        if path.exists():
            with path.open(encoding="utf-8", errors="replace") as file:
                counts[name] = sum(1 for _ in file)
    return counts


def _result(
    system: str,
    track: str,
    official: fields.Measures,
    samples: tuple[Sample, ...],
    pairing: Pairing[TaggedText] | Pairing[tuple[Path, Marks]] | Pairing[Placed],
    masking: Masking,
    notices: tuple[str, ...],
) -> Result:
    exact, partial = entities.exact(samples), entities.partial(samples)
    notices += _unlike(samples)
    by_label = {
        f"entity.{kind}.{label}": fields.of_counts(tally.total)
        for kind, tallies in (("exact", exact), ("partial", partial))
        for label, tally in tallies.items()
    }
    return Result(
        system,
        official | by_label | fields.of_masking(masking),
        len(samples),
        pairing.missing,
        pairing.extra,
        track,
        exact,
        masking,
        samples,
        notices,
    )


def _unlike(samples: Sequence[Sample]) -> tuple[str, ...]:
    """Return notices where a side has no annotation, or the sides share no label and no set."""
    gold = {label.rpartition(SLASH)[2] for one in samples for _, _, label in one.gold}
    found = {label.rpartition(SLASH)[2] for one in samples for _, _, label in one.found}
    sets = (set(label_set(name).labels) for name in label_set_names())
    if not gold or not found:
        sides = (("the gold notes", gold), ("the system's notes", found))
        return tuple(f"{side} have no annotation" for side, labels in sides if not labels)
    if gold & found or any(gold | found <= own for own in sets):
        return ()
    return (
        f"gold and system have no label in common, so that only what was masked can be compared: "
        f"{strangers(gold)} and {strangers(found)}; {MAPPED}",
    )


def _columns(request: Request) -> Result:
    both = read_pairs(Source(request.gold), Source(request.system))
    gold, found = both.gold, both.found
    measures = fields.of_conlleval(conlleval.score(gold, found))
    measures["seqeval.default"] = fields.of_types(seqeval.score(gold, found))
    named = request.scheme and seqeval.canonical(request.scheme)
    for name in (named,) if named else seqeval.admitted(gold, found):
        result = seqeval.score_strict(gold, found, name)
        measures[f"seqeval.strict.{name}"] = fields.of_types(result)
    if semeval.reads(gold, found):
        both_sides = [[semeval.entities(tags) for tags in side] for side in (gold, found)]
        for mode, outcome in semeval.score(*both_sides).items():
            measures[f"nervaluate.{mode}"] = fields.of_outcome(outcome)
    tokens = tokenlevel.score(gold, found)
    measures["token"] = fields.of_types(tokens)
    for name, counts in tokens.counts.items():
        measures[f"token.type.{name}"] = fields.of_counts(counts)
    return Result("", measures, len(gold))
