"""What type a note is of, as its metadata, its folder or its file's name say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePath

FOLDER, NAME = "folder", "name"
KEYS = ("note_type", "type", "category")  # of metadata, in the order in which they are asked
WORDS = re.compile(r"[^\W\d_]+(?:[-_ .][^\W\d_]+)*")


def note_type(rule: str | None, below: PurePath, about: Mapping[str, str]) -> str | None:
    """Return a note's type, or None where nothing says it.

    `below` is its file's path under the folder that was given, `about` its metadata. The rule is
    `folder` (the first folder on the path), `name` (the first words of the file's name: those of
    `01-ed-triage.txt` are `ed-triage`), or a key of the metadata. Without a rule the usual keys
    are asked, then the folder; names are not, because many hold a patient's.
    """
    folder = below.parts[0] if len(below.parts) > 1 else None
    if rule == FOLDER:
        return folder
    if rule == NAME:
        found = WORDS.search(below.stem)
        return found[0] if found else None
    if rule is not None:
        return about.get(rule) or None
    return next((about[key] for key in KEYS if about.get(key)), folder)
