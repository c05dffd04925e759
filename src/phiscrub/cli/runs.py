"""The commands that take notes through: scrub, detect, convert."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import typer

from phiscrub.cli import options as opt
from phiscrub.cli import surrogating as sur
from phiscrub.cli.escapes import warn_of_escapes
from phiscrub.cli.job import listed_beside, run_job
from phiscrub.cli.promises import warn_of_void
from phiscrub.cli.report import CONVERTED, stderr
from phiscrub.core.document import Subject
from phiscrub.core.errors import (
    MissingError,
    QuarantinedError,
    SettingsError,
)
from phiscrub.core.labels import HUB, label_set, mapping, renaming
from phiscrub.detect.subjects import read_subjects
from phiscrub.detect.tagging.manifest import FILE as MANIFEST
from phiscrub.formats.annotated import left_out
from phiscrub.formats.record import Options
from phiscrub.jobs.cores import usable_cores
from phiscrub.jobs.outputs import names_for
from phiscrub.jobs.plan import Task, passed_by, plan, total_bytes, unmarked
from phiscrub.jobs.reports import AUDIT, QUARANTINE, refuse_clashes
from phiscrub.jobs.run import Job
from phiscrub.jobs.spoken import spoken_in
from phiscrub.jobs.work import PipelineWork, Recipe, Relabelling

PARALLEL_BYTES = 4_000_000  # less input than this is done before workers have started
DELIMITED = "csv"
TABLES = (DELIMITED, "parquet")  # without a named column their rows say nothing of patients
ANNOTATED = ("brat", "i2b2", "i2b2-2006", "meddocan", "conll", "jsonl", "json", "csv", "parquet")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(
        epilog=opt.examples(
            "phiscrub scrub notes/ -o clean/", SCRUB_TABLE, SCRUB_PIPE, SCRUB_SURROGATES
        )
    )(scrub)
    app.command(epilog=opt.examples("phiscrub detect notes/ -o found/ --to brat", DETECT_JSON))(
        detect
    )
    app.command(
        epilog=opt.examples(
            "phiscrub convert gold/ -o out/ --to conll", CONVERT_SCHEME, CONVERT_MAP
        )
    )(convert)
    app.command("linkage", epilog=opt.examples(LINKAGE))(sur.open_linkage)


SCRUB_TABLE = "phiscrub scrub notes.csv -o clean.csv --column note --audit audit.jsonl"
SCRUB_PIPE = "cat note.txt | phiscrub scrub - > clean.txt"
LINKAGE = "phiscrub linkage linkage.enc --linkage-key linkage.key"
SCRUB_SURROGATES = "phiscrub scrub notes/ -o clean/ --replace surrogates --secret-file secret.txt"
DETECT_JSON = "phiscrub detect notes.csv -o found.jsonl --to jsonl --labels hipaa"
CONVERT_SCHEME = "phiscrub convert brat/ -o tags.conll --to conll --scheme BIOES"
CONVERT_MAP = "phiscrub convert own/ -o i2b2/ --map PERSON=PATIENT --map TOWN=CITY --map FINDING="


def scrub(
    inputs: opt.Inputs = None,
    output: opt.Out = None,
    read_as: opt.From = None,
    write_as: opt.To = None,
    pipeline: opt.PipelineName = "en",
    mode: opt.Mode = None,
    labels: opt.Labels = None,
    policy: opt.Policy = None,
    replace: opt.Replace = None,
    subjects: opt.Subjects = None,
    secret_file: sur.SecretFile = None,
    dates: sur.DatesOption = None,
    shift_days: sur.ShiftDays = None,
    keep_weekday: sur.KeepWeekday = False,
    ages: sur.AgesOption = None,
    setting: sur.SettingOption = None,
    verify: sur.Verify = False,
    linkage: sur.Linkage = None,
    linkage_key: sur.LinkageKey = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    delimiter: opt.Delimiter = None,
    escape: opt.Escape = None,
    scheme: opt.Scheme = None,
    encoding: opt.Encoding = None,
    max_note: opt.MaxNote = 20,
    markup: opt.Markup = False,
    workers: opt.Workers = 0,
    resume: opt.Resume = False,
    audit: opt.Audit = None,
    quarantine: opt.Quarantine = None,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Replace identifiers in notes; all else passes through untouched."""
    reading = opt.read_options(
        *(encoding, max_note, column, id_column, subject_column, delimiter, scheme, escape),
        doubts=True,
    )
    choices = sur.Choices(
        secret_file, dates, shift_days, keep_weekday, ages, setting, verify, linkage, linkage_key
    )
    replace = sur.NAME if replace == sur.ALIAS else replace
    choices.check(replace, resume=resume)
    tasks = plan(_given(inputs), output, read_as, write_as)
    warn_of_escapes(read_as, tasks)
    _refuse_escape(escape, tasks)
    listed = listed_beside(quarantine, output)
    refuse_clashes(
        _given(inputs), tasks, {AUDIT: audit, QUARANTINE: listed}, {"--linkage": linkage}
    )
    keys = choices.keys()
    changes: dict[str, Any] = {"mode": mode, "output_labels": labels, "policy": policy}
    if replace == sur.NAME:
        changes["replacer"] = choices.replacer(keys, subjects)
    elif replace is not None:
        changes["replacer"] = {"use": replace}
    stated = {key: value for key, value in changes.items() if value is not None}
    work = _pipeline_work(Recipe("scrub", pipeline, stated), tasks, workers)
    spoken = labels or work.pipeline.label_set.name
    checked = sur.Checked(work, choices, spoken, keys, keys.tally())
    job = Job(
        tasks,
        reading,
        opt.write_options(reading, scheme),
        spoken=spoken,
        subjects=_subjects(subjects, work, tasks, reading),
        resume=resume,
        audit=audit,
        quarantine=listed,
        looks=True,
        plain=not markup,
        passed_by=passed_by(_given(inputs)),
        checks=checked.tally if replace == sur.NAME else None,
        secret=keys.mark,
        lists=() if linkage is None else (linkage,),
    )
    if replace != sur.NAME:
        run_job(job, work, output, verb="scrubbed", quiet=quiet, as_json=as_json)
        return
    checked.begin()
    try:
        run_job(
            *(job, checked, output),
            verb="scrubbed",
            quiet=quiet,
            as_json=as_json,
            go_on=choices.go_on(),
            more=checked.told,
        )
    except QuarantinedError:
        checked.finish(quiet=quiet)
        raise
    checked.finish(quiet=quiet)


def detect(
    inputs: opt.Inputs = None,
    output: opt.Out = None,
    read_as: opt.From = None,
    write_as: opt.Found = None,
    pipeline: opt.PipelineName = "en",
    mode: opt.Mode = None,
    model: opt.Models = None,
    labels: opt.Labels = None,
    subjects: opt.Subjects = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    delimiter: opt.Delimiter = None,
    escape: opt.Escape = None,
    scheme: opt.Scheme = None,
    encoding: opt.Encoding = None,
    max_note: opt.MaxNote = 20,
    markup: opt.Markup = False,
    workers: opt.Workers = 0,
    resume: opt.Resume = False,
    audit: opt.Audit = None,
    quarantine: opt.Quarantine = None,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Write the identifiers found as annotations; the notes stay as they are."""
    reading = opt.read_options(
        *(encoding, max_note, column, id_column, subject_column, delimiter, scheme, escape),
        doubts=True,
    )
    tasks = plan(_given(inputs), output, read_as, write_as or "jsonl")
    _refuse_plain(tasks)
    warn_of_escapes(read_as, tasks)
    _refuse_escape(escape, tasks)
    listed = listed_beside(quarantine, output)
    refuse_clashes(_given(inputs), tasks, {AUDIT: audit, QUARANTINE: listed})
    named, changes = _models(model) if model else (pipeline, {})
    if mode is not None:
        changes["mode"] = mode
    if labels is not None:
        changes["output_labels"] = labels
    work = _pipeline_work(Recipe("detect", named, changes), tasks, workers)
    job = Job(
        tasks,
        reading,
        opt.write_options(reading, scheme),
        carries=False,
        spoken=labels or work.pipeline.label_set.name,
        subjects=_subjects(subjects, work, tasks, reading),
        resume=resume,
        audit=audit,
        quarantine=listed,
        plain=not markup,
        passed_by=passed_by(_given(inputs)),
    )
    run_job(job, work, output, verb="searched", quiet=quiet, as_json=as_json)


def convert(
    inputs: opt.Inputs = None,
    output: opt.Out = None,
    read_as: opt.From = None,
    write_as: opt.To = None,
    labels: opt.Labels = None,
    source_labels: opt.SourceLabels = None,
    own_labels: opt.OwnLabels = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    delimiter: opt.Delimiter = None,
    escape: opt.Escape = None,
    scheme: opt.Scheme = None,
    encoding: opt.Encoding = None,
    max_note: opt.MaxNote = 20,
    quarantine: opt.Quarantine = None,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Write annotated notes in another format; text and offsets stay the same.

    Labels do too, but with --labels, and for formats with a label set of their own, they are
    renamed: from the set that the input's format fixes, or that --source-labels names, or that its
    labels tell (the input is then read twice; standard input is taken to have the hub's, i2b2).
    Labels of your own become those of a set with --map, by default i2b2. What its own format keeps
    beside the mentions (CoNLL columns, brat relations) stays in that format. Notes that nobody
    annotated are left out: texts without an .ann in a folder that has some, and JSON records whose
    answer is reject or ignore, as Prodigy has it.
    """
    reading = opt.read_options(
        *(encoding, max_note, column, id_column, subject_column, delimiter, None, escape),
        doubts=True,
    )
    tasks = plan(_given(inputs), output, read_as, write_as, gold=True)
    _refuse_escape(escape, tasks)
    bare = unmarked(_given(inputs), tasks)
    listed = listed_beside(quarantine, output)
    refuse_clashes(_given(inputs), tasks, {QUARANTINE: listed})
    if own_labels:
        labels = label_set(labels or HUB).name
        named = mapping(own_labels, label_set(labels))
        fixed = {item.format.label_set for task in tasks for item in task.items} - {None}
        source = source_labels or (fixed.pop() if len(fixed) == 1 else labels)
    else:
        named, source = {}, _spoken(tasks, reading, source_labels, labels)
    renamed = renaming(label_set(source), label_set(labels)) | named if source and labels else None
    work = Relabelling(renamed)
    writing = opt.write_options(reading, scheme, verbatim=True)
    spoken, hidden = labels or source, passed_by(_given(inputs))
    job = Job(
        *(tasks, reading, writing),
        spoken=spoken,
        quarantine=listed,
        gold=True,
        passed_by=hidden,
    )
    sets = {kind.label_set for kind in _targets(tasks)}
    names = names_for(spoken, sets.pop()) if len(sets) == 1 else {}
    if not (quiet or as_json):
        for line in left_out(bare, 0):
            stderr().print(line)
    run_job(
        *(job, work, output),
        verb=CONVERTED,
        quiet=quiet,
        as_json=as_json,
        more=lambda: {"unmarked": bare},
        go_on="",
        written_as=names,
    )


def _models(models: Sequence[Path]) -> tuple[str, dict[str, Any]]:
    """Return the pipeline of models that run alone, by the first of them, and what it changes."""
    for model in models:
        if not (model / MANIFEST).is_file():
            hint = "give the folder that phiscrub train wrote"
            raise MissingError("is no model", where=str(model), hint=hint)
    if len(models) == 1:
        return str(models[0]), {}
    paths = [str(model.resolve()) for model in models]
    return str(models[0]), {"detector": ({"use": "ensemble", "models": paths},)}


def _given(inputs: list[str] | None) -> list[str]:
    return inputs or ["-"]


def _subjects(
    file: Path | None, work: PipelineWork, tasks: tuple[Task, ...], reading: Options
) -> Mapping[str, Subject] | None:
    """Read what is known of the patients, if a file was given."""
    if file is None:
        return None
    tables = [task.items[0] for task in tasks if task.items[0].format.name in TABLES]
    if tables and reading.subject_column is None and reading.id_column is None:
        raise SettingsError(
            "--subjects without the patients' column of a table",
            where=tables[0].source.name,
            hint="name it with --subject-column (or --id-column, where ids are PATIENT-RECORD)",
        )
    if "subject" not in (name for name, _ in work.pipeline.detectors):
        raise SettingsError(
            "the pipeline has no subject detector",
            hint='add [[detector]] use = "subject" to it, or leave out --subjects',
        )
    return read_subjects(file)


def _targets(tasks: tuple[Task, ...]) -> list[Any]:
    return [task.format_of(item) for task in tasks for item in task.items[:1]]


def _refuse_plain(tasks: tuple[Task, ...]) -> None:
    for kind in _targets(tasks):
        if not kind.annotates:
            raise SettingsError(
                f"format {kind.name} holds no annotations",
                hint=f"choose --to {'|'.join(ANNOTATED)}",
            )


def _refuse_escape(escape: str | None, tasks: tuple[Task, ...]) -> None:
    """Raise `SettingsError` where there is no table that a sign could be escaped in."""
    kinds = [kind for task in tasks for one in task.items for kind in (one.format, task.target)]
    if escape and all(kind is None or kind.name != DELIMITED for kind in kinds):
        hint = f"say --from {DELIMITED} if it is one"
        raise SettingsError("--escape is for tables, and no input is taken for one", hint=hint)


def _spoken(
    tasks: tuple[Task, ...], reading: Options, named: str | None, labels: str | None
) -> str | None:
    """Return the label set of the input where it is asked for; None where nothing needs it.

    A format that has its own set gets labels from there; where the input's set cannot be told,
    the format refuses what it cannot hold, note by note.
    """
    if named is not None:
        return label_set(named).name
    if labels is not None:
        return spoken_in(tasks, reading)
    if all(kind.label_set is None for kind in _targets(tasks)):
        return None
    try:
        return spoken_in(tasks, reading)
    except SettingsError:
        return None


def _pipeline_work(recipe: Recipe, tasks: tuple[Task, ...], workers: int) -> PipelineWork:
    if workers == 0:
        workers = usable_cores() if total_bytes(tasks) > PARALLEL_BYTES else 1
    work = PipelineWork(recipe, recipe.load(), workers)
    warn_of_void(recipe)
    return work
