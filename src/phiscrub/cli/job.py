"""A job that a command does: its notes taken through, and what was done said."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from phiscrub.cli.report import progress_bar, show_summary
from phiscrub.core.errors import (
    OutputError,
    QuarantinedError,
    SettingsError,
    StoppedError,
    TerminatedError,
)
from phiscrub.core.wording import counted
from phiscrub.jobs.plan import staging_folder, total_bytes
from phiscrub.jobs.run import Job, Run
from phiscrub.jobs.summary import Summary
from phiscrub.jobs.work import Processor

NO_NAMES: Mapping[str, str] = MappingProxyType({})
GO_ON = "the same command with --resume goes on"


def listed_beside(quarantine: Path | None, output: str | None) -> Path | None:
    """Return where kept-back notes are listed: beside the output, if there is one."""
    if quarantine is not None or output is None or output == "-":
        return quarantine
    return Path(output.rstrip("/") + ".quarantine.jsonl")


def run_job(
    job: Job,
    work: Processor,
    output: str | None,
    *,
    verb: str,
    quiet: bool,
    as_json: bool,
    go_on: str = GO_ON,
    more: Callable[[], Mapping[str, object]] = dict,
    written_as: Mapping[str, str] = NO_NAMES,
) -> None:
    """Do a job and say what was done; raises where notes were kept back or the user stopped it.

    `go_on` says what to do about a run that was stopped, if there is anything; `more` gives what
    else the summary in JSON has.
    `written_as` is what labels are called in the output, where its format has labels of its own.
    """
    if as_json and output in (None, "-"):
        raise SettingsError("--json and the notes cannot share standard output", hint="use -o")
    if job.resume and output in (None, "-"):
        hint = "say where to write with -o"
        raise SettingsError("--resume cannot go on with standard output", hint=hint)
    pipes = [item.source for task in job.tasks for item in task.items if item.source.is_stream]
    if job.resume and pipes:
        hint = "start afresh without it"
        raise SettingsError("--resume cannot go on with what came by a pipe", hint=hint)
    begun = time.monotonic()
    hint = go_on if output not in (None, "-") and not pipes else ""
    try:
        with progress_bar(total_bytes(job.tasks), quiet=quiet) as tick:
            folder = None if output in (None, "-") else Path(output)
            summary: Summary = Run(replace(job, folder=folder), work, tick).go()
    except KeyboardInterrupt:
        raise StoppedError("interrupted", hint=hint) from None
    except SystemExit as ended:
        if ended.code != TerminatedError.exit_code:
            raise
        raise TerminatedError("terminated", hint=hint) from None
    except OutputError as error:
        if hint and _has_begun(job) and "--resume" not in error.hint:
            hint = f"{error.hint}; {hint}" if error.hint else hint
            raise OutputError(error.what, where=error.where, hint=hint) from None
        raise
    seconds = time.monotonic() - begun
    told_to, listed = output or "-", job.quarantine
    show_summary(
        summary,
        seconds,
        told_to,
        verb=verb,
        listed=listed,
        quiet=quiet,
        as_json=as_json,
        more=more() if as_json else {},
        written_as=written_as,
    )
    if summary.kept_back:
        where = "" if listed is None else f", listed in {listed}"
        raise QuarantinedError(f"kept back: {told(summary)}{where}", hint="mend and run again")


def _has_begun(job: Job) -> bool:
    try:
        return staging_folder(job.tasks).is_dir()
    except OSError:  # of a folder that may not be looked into
        return False


def told(summary: Summary) -> str:
    """Say how much was kept back: notes, and whole files, of which nobody counted the notes."""
    parts = []
    if summary.quarantined:
        parts.append(f"{summary.quarantined} of {summary.notes} notes")
    if summary.broken_files:
        parts.append(counted(summary.broken_files, "whole file"))
    return " and ".join(parts)
