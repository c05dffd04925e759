"""Runs what the README shows, and writes what it prints below it.

python docs/shown.py
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
# A command with its standard input, and what it printed.
SHOWN = re.compile(
    r"(?P<asked>```console\n\$ phiscrub (?P<words>[^\n]*) <<'NOTE'\n(?P<note>.*?)^NOTE\n)"
    r".*?(?=^```)",
    re.DOTALL | re.MULTILINE,
)


def printed(found: re.Match[str]) -> str:
    """Return a block with what its command prints now."""
    call = [sys.executable, "-m", "phiscrub", *shlex.split(found["words"])]
    done = subprocess.run(call, input=found["note"].encode(), check=True, stdout=subprocess.PIPE)
    return found["asked"] + done.stdout.decode()


def page() -> str:
    """Return the README with every block as it is printed now."""
    return SHOWN.sub(printed, README.read_text("utf-8"))


if __name__ == "__main__":
    README.write_text(page(), "utf-8")
