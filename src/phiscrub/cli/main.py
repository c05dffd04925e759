"""The `phiscrub` command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

import phiscrub
from phiscrub.cli import (
    agreement,
    audit,
    calibrate,
    compare,
    crossval,
    curve,
    embed,
    evaluate,
    experiment,
    explain,
    policies,
    recipes,
    runs,
    subjects,
    suggest,
    synth,
    train,
)
from phiscrub.cli.report import stderr
from phiscrub.core.errors import PhiscrubError

BROKEN = 1

app = typer.Typer(
    name="phiscrub",
    help="Find protected health information (PHI) in clinical text, and replace it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 done, 1 a fault of phiscrub, 2 bad input or option, "
    "3 some notes were kept back, 4 the output could not be written, 130 interrupted.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"phiscrub {phiscrub.__version__}\n")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    del version


LEARNING = (recipes, train, crossval, curve, suggest, embed, experiment)
for room in (
    runs,
    subjects,
    explain,
    policies,
    synth,
    evaluate,
    compare,
    agreement,
    calibrate,
    audit,
    *LEARNING,
):
    room.register(app)


def main() -> None:
    """Run the command line; every error is one line on standard error and an exit code."""
    try:
        app()
    except PhiscrubError as error:
        _fail(str(error), error.exit_code)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(BROKEN)
    except MemoryError:
        _fail("out of memory; use fewer --workers or a smaller --max-note", BROKEN)
    except Exception as error:  # noqa: BLE001 - a message could quote a note, so only its kind
        trace, place = error.__traceback__, ""
        while trace is not None:
            place = f"{trace.tb_frame.f_globals.get('__name__')}, line {trace.tb_lineno}"
            trace = trace.tb_next
        _fail(f"a fault of phiscrub: {type(error).__name__} in {place}; please report it", BROKEN)


def _fail(line: str, code: int) -> None:
    stderr().print(f"phiscrub: {line}", markup=False)
    sys.exit(code)
