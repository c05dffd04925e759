"""The `train` command: a recipe and annotated notes to a model."""

from __future__ import annotations

import math
import time
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.htmlpictures import rising
from phiscrub.cli.htmlreport import report
from phiscrub.cli.printed import print_json
from phiscrub.cli.scoretable import show
from phiscrub.cli.scoring import Result, of_samples
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import counted
from phiscrub.detect.tagging.manifest import refuse_folder
from phiscrub.formats.private import write_private
from phiscrub.jobs.reports import refuse_losses
from phiscrub.train.corpus import UNSTATED, Corpus, check_training
from phiscrub.train.fit import AnyFitted, material_of
from phiscrub.train.schedule import WEIGHTS, Run
from phiscrub.train.tune import Trial, tune

EXAMPLES = (
    "phiscrub train phiscrub-crf --train gold/train --dev gold/dev -o our-model",
    "phiscrub train berg-dalianis2019-crf --train sv.conll --language sv -o model --quick",
    "phiscrub detect notes/ --model our-model -o found.jsonl",
)
NEAR = 0.9  # of the best F1: the curve is drawn where it tells something


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(train)


def train(
    recipe: own.RecipeName,
    train: Annotated[Path, typer.Option(help="Folder or file of annotated notes.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder of the model.")],
    dev: Annotated[
        Path | None,
        typer.Option(help="Other annotated notes: to stop early, and for figures."),
    ] = None,
    extra: Annotated[
        list[Path] | None,
        typer.Option(help="More notes to train on, of the same label set; may be repeated."),
    ] = None,
    tuning: Annotated[
        float | None,
        typer.Option(
            "--tune",
            help="Search penalties and feature groups on --dev for so many minutes.",
        ),
    ] = None,
    report_file: Annotated[
        Path | None,
        typer.Option(
            "--report", help="Where the report goes; by default OUTPUT.report.html, with --dev."
        ),
    ] = None,
    show_text: Annotated[
        bool,
        typer.Option("--show-text", help="Quote the notes of --dev in the report, not shapes."),
    ] = False,
    vectors: own.Vectors = None,
    init: Annotated[
        Path | None,
        typer.Option(
            help="A model trained before, or one that ships by its name, as en-crf or en-tagger, "
            "whose weights are begun with; a network's label set may differ.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = None,
    freeze: Annotated[
        list[str] | None,
        typer.Option(
            help="Weights of a network that stay as they are, by how their names begin: words, "
            "words.vectors, places, context.layers.0, …; may be repeated.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = None,
    teacher: Annotated[
        list[Path] | None,
        typer.Option(
            help="Folder of a model whose probabilities a network learns as well; several, given "
            "one by one, teach as an ensemble.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = None,
    language: own.Language = None,
    labels: own.LabelSetName = None,
    without: own.Without = None,
    licence: own.Licence = UNSTATED,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    scheme: opt.Scheme = None,
    column: opt.Column = None,
    subject_column: opt.SubjectColumn = None,
    cut: own.Cut = 0,
    device: own.Device = "cpu",
    seed: own.Seed = 1,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on where a network's training was cut off, from OUTPUT.checkpoint.",
            rich_help_panel=opt.RUN,
        ),
    ] = False,
    minutes: Annotated[
        float,
        typer.Option(
            "--checkpoint-minutes",
            min=0,
            help="How often a network's training is written down.",
            rich_help_panel=opt.RUN,
        ),
    ] = 10.0,
    quick: own.Quick = False,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Train a recipe on annotated notes.

    The model is a folder: a manifest with settings, licences and hashes, the weights, and the
    features or words as text. It runs with phiscrub detect --model, offline and without a GPU.
    --init begins with a model that has learned already: a CRF changes as little of it as pays. A
    network leaves OUTPUT.weights beside it, which --init can begin with; models alone will do, with
    weights as coarse as they are stored.
    """
    if tuning is not None and dev is None:
        raise SettingsError("--tune needs notes to compare on", hint="give --dev")
    reading = opt.read_options(encoding, 20, column, None, subject_column, None, scheme)
    wanted = own.Wanted(reading, read_as, labels, licence, cut)
    run = Run(
        device=device,
        seed=seed,
        checkpoint=None if tuning is not None else Path(f"{output}.checkpoint"),
        minutes=minutes,
        resume=resume,
        vectors=vectors,
        init=init,
        frozen=tuple(freeze or ()),
        teachers=tuple(teacher or ()),
    )
    refuse_losses(
        [train, *(extra or ()), *([dev] if dev else ())],
        {"--output": output, "--report": report_file},
    )
    begun = time.monotonic()
    stated = own.chosen(recipe, without, quick=quick)
    if tuning is not None and init is not None and stated.network is None:
        what = "--tune searches features and penalties, and a CRF begun with another has its"
        raise SettingsError(what, hint="leave --tune or --init out")
    refuse_folder(output)
    if stated.network is not None:
        refuse_folder(output.with_name(output.name + WEIGHTS))
    target = wanted.corpus(train)
    wanted = own.Wanted(reading, read_as, target.label_set, licence, cut)
    held = None if dev is None else wanted.corpus(dev)
    more = [wanted.corpus(path) for path in extra or ()]
    own.tell(check_training(target, held, more))
    spoken = own.spoken(language, target)
    if quick:
        target = target.sample(own.QUICK_TRAIN)
        held = None if held is None else held.sample(own.QUICK_DEV)
    with own.iterations(stated, quiet=quiet or tuning is not None) as tick:
        material = material_of(stated, spoken, [target, *more], held, run)
        own.tell(material.notices)
        trials: tuple[Trial, ...] = ()
        if tuning is None or held is None:
            fitted = material.fit(material.recipe, tick)
        else:
            searched = tune(material, held, tuning, lambda t: _tried(t, quiet=quiet))
            fitted, trials = searched.fitted, searched.trials
    fitted.save(output)
    seconds = time.monotonic() - begun
    result = None if held is None else of_samples(fitted.samples(held.notes))
    if result is not None:
        html = report([result], redacted=not show_text, before=_story(fitted, trials, seconds))
        write_private(report_file or Path(f"{output}.report.html"), html)
    if as_json:
        row = _row(fitted, output, seconds, result, trials)
        print_json(row)
    elif not quiet:
        _show(fitted, output, seconds, held, result)


def _tried(trial: Trial, *, quiet: bool) -> None:
    if not quiet:
        kept = "kept" if trial.kept else "no gain"
        own.tell(
            [f"{trial.change}: F1 {trial.counts.f1 or 0:.4f} in {trial.seconds:.0f} s, {kept}"]
        )


def _show(
    fitted: AnyFitted, output: Path, seconds: float, held: Corpus | None, result: Result | None
) -> None:
    own.tell(
        [
            f"{fitted.recipe.name} on {counted(sum(map(len, fitted.data)), 'note')}: "
            f"{fitted.stopped}, {seconds:.0f} s",
            f"{fitted.told}; {size(output) / 1e6:.1f} MB -> {output}",
        ]
    )
    if held is None or result is None:
        own.tell(["no figures without --dev; or try phiscrub crossval"])
    else:
        show(result)


def size(folder: Path) -> int:
    """Return the bytes of a folder's files."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def _row(
    fitted: AnyFitted,
    output: Path,
    seconds: float,
    result: Result | None,
    trials: tuple[Trial, ...],
) -> dict[str, object]:
    return {
        "model": str(output),
        "recipe": fitted.recipe.stated(),
        "notes": sum(map(len, fitted.data)),
        "iterations": len(fitted.steps),
        "stopped": fitted.stopped,
        "steps": [asdict(step) for step in fitted.steps],
        "seconds": round(seconds, 1),
        **fitted.sizes,
        "bytes": size(output),
        "trials": [asdict(trial) for trial in trials],
        "dev": None if result is None else own.measures(result),
    }


def _story(fitted: AnyFitted, trials: tuple[Trial, ...], seconds: float) -> str:
    """Return the report's part on training: what, from which notes, and the curves."""
    recipe, steps = fitted.recipe, fitted.steps
    facts = {
        "recipe": recipe.name + (f", after {recipe.source}" if recipe.source else ""),
        "trained on": "; ".join(
            f"{c.name}: {counted(len(c), 'note')}, {counted(c.labels.total(), 'mention')}, "
            f"licence {c.licence}"
            for c in fitted.data
        ),
        **fitted.facts,
        "ended": f"{fitted.stopped}, in {seconds:.0f} s",
    }
    rows = "".join(f"<tr><td>{escape(k)}</td><td>{escape(v)}</td></tr>" for k, v in facts.items())
    noun = "iteration" if recipe.network is None else "epoch"
    losses = [(s.iteration, math.log10(max(s.loss, 1e-9))) for s in steps]
    loss = rising(losses, noun, "loss, as a power of ten") if losses else ""
    best = max((s.f1 or 0.0 for s in steps), default=0.0)
    seen = [(s.iteration, s.f1) for s in steps if s.f1 is not None and s.f1 >= NEAR * best]
    curve = rising(seen, noun, f"{own.judged_by(recipe)}, dev") if seen else ""
    tried = "".join(
        f"<tr><td>{escape(t.change)}</td><td class='n'>{t.counts.f1 or 0:.4f}</td>"
        f"<td>{'kept' if t.kept else 'no gain'}</td></tr>"
        for t in trials
    )
    search = f'<div class="card"><h3>What was tried</h3><table>{tried}</table></div>'
    return (
        f'<section><h2>Training</h2><div class="card"><table>{rows}</table></div>'
        f'<div class="pair"><div class="card">{loss}</div><div class="card">{curve}</div></div>'
        f"{search if trials else ''}</section>"
    )
