"""Surrogates on the command line: their options, the checks of a run, the linkage file."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from phiscrub.cli.job import GO_ON
from phiscrub.cli.report import stderr
from phiscrub.core.errors import InputError, Place, SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated as Note
from phiscrub.core.wording import counted
from phiscrub.formats.private import append_private, prepare_private
from phiscrub.jobs.work import Outcome, PipelineWork, Result, kept_back
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.check import Tally, doubt_words
from phiscrub.replace.dates import noted_year
from phiscrub.replace.kept import AGES, PLACES, PROFESSIONS, YEARS
from phiscrub.replace.keyed import Key
from phiscrub.replace.linkage import Row, cipher, opened, sealed
from phiscrub.replace.onset import is_guessed
from phiscrub.replace.originals import plain_words
from phiscrub.replace.surrogates import DateMode

T = TypeVar("T")
NAME, ALIAS = "surrogates", "surrogate"
PANEL = "Surrogates"
KINDS = (AGES, PLACES, PROFESSIONS, YEARS)  # what may single a patient out

SecretFile = Annotated[
    Path | None,
    typer.Option(
        help="File with a secret of 16 bytes or more: the same secret gives the same surrogates "
        "for the same patient in every run. Without it nothing links.",
        rich_help_panel=PANEL,
    ),
]
DatesOption = Annotated[
    str | None,
    typer.Option(
        help="Dates: shift (by default), keep, onset (as time to an index event) or remove.",
        rich_help_panel=PANEL,
    ),
]
ShiftDays = Annotated[
    int | None,
    typer.Option(
        help="Most days that a patient's dates move, either way; 365 by default.",
        rich_help_panel=PANEL,
    ),
]
KeepWeekday = Annotated[
    bool, typer.Option("--keep-weekday", help="Move by whole weeks.", rich_help_panel=PANEL)
]
AgesOption = Annotated[
    str | None,
    typer.Option(
        help="Ages: keep (by default) or group by five years; above 89 is 90 either way.",
        rich_help_panel=PANEL,
    ),
]
SettingOption = Annotated[
    str | None,
    typer.Option(
        "--setting",
        help="Whose names stand in: us, uk, world, es or sv; by default the language's. "
        "With uk the day comes first in English dates that do not tell.",
        rich_help_panel=PANEL,
    ),
]
Verify = Annotated[
    bool,
    typer.Option(
        "--verify",
        help="Keep back notes whose output still holds an original; they are counted in any case.",
        rich_help_panel=PANEL,
    ),
]
Linkage = Annotated[
    Path | None,
    typer.Option(
        help="New file for which words stand for which, encrypted with --linkage-key.",
        rich_help_panel=PANEL,
    ),
]
LinkageKey = Annotated[
    Path | None, typer.Option(help="File with the key of the linkage file.", rich_help_panel=PANEL)
]


@dataclass(frozen=True, slots=True)
class Keys:
    """What the files of keys hold. They are read once: they may be pipes, or taken away."""

    secret: Key | None = None
    linkage: Any = field(default=None, repr=False)  # a Fernet, of an extra

    @property
    def mark(self) -> str:
        """What only who has the secret can tell, '' without one."""
        return "" if self.secret is None else self.secret.narrow("run").secret.hex()

    def tally(self) -> Tally:
        """Return what the checks count in; with the secret, a resumed run can go on with it."""
        return Tally() if self.secret is None else Tally(key=self.secret.narrow("checks"))


@dataclass(frozen=True, slots=True)
class Choices:
    """What was said of surrogates on the command line."""

    secret_file: Path | None = None
    dates: str | None = None
    shift_days: int | None = None
    keep_weekday: bool = False
    ages: str | None = None
    setting: str | None = None
    verify: bool = False
    linkage: Path | None = None
    linkage_key: Path | None = None

    def said(self) -> bool:
        """Tell whether anything was."""
        return self != Choices()

    def check(self, replace: str | None, *, resume: bool) -> None:
        """Refuse what does not go together."""
        if replace != NAME:
            if self.said():
                hint = f"add --replace {NAME}"
                raise SettingsError("options of surrogates without surrogates", hint=hint)
            return
        if (self.linkage is None) != (self.linkage_key is None):
            raise SettingsError("--linkage and --linkage-key go together", hint="give both")
        if self.linkage is not None:
            _refuse_present(self.linkage)
        if resume and (self.secret_file is None or self.linkage is not None):
            what = "--linkage" if self.linkage else "no --secret-file"
            raise SettingsError(f"--resume cannot go on with {what}", hint="start afresh")

    def go_on(self) -> str:
        """Say what to do where the run is stopped."""
        if self.linkage is not None:
            return "start afresh with another --linkage; this one is of what has been written"
        if self.secret_file is None:
            return "start afresh: the key of a run without --secret-file ends with it"
        return GO_ON

    def keys(self) -> Keys:
        """Read the keys."""
        return Keys(
            None if self.secret_file is None else Key.read(self.secret_file),
            None if self.linkage_key is None else cipher(self.linkage_key),
        )

    def replacer(self, keys: Keys, patients: Path | None) -> dict[str, Any]:
        """Return the replacer's table, without a secret with a key for this run alone.

        All workers get the same. `patients` is the table of those that no surrogate may be.
        """
        table: dict[str, Any] = {"use": NAME}
        if patients is not None:
            table["patients"] = str(patients)
        for name in ("dates", "shift_days", "ages", "setting"):
            if (value := getattr(self, name)) is not None:
                table[name] = value
        if self.keep_weekday:
            table["keep_weekday"] = True
        return {**table, "key": keys.secret or Key.random()}


def _refuse_present(path: Path) -> None:
    """Raise `SettingsError` where a file is there, another run's linkage file above all."""
    if path.exists() and not (path.is_file() and path.stat().st_size == 0):
        raise SettingsError(
            "is there, and stays as it is", where=str(path), hint="name another with --linkage"
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """Work whose output is checked, and written down in the linkage file if one was asked for."""

    work: PipelineWork
    choices: Choices
    labels: str
    keys: Keys
    tally: Tally
    rows: set[Row] = field(default_factory=set, repr=False)

    @property
    def pipeline(self) -> Any:
        """The pipeline that does the work."""
        return self.work.pipeline

    @property
    def fingerprint(self) -> str:
        """The work's, and whether notes are kept back."""
        return f"{self.work.fingerprint}:{self.choices.verify}"

    def run(self, batches: Iterable[tuple[T, Sequence[Note]]]) -> Iterator[tuple[T, list[Result]]]:
        """Process batches and check each note."""
        hubs = label_set(self.labels).to_hub
        language = self.work.pipeline.language
        calendar, plain = Calendar.load(language), plain_words(language)
        pairs = (((companion, notes), notes) for companion, notes in batches)
        for (companion, notes), results in self.work.run(pairs):
            checked = [
                self._guarded(note, result, hubs, calendar, plain)
                if isinstance(result, Outcome)
                else result
                for note, result in zip(notes, results, strict=True)
            ]
            if self.rows:  # before any of the batch is written: a way back from all that is
                self._link()
            yield companion, checked

    def _guarded(self, note: Note, outcome: Outcome, *known: Any) -> Result:
        """Check a note; one that a check fails over is kept back alone."""
        try:
            return self._checked(note, outcome, *known)
        except Exception as error:  # noqa: BLE001 - whatever a check raises, the note is kept back
            return kept_back(error)

    def _checked(
        self,
        note: Note,
        outcome: Outcome,
        hubs: Mapping[str, str],
        calendar: Calendar,
        plain: frozenset[str],
    ) -> Result:
        document, found, made = note.document, outcome.found, outcome.note
        guessed = False
        if self.choices.dates == DateMode.ONSET:
            spans = [(m.span.start, m.span.end) for m in found if hubs.get(m.label) == "DATE"]
            guessed = is_guessed(calendar, document, spans)
        subject = document.subject.key if document.subject else document.id
        left = self.tally.add(
            *(subject, document.text, found, made, hubs),
            calendar=calendar if self.choices.dates in (None, DateMode.SHIFT) else None,
            kept=outcome.kept,
            plain=plain,
            year=noted_year(document.meta),
            guessed=guessed,
        )
        if left and self.choices.verify:
            return InputError(
                f"{len(left)} words that were replaced still stand elsewhere in the output",
                where=Place(offset=left[0].start, record=document.id),
                hint="they were not found there; look at the note, or leave out --verify",
            )
        if self.choices.linkage is not None:
            text, output = document.text, made.document.text
            rows = []
            for before, after in zip(found, made.mentions, strict=True):
                was = text[before.span.start : before.span.end]
                put = output[after.span.start : after.span.end]
                rows.append((subject, document.id, after.span.start, after.label, was, put))
            self.rows.update(rows)
        return outcome

    def _link(self) -> None:
        if self.choices.linkage is not None:
            append_private(self.choices.linkage, sealed(self.rows, self.keys.linkage))
            self.rows.clear()

    def begin(self) -> None:
        """Raise `OutputError` where the linkage file cannot be written."""
        if self.choices.linkage is not None:
            prepare_private(self.choices.linkage)

    def told(self) -> dict[str, object]:
        """Return what the checks found, for the summary in JSON."""
        tally = self.tally
        alone, patients = tally.kept.alone()
        return {
            "checked": {
                "notes_left": tally.notes_left,
                "left": dict(tally.left),
                "collisions": tally.collisions,
                "shared": dict(tally.shared),
                "doubts": dict(tally.doubts),
                "guessed": tally.guessed,
                "patients": patients,
                "alone": alone,
                "alone_by": {kind: tally.kept.alone(kind)[0] for kind in KINDS},
            }
        }

    def finish(self, *, quiet: bool) -> None:
        """Say what the checks found; of leaks, even when quiet."""
        if self.choices.linkage is not None and not self.choices.linkage.exists():
            self._link()  # of a run without notes
        console, tally = stderr(), self.tally
        if tally.notes_left:
            told = ", ".join(f"{n} {label}" for label, n in sorted(tally.left.items()))
            notes = counted(tally.notes_left, "note")
            console.print(f"words that were replaced still stand in {notes}: {told}")
        if tally.collisions:
            console.print(
                f"real values of another patient: {counted(tally.collisions, 'surrogate')}"
            )
        if quiet:
            return
        if not tally.notes_left:
            console.print("checked: no note holds a word that was replaced in it")
        if shared := tally.shared:
            told = ", ".join(f"{n} {label}" for label, n in sorted(shared.items()))
            numbers = counted(shared.total(), "surrogate number")
            console.print(f"shared by more than one patient: {numbers} ({told})")
        words = doubt_words()
        for doubt, count in sorted(tally.doubts.items()):
            console.print(f"dates that {words[doubt]}: {count:,}")
        if tally.guessed:
            console.print(
                f"notes that count from a day that was guessed: {tally.guessed:,}; a patient's may "
                "count from several: give each patient's day in a column onset of --subjects"
            )
        alone, patients = tally.kept.alone()
        if alone:
            by = {kind: tally.kept.alone(kind)[0] for kind in KINDS}
            told = ", ".join(f"{count} by {kind}" for kind, count in by.items() if count)
            console.print(
                f"alone with what is kept of them (k = 1): {alone:,} of "
                f"{counted(patients, 'patient')}" + (f" ({told})" if told else "")
            )


def open_linkage(
    file: Annotated[Path, typer.Argument(help="A linkage file.")],
    linkage_key: Annotated[Path, typer.Option(help="File with its key.")],
) -> None:
    """Print a linkage file as JSON Lines: patient, note, place, label, original, surrogate."""
    sys.stdout.write(opened(file, cipher(linkage_key)) + "\n")
