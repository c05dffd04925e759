"""A whole run: read, process, write, keep account, and be able to go on after a break."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from phiscrub.core.document import Subject
from phiscrub.core.errors import (
    InputError,
    LabelError,
    MissingError,
    OutputError,
    PhiscrubError,
    Place,
    SettingsError,
)
from phiscrub.core.mention import Annotated
from phiscrub.core.version import VERSION
from phiscrub.formats.digest import stdout_digested
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.stream import STDOUT
from phiscrub.jobs.audit import Audit, number_of
from phiscrub.jobs.beside import Beside, looked_at
from phiscrub.jobs.called import Called
from phiscrub.jobs.foreign import foreign_files
from phiscrub.jobs.keys import refuse_unknown_keys
from phiscrub.jobs.ledger import Journal, Lines, Progress
from phiscrub.jobs.outputs import Output, Staged, move_staged, open_output
from phiscrub.jobs.plan import Item, Task, fingerprint_of, staging_folder, total_bytes
from phiscrub.jobs.read import (
    Entry,
    accepted,
    batches,
    entries,
    in_plain_text,
    notes_of,
    record_name,
    told_apart,
    with_subjects,
)
from phiscrub.jobs.reports import AUDIT, QUARANTINE, QUARANTINE_ROW
from phiscrub.jobs.summary import Summary
from phiscrub.jobs.work import Checks, Outcome, Processor, Result

CHECKPOINT_SECONDS = 5.0
SHOWN_FAILURES = 5  # the quarantine report has them all
HIDDEN_HINT = "name it as an input, or rename it"
CHECKS = "checks"
KEPT_BACK = (InputError, LabelError)  # what keeps a note back; other errors end the run


@dataclass(frozen=True, slots=True)
class Job:
    """What a run does: its tasks, how files are read and written, and the lists it keeps.

    `carries` says that what surrounds a note in its file (other columns) passes through.
    `spoken` is the label set of the notes that are written, None where it is not known; a format
    with a set of its own gets its labels from there. `subjects` is what is known of patients, by
    their keys. `looks` says that columns which pass through are looked at, whether they too hold
    notes, or what was removed from notes, and names of files for the latter, `plain` that records
    whose notes are RTF or HTML are kept back, `gold` that records which their annotator declined
    are left out. `passed_by` are hidden files that are not read: they are listed with what was kept
    back. `folder` is where the output goes; if that is a folder, files in it are counted that the
    run did not write, but for `lists` of the processor. `checks` are those of the processor, where
    it has any. A run goes on only with the same `secret`, which is written down nowhere.
    """

    tasks: tuple[Task, ...]
    options: Options
    write_options: Options
    carries: bool = True
    spoken: str | None = None
    subjects: Mapping[str, Subject] | None = None
    resume: bool = False
    audit: Path | None = None
    quarantine: Path | None = None
    looks: bool = False
    plain: bool = False
    gold: bool = False
    passed_by: tuple[Path, ...] = ()
    folder: Path | None = None
    checks: Checks | None = None
    secret: str = field(default="", repr=False)
    lists: tuple[Path, ...] = ()


class Run:
    """One run of a job. `tick` is told how many bytes of input have been dealt with."""

    def __init__(self, job: Job, processor: Processor, tick: Callable[[int], None]) -> None:
        self._job, self._processor, self._tick = job, processor, tick
        self._journal = Journal(staging_folder(job.tasks), self._identity())
        self._lists: dict[str, Lines] = {}
        self._audit: Audit | None = None
        self._beside: Beside | None = None
        self._called: Called | None = None
        self.summary = Summary()

    def go(self) -> Summary:
        """Do every task; return what was done.

        A note that cannot be read or processed is kept back and listed, and so is a whole file
        of notes that is broken. Raises `PhiscrubError` where the run cannot go on; where that
        may be mended (a full disk), what was done stays and `resume` goes on from there.
        """
        refuse_unknown_keys(self._job.tasks, self._job.options)
        with self._journal.held():
            progress = self._journal.start(resume=self._job.resume)  # a refusal leaves the run be
            try:
                return self._go(progress)
            except (InputError, SettingsError):
                self._journal.remove()
                raise
            finally:
                for file in self._lists.values():
                    file.abandon()
                if self._job.tasks[0].out == STDOUT:
                    self._journal.remove()  # what has gone there cannot be gone on with

    def _go(self, progress: Progress) -> Summary:
        job, journal = self._job, self._journal
        self.summary = Summary.of(progress.totals)
        self._lists = {
            name: Lines(path, journal.folder / f"{name}.jsonl", progress.lists.get(name, 0))
            for name, path in ((AUDIT, job.audit), (QUARANTINE, job.quarantine))
            if path is not None
        }
        if job.checks is not None:
            path = journal.folder / f"{CHECKS}.jsonl"
            self._lists[CHECKS] = Lines(path, path, progress.lists.get(CHECKS, 0))
            job.checks.recall(self._lists[CHECKS].values())
        self._tick(total_bytes(job.tasks[: progress.done]))
        if AUDIT in self._lists:
            self._audit = Audit(self._lists[AUDIT], self._processor.fingerprint)
        for index, task in enumerate(job.tasks[progress.done :], progress.done):
            staged = journal.folder / f"{index}{task.out.suffix}"
            is_whole = True
            with stdout_digested() as printed:
                if index == progress.done and progress.state == "closed":
                    move_staged(staged, task.out)
                else:
                    begun = progress if index == progress.done else Progress(index)
                    is_whole = self._do(task, staged, begun)
            if self._audit is not None:
                self._audit.ended(task, printed, is_whole=is_whole)
            journal.save(self._now(index + 1))
        self._pass_by()
        if job.folder is not None:
            own = [*job.lists, *filter(None, (job.audit, job.quarantine))]
            self.summary.foreign = foreign_files(job.folder, self.summary.files, own)
        if self._audit is not None:
            self.summary.duplicate_ids = self._audit.duplicates()
            self._audit.close(self.summary.totals())
        for name, file in self._lists.items():
            file.close(keep_empty=name == AUDIT)
        journal.remove()
        return self.summary

    def _now(self, done: int, state: str = "open", output: int = 0) -> Progress:
        """Bring the lists to disk and return the point that has been reached."""
        lists = {name: file.checkpoint() for name, file in self._lists.items()}
        return Progress(done, state, Position(), output, lists, self.summary.totals())

    def _do(self, task: Task, staged: Path, begun: Progress) -> bool:
        """Do a task; return whether its output stands: that of a broken file does not."""
        job = self._job
        base = begun.base
        if not base:
            start = self._now(begun.done)
            base = {"lists": start.lists, "totals": start.totals}
        output: Output | None = None
        try:
            reader, found = entries(task, job.options, begun.position)
            layout = None if reader is None else reader.layout
            self._beside = None
            self._called = Called(task, begun.position) if job.looks else None
            if job.looks and reader is not None and task.keeps_format:
                found = looked_at(found, reader, partial(_tell, self.summary.unscrubbed))
                self._beside = Beside(reader, partial(_tell, self.summary.identifying))
            found = self._taken(task, found)
            place = Staged(staged, begun.output)
            options, tell = job.write_options, self._tell_written
            output = open_output(
                task, layout, options, place, tell, carries=job.carries, spoken=job.spoken
            )
            self._copy(task, output, begun, base, ((b, notes_of(b)) for b in batches(found)))
        except KEPT_BACK as error:
            if task.reads_notes or (self._is_lone() and isinstance(error, MissingError)):
                raise
            if output is not None:
                output.abandon()
                output.withdraw()
            for name, file in self._lists.items():
                file.cut(base["lists"][name])
            if job.checks is not None:
                job.checks.recall(self._lists[CHECKS].values())
            self.summary = Summary.of(base["totals"])
            self.summary.broken_files += 1  # no part of one goes out
            self._list_kept_back(error, task.items[0])
            return False
        except BaseException:  # an interruption too: the checkpoints stay to go on from
            if output is not None:
                output.abandon()
            raise
        output.close()
        self.summary.files += not task.writes_notes and task.out != STDOUT
        self._journal.save(replace(self._now(begun.done, "closed"), base=base))
        output.commit()
        return True

    def _taken(self, task: Task, found: Iterator[Entry]) -> Iterator[Entry]:
        """Return the records of a task as they are processed."""
        job = self._job
        if job.gold:
            found = accepted(found, self._decline)
        if job.plain:
            found = in_plain_text(found)
        if job.subjects is not None:
            found = with_subjects(found, job.subjects)
        return told_apart(task, found)

    def _decline(self) -> None:
        self.summary.declined += 1

    def _copy(
        self,
        task: Task,
        output: Output,
        begun: Progress,
        base: dict[str, Any],
        work: Iterable[tuple[list[Entry], list[Annotated]]],
    ) -> None:
        """Take every batch through the processor to the output, saving the point now and then.

        A run that is stopped between two batches saves the point too.
        """
        saved_at, reached = time.monotonic(), 0
        after: Position | None = None
        if task.reads_notes:
            self._tick(sum(item.size for item in task.items[: begun.position.index]))

        def save(position: Position) -> None:
            now = self._now(begun.done, output=output.checkpoint())
            self._journal.save(replace(now, position=position, base=base))

        try:
            for batch, results in self._processor.run(work):
                after = None
                self._write(task, batch, results, output)
                for row in self._job.checks.learnt() if self._job.checks is not None else ():
                    self._lists[CHECKS].add(row)
                after = batch[-1][1].after
                if task.reads_notes:
                    self._tick(sum(item.size for item, _ in batch))
                else:
                    self._tick(max(0, after.bytes - reached))
                    reached = after.bytes
                if task.out != STDOUT and time.monotonic() - saved_at > CHECKPOINT_SECONDS:
                    save(after)
                    saved_at = time.monotonic()
        except (KeyboardInterrupt, SystemExit):
            if after is not None and task.out != STDOUT:
                with suppress(OutputError):  # the last checkpoint then stands
                    save(after)
            raise

    def _write(
        self, task: Task, batch: Sequence[Entry], results: list[Result], output: Output
    ) -> None:
        """Write the records of a batch; one with a failed note is kept back as a whole."""
        remaining = iter(results)
        for item, record in batch:
            if task.reads_notes and self._audit is not None:
                self._audit.read(item)
            number = number_of(item, record)
            if isinstance(record, Failure):
                self.summary.notes += 1
                self._keep_back(record.error, item, number)
                continue
            outcomes = [next(remaining) for _ in record.notes]
            self.summary.notes += len(outcomes)
            error = next((o for o in outcomes if isinstance(o, PhiscrubError)), None)
            done = [outcome for outcome in outcomes if isinstance(outcome, Outcome)]
            if error is None:
                error = _refusal(output, item, replace(record, notes=tuple(o.note for o in done)))
            if error is not None:
                self._keep_back(error, item, number, record_name(record))
                continue
            if self._beside is not None:
                self._beside.look(record, done)
            if self._called is not None:
                self.summary.identifying_names += self._called.count(item, record, done)
            same_format = task.format_of(item).name == item.format.name
            if not (same_format and self._job.write_options.verbatim):
                self.summary.left_out += record.others
            for note, outcome in zip(record.notes, done, strict=True):
                self._account(item, record, note, outcome)

    def _account(self, item: Item, record: Record, note: Annotated, outcome: Outcome) -> None:
        counts = Counter(mention.label for mention in outcome.found)
        self.summary.written += 1
        self.summary.empty += not note.document.text.strip()
        self.summary.characters += len(note.document.text)
        self.summary.mentions.update(counts)
        subject = note.document.subject
        if self._job.subjects is not None and (subject is None or not subject.known):
            self.summary.unknown_subjects += 1
        if self._audit is not None:
            self._audit.note(item, record, note, outcome.note.document.text, counts)

    def _tell_written(self, path: Path, content: bytes) -> None:
        self.summary.files += 1
        if self._audit is not None:
            self._audit.wrote(path, content)

    def _keep_back(
        self, error: PhiscrubError, item: Item, number: int, name: str | None = None
    ) -> None:
        self.summary.quarantined += 1
        self._list_kept_back(error, item, number, name)

    def _pass_by(self) -> None:
        self.summary.passed_by = len(self._job.passed_by)
        for path in self._job.passed_by:
            self._list(InputError("is hidden: not read", where=str(path), hint=HIDDEN_HINT))

    def _list_kept_back(
        self,
        error: PhiscrubError,
        item: Item,
        number: int | None = None,
        name: str | None = None,
    ) -> None:
        if error.where is None or error.where.path is None:
            place = replace(error.where or Place(), path=item.source.name)
            place = replace(place, record=place.record or name)
            error = type(error)(error.what, where=place, hint=error.hint)
        if len(self.summary.failures) < SHOWN_FAILURES:
            self.summary.failures.append(str(error))
        self._list(error)
        if self._audit is not None:
            self._audit.kept_back(error, number)

    def _list(self, error: PhiscrubError) -> None:
        if QUARANTINE in self._lists:
            where = cast(Place, error.where)
            row = (where.path, where.record, where.line, where.offset, error.what, error.hint)
            self._lists[QUARANTINE].add(dict(zip(QUARANTINE_ROW, row, strict=True)))

    def _is_lone(self) -> bool:
        return sum(len(task.items) for task in self._job.tasks) == 1

    def _identity(self) -> list[object]:
        job = self._job
        return [
            VERSION,
            self._processor.fingerprint,
            job.secret,
            job.carries,
            job.plain,
            str(job.audit),
            str(job.quarantine),
            sorted((s.key, s.known, s.onset) for s in (job.subjects or {}).values()),
            fingerprint_of(job.tasks, job.options),
        ]


def _refusal(output: Output, item: Item, record: Record) -> PhiscrubError | None:
    """Write a record; return the error where the format cannot hold it."""
    try:
        output.write(item, record)
    except KEPT_BACK as error:
        return error
    return None


def _tell(names: list[str], column: str) -> None:
    if column not in names:
        names.append(column)
