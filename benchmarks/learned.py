"""Writes src/phiscrub/data/learned.json: marks of the notes of each corpus for shipped models.

python benchmarks/learned.py [--data SHARED]

Models that ship name their corpora by a hash; here stand, by that hash, marks of the notes, so
that `phiscrub calibrate` can tell that a model has learned from a note, whatever its id. Corpora
that no model learns from (`kept` in corpus/splits.toml) are left out. What stood there of earlier
states of a corpus goes, unless a shipped model names it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from model_data import LABELS, data_of
from pages import DATA, ROOT

from phiscrub.detect.tagging.learned import FILE, marks_of
from phiscrub.detect.tagging.manifest import read_manifest

SHELF = ROOT / "src" / "phiscrub" / "data"


def main() -> None:
    """Write the list; say which corpora of shipped models it lacks."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=DATA)
    shared = parser.parse_args().data
    target = SHELF / FILE
    old = json.loads(target.read_text("utf-8")) if target.exists() else {}
    corpora = [one for language in LABELS for one in data_of(language, shared).whole]
    new = {one.sha256: marks_of(note.document.text for note in one.notes) for one in corpora}
    for folder in sorted((SHELF / "models").iterdir()):
        for one in read_manifest(folder, folder.name).data:
            if one.sha256 not in new and one.sha256 in old:
                new[one.sha256] = old[one.sha256]
            if one.sha256 not in new:
                print(f"{folder.name}: the notes of {one.name} are other ones today")
    rows = dict(sorted(new.items()))
    target.write_text(json.dumps(rows, indent=0) + "\n", "utf-8")
    print(f"{len(rows)} corpora, {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
