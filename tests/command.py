"""Runs the `phiscrub` command in this process, as a shell would."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from phiscrub.cli.main import main

SMALL = """\
language = "en"
[[detector]]
use = "patterns"
packs = ["./pack"]
"""
PACK = r"""
about = "for tests"
[[rule]]
name = "phone"
label = "PHONE"
at = '\d{3}'
pattern = '\d{3}-\d{4}\b'
[[rule]]
name = "doctor"
label = "DOCTOR"
at = 'Dr'
pattern = 'Dr\.[ ](?P<phi>[A-Z][a-zé]+)'
"""


@dataclass(frozen=True, slots=True)
class Ended:
    code: int
    out: bytes
    err: str


def phiscrub(*args: object, stdin: bytes = b"") -> Ended:
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": io.TextIOWrapper(io.BufferedReader(io.BytesIO(stdin))),  # type: ignore[arg-type]
        "stdout": io.TextIOWrapper(out, write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True),
    }
    code = 0
    with patch.multiple(sys, argv=["phiscrub", *map(str, args)], **streams):
        try:
            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        streams["stdout"].flush()
    for stream in streams.values():
        stream.detach()
    return Ended(code, out.getvalue(), err.getvalue().decode())


def small_pipeline(folder: Path) -> Path:
    """Write a pipeline that finds `555-0182` and `Dr. Ortiz`, and loads at once."""
    (folder / "pack").mkdir(parents=True, exist_ok=True)
    (folder / "pack" / "pack.toml").write_text(PACK)
    file = folder / "small.toml"
    file.write_text(SMALL)
    return file
