"""The `calibrate` command: the threshold that keeps a promised recall, or why none does."""

from __future__ import annotations

import json
import os
import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

import typer

from phiscrub.calibrate.certificate import Source, certificate, promise
from phiscrub.calibrate.claim import Claim
from phiscrub.calibrate.ladder import LADDER, Tried, chosen, descend
from phiscrub.calibrate.losses import RISKS, Patients
from phiscrub.calibrate.measured import measured
from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.printed import plain_table, stdout
from phiscrub.core.document import patient_of
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated as Note
from phiscrub.core.wording import counted, listed, share
from phiscrub.detect.tagging.learned import Learned, learned, unseen
from phiscrub.evaluate.masking import ALL
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.units import Groups
from phiscrub.formats.whole import write_whole
from phiscrub.jobs.reports import refuse_losses
from phiscrub.pipeline.load import build
from phiscrub.pipeline.save import moved, pipeline_text
from phiscrub.pipeline.tunable import Tunable
from phiscrub.train.corpus import Corpus, even

EXAMPLES = (
    "phiscrub calibrate our-model --data gold/held-out --recall 0.98",
    "phiscrub calibrate ours.toml --data gold/ --recall 0.995 --by category -o sure.toml",
)
CONFIDENCE = 0.95
MANY = 0.05  # of the patients
DIGITS = re.compile(r"\d+")


class Measure(StrEnum):
    """What the recall is of: names of `RISKS`."""

    WORDS = "words"
    MENTIONS = "mentions"
    PATIENTS = "patients"


class By(StrEnum):
    """Whose recall is promised beside that of everything together."""

    CATEGORY = "category"
    LABEL = "label"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(calibrate)


def calibrate(
    model: Annotated[
        str, typer.Argument(help="Pipeline with a tagger: a TOML file or the folder of a model.")
    ],
    data: Annotated[
        Path, typer.Option(help="Annotated notes that no model of the pipeline learned from.")
    ],
    recall: Annotated[float, typer.Option(help="The recall to promise, such as 0.995.")],
    confidence: Annotated[
        float | None,
        typer.Option(help="How sure the promise is to be.", show_default=f"{CONFIDENCE:g}"),
    ] = None,
    on_average: Annotated[
        bool,
        typer.Option(
            "--on-average",
            help="Promise the recall on average over calibrations instead, without a confidence: "
            "a third of the notes is enough. A refusal counts as no leak.",
        ),
    ] = False,
    by: Annotated[
        By | None, typer.Option(help="Promise it of each category or label that the notes have.")
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(help="With --by: promise it of this one alone, of nothing else. Repeatable."),
    ] = None,
    measure: Annotated[
        Measure, typer.Option(help="What the recall is of: see docs/how-to/guarantee.md.")
    ] = Measure.WORDS,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Pipeline file to write; by default NAME-calibrated.toml beside the pipeline.",
            rich_help_panel=opt.IN_FILES,
        ),
    ] = None,
    labels: own.LabelSetName = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    scheme: opt.Scheme = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Choose the threshold of a pipeline's taggers that keeps a promised recall.

    The promise is for new patients like those of the notes, and holds for small samples too. The
    pipeline is written with its threshold and a certificate. Where the notes cannot support the
    promise, nothing is written, and it is said how many more are needed.
    """
    if on_average and confidence is not None:
        raise SettingsError(
            "--on-average has no --confidence",
            hint="leave one out: what holds on average says nothing of this calibration",
        )
    sure = CONFIDENCE if confidence is None else confidence
    claim = Claim(recall, None if on_average else sure, RISKS[measure.value])
    target = output or _beside(model)
    refuse_losses([model, data], {"--output": target})
    _refuse_target(target)
    tunable = Tunable.load(model)
    reading = opt.read_options(encoding, 20, column, id_column, subject_column, None, scheme)
    corpus = own.Wanted(reading, read_as, labels).corpus(data)
    models = learned(tunable.manifests())
    texts = {note.document.id: note.document.text for note in corpus.notes}
    known = unseen(models, texts, corpus.sha256, corpus.name)
    own.tell(_untold(models, data))
    corpus, notices = distinct(corpus)
    own.tell(notices)
    groups, promised = _groups(corpus, by, only)
    patients = patients_of(corpus.notes)
    own.tell(doubts(corpus.notes, patients))
    with own.counting(len(LADDER), "thresholds", quiet=quiet) as tick:
        rungs = (
            measured(samples, at, patients, claim.risk, groups=groups, promised=promised)
            for at, samples in walked(tunable, corpus.notes)
        )
        tried = []
        for one in descend(claim, rungs):
            tried.append(one)
            tick(f"threshold {one.rung.threshold:g}: recall {one.recall():.4f}")
    found = chosen(claim, tried, len(corpus) / patients.count)
    source = Source(corpus.name, corpus.sha256, len(corpus), patients.unnamed, known)
    table = save(tunable, claim, found, source, target, by=by.value if by else "")
    if as_json:
        rows = [_row(one) for one in tried]
        sys.stdout.write(json.dumps({"certificate": table, "tried": rows}) + "\n")
        return
    _show(claim, tried, found, target)


def walked(tunable: Tunable, notes: Sequence[Note]) -> Iterator[tuple[float, list[Sample]]]:
    """Run the pipeline at one threshold of the ladder after another, the most careful first."""
    documents = [note.document for note in notes]
    for threshold, covers in tunable.covers(documents, LADDER):
        yield (
            threshold,
            [
                Sample.of(note, Note(note.document, cover.mentions))
                for note, cover in zip(notes, covers, strict=True)
            ],
        )


def distinct(corpus: Corpus) -> tuple[Corpus, tuple[str, ...]]:
    """Return the corpus with each text once, whatever its blanks and id, and a notice of that.

    Notes with the same text are not independent. That with most mentions stays.
    """
    kept: dict[str, Note] = {}
    for note in corpus.notes:
        text = even(note.document.text)
        if text not in kept or len(note.mentions) > len(kept[text].mentions):
            kept[text] = note
    more = len(corpus) - len(kept)
    if not more:
        return corpus, ()
    told = f"{counted(more, 'note')} of {len(corpus):,} with the text of another: each text is one"
    return corpus.only(note.document.id for note in kept.values()), (told,)


def patients_of(notes: Sequence[Note]) -> Patients:
    """Return whose each note is: its subject's, or as the i2b2 corpora name notes, or nobody's."""
    ids = [note.document.id for note in notes]
    return Patients.of(ids, [patient_of(note.document) for note in notes])


def doubts(notes: Sequence[Note], patients: Patients) -> Iterator[str]:
    """Yield what speaks against that patients are told apart, and are independent."""
    if patients.unnamed:
        yield (
            f"{patients.unnamed:,} of {counted(len(notes), 'note')} do not say whose they are: "
            "each is taken for a patient of its own, so that a patient with several counts too "
            "often; name the column with --subject-column, or files PATIENT-RECORD"
        )
    near = near_copies(notes, patients)
    if near >= MANY * patients.count:
        yield (
            f"{near:,} of {counted(patients.count, 'patient')} have a note that differs from "
            "another patient's in digits and identifiers alone: near-copies are not independent, "
            "and where they do not come by chance the promise is void; keep one of each"
        )


def near_copies(notes: Sequence[Note], patients: Patients) -> int:
    """Count patients with a note that is another patient's but for digits and identifiers."""
    sharing: defaultdict[str, set[int]] = defaultdict(set)
    for note, patient in zip(notes, patients.of_document, strict=True):
        text, rest, done = note.document.text, "", 0
        for mention in sorted(note.mentions, key=lambda m: m.key):
            rest += text[done : mention.span.start]
            done = mention.span.end
        bare = DIGITS.sub("", rest + text[done:])
        sharing["".join(bare.split())].add(patient)
    return len(set().union(*(alike for alike in sharing.values() if len(alike) > 1)))


def save(
    tunable: Tunable, claim: Claim, found: Tried, source: Source, target: Path, *, by: str
) -> dict[str, Any]:
    """Write the calibrated pipeline; return its certificate."""
    declaration = moved(tunable.declared(found.rung.threshold), tunable.home, target.parent)
    home = target.resolve().parent
    fingerprint = build(declaration, where=str(target), home=home).fingerprint
    date = datetime.now(UTC).date().isoformat()
    table = certificate(claim, found, source, by=by, date=date, pipeline=fingerprint)
    write_whole(target, pipeline_text(replace(declaration, certificate=table)))
    return table


def _refuse_target(target: Path) -> None:
    """Raise `SettingsError` where no file can be written, so that nothing is run for nothing."""
    folder = target.absolute().parent
    if target.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        what, hint = "no pipeline can be written there", "name a file in a folder that is there"
        raise SettingsError(what, where=str(target), hint=hint)


def _beside(model: str) -> Path:
    path = Path(model)
    return path.with_name(f"{path.name.removesuffix('.toml')}-calibrated.toml")


def _untold(models: Sequence[Learned], data: Path) -> Iterator[str]:
    """Yield a notice for each model that does not tell all notes that it learned from.

    Then only the name of a corpus is left, which is the end of its path.
    """
    path = data.resolve()
    for model in models:
        names = [one.name for one in model.untold if _meets(path, PurePosixPath(one.name).parts)]
        if names:
            yield (
                f"{data}: model {model.model} learned from notes of {', '.join(names)}; where "
                "these are among them, the promise is void"
            )
        elif not model.is_whole:
            yield (
                f"model {model.model} does not tell which notes it learned from; where it did "
                "from some of these, the promise is void"
            )


def _meets(path: Path, name: tuple[str, ...]) -> bool:
    """Tell whether a path is, lies in, or holds a corpus with that end of its path."""
    is_in = any(folder.parts[-len(name) :] == name for folder in (path, *path.parents))
    return is_in or any(
        path.parts[-most:] == name[:most] and path.joinpath(*name[most:]).exists()
        for most in range(1, len(name))
    )


def _groups(
    corpus: Corpus, by: By | None, only: Sequence[str] | None
) -> tuple[Groups, Sequence[str] | None]:
    """Return the groups of each label, and which alone are promised, None for everything."""
    if by is None:
        if only:
            raise SettingsError("--only needs --by", hint="say --by category or --by label")
        return (lambda _: ()), None
    known = label_set(corpus.label_set)
    groups: Groups = (lambda x: (known.category(x),)) if by is By.CATEGORY else (lambda x: (x,))
    there = {group for label in corpus.labels for group in groups(label)}
    for name in only or ():
        if name not in there:
            raise SettingsError(
                f"the notes have no {by.value} {name!r}", hint=f"they have {listed(sorted(there))}"
            )
    return groups, tuple(only) if only else None


def _row(one: Tried) -> dict[str, Any]:
    return {
        "threshold": one.rung.threshold,
        "proved": one.is_proved,
        "recall": {group or "all": one.recall(group) for group in one.losses},
        "patients": {group or "all": len(own) for group, own in one.losses.items()},
        "word_recall": one.rung.words.recall,
        "word_precision": one.rung.words.precision,
    }


def _show(claim: Claim, tried: Sequence[Tried], found: Tried, target: Path) -> None:
    console = stdout()
    table = plain_table()
    for name in ("threshold", "recall", "words R", "words P", "proved"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in tried:
        words = one.rung.words
        cells = (f"{one.rung.threshold:g}", f"{one.recall():.4f}")
        figures = map(share, (words.recall, words.precision))
        table.add_row(*cells, *figures, "yes" if one.is_proved else "no")
    table.caption = "recall: as it is promised; words: all words of all patients together"
    console.print(table)
    if set(found.losses) != {ALL}:
        each = plain_table()
        each.add_column("promised of each", overflow="fold")
        for name in ("patients", "recall"):
            each.add_column(name, justify="right", no_wrap=True)
        for group, losses in found.losses.items():
            if group != ALL:
                each.add_row(group, f"{len(losses):,}", f"{found.recall(group):.4f}")
        console.print(each)
    told = f"{promise(claim, found.losses)}, as {counted(found.patients, 'patient')} prove."
    console.print(told[0].upper() + told[1:])
    console.print(f"Threshold {found.rung.threshold:g}, written to {target}")
