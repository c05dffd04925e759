"""The `phiscrub` command."""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, NoReturn

import typer

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
from phiscrub.core.errors import OutputError, PhiscrubError, TerminatedError, raised_in
from phiscrub.core.version import VERSION

BROKEN, USAGE = 1, 2
# As a shell tells of SIGINT, SIGPIPE and SIGTERM.
INTERRUPTED, CLOSED, TERMINATED = 128 + 2, 128 + 13, TerminatedError.exit_code
ESCAPE = "phiscrub.escape"  # how Python knows what writes such escapes
STDOUT = 1  # its descriptor
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)

app = typer.Typer(
    name="phiscrub",
    help="Find protected health information (PHI) in clinical text, and replace it.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    epilog="Exit codes: 0 done, 1 a fault of phiscrub, 2 bad input or option, "
    "3 some notes were kept back, 4 the output could not be written, 130 interrupted, "
    "141 the reader of a pipe closed it (as head does), 143 terminated.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"phiscrub {VERSION}\n")
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
    _escape_unprintable()
    try:
        with _terminable():
            code = app(prog_name="phiscrub", standalone_mode=False)
        if sys.stdout:  # None where it was closed from the start
            sys.stdout.flush()
    except PhiscrubError as error:
        _fail(f"phiscrub: {error}", error.exit_code)
    except BrokenPipeError:
        _end(CLOSED)
    except SystemExit as ended:  # 1 is what typer and rich make of a pipe that was closed
        if ended.code == TERMINATED:
            _fail("phiscrub: terminated", TERMINATED)
        _end(CLOSED if ended.code == BROKEN else ended.code)
    except KeyboardInterrupt:
        _fail("phiscrub: interrupted", INTERRUPTED)
    except MemoryError:
        _fail("phiscrub: out of memory; use fewer --workers or a smaller --max-note", BROKEN)
    except Exception as error:  # noqa: BLE001 - a message could quote a note, so only its kind
        _fail(*_told(error))
    if code:
        sys.exit(code)


def _escape_unprintable() -> None:
    """Let what standard output has no character for go there as JSON's escape of it.

    Notes go there as bytes and are not touched.
    """

    def escape(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        words = error.object[error.start : error.end]
        units = words.encode("utf-16-be", "surrogatepass").hex()
        return re.sub("....", r"\\u\g<0>", units), error.end

    codecs.register_error(ESCAPE, escape)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors=ESCAPE)


@contextmanager
def _terminable() -> Iterator[None]:
    """Make SIGTERM end the run as an exception does: workers stop, what is private is removed."""

    def end(*_: object) -> NoReturn:
        sys.exit(TERMINATED)

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _told(error: Exception) -> tuple[str, int]:
    """Return the line and the exit code for an error that is none of phiscrub's own."""
    usage = getattr(error, "format_message", None)  # of click, which typer may have its own of
    if usage is not None:
        context = getattr(error, "ctx", None)
        path = "phiscrub" if context is None else context.command_path
        what = " ".join(usage().split()).rstrip(".")
        if not what:  # no arguments: the help has been shown
            return "", USAGE
        what = (what[0].lower() + what[1:]).replace("no such option:", "no option")
        return f"{path}: {what}; see {path} --help", USAGE
    if isinstance(error, OSError) and error.errno in FULL and error.filename is None:
        full = OutputError(
            f"cannot be written: {error.strerror}",
            where="standard output",
            hint="check the space on the disk",
        )
        return f"phiscrub: {full}", full.exit_code
    if isinstance(error, OSError) and error.filename is not None:
        where = os.fsdecode(error.filename)
        return f"phiscrub: {where}: {error.strerror}; check the path and its rights", USAGE
    kind, place = type(error).__name__, raised_in(error)
    return f"phiscrub: a fault of phiscrub: {kind} in {place}; please report it", BROKEN


def _fail(line: str, code: int) -> NoReturn:
    with suppress(OSError):
        if line:
            stderr().print(line)
    _end(code)


def _end(code: int | str | None) -> NoReturn:
    """Exit; what standard output no longer takes is dropped, and not complained of once more."""
    try:
        sys.stdout.flush()
    except (OSError, AttributeError):
        pass
    else:
        if code != CLOSED:
            sys.exit(code)
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), STDOUT)
    sys.exit(code)
