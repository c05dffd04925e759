"""Make the Brown clusters of words: `python benchmarks/compile_clusters.py WHEEL`.

WHEEL is the package `spacy-lookups-data` (1.0.5, MIT), which holds the Brown clusters of a million
word forms of English and of Spanish web text each, the most frequent first. Writes
`clusters/LANGUAGE/clusters.txt` under `src/phiscrub/data`: a line is a cluster's path in the tree
of clusters (Brown 1992), a tab and a word of letters alone. A word stands in small letters, as the
most frequent of its forms is clustered, and again as it is written where that is elsewhere in the
tree: `May` behind `may`.
"""

from __future__ import annotations

import gzip
import json
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

from phiscrub.lexicons.phrases import fold

OUT = Path(__file__).parents[1] / "src" / "phiscrub" / "data" / "clusters"
WORDS = 80_000  # in small letters, of a language
FORMS = 20_000  # of these, written otherwise and clustered elsewhere


def main(wheel: Path) -> None:
    """Write the clusters of both languages."""
    with zipfile.ZipFile(wheel) as archive:
        for language in ("en", "es"):
            packed = archive.read(f"spacy_lookups_data/data/{language}_lexeme_cluster.json.gz")
            clustered = {
                word: code
                for word, code in json.loads(gzip.decompress(packed)).items()
                if code and word.isalpha()
            }
            known = paths(set(clustered.values()))
            (OUT / language).mkdir(parents=True, exist_ok=True)
            lines = (f"{known[code]}\t{word}\n" for word, code in chosen(clustered).items())
            (OUT / language / "clusters.txt").write_text("".join(lines), "utf-8")


def paths(codes: Iterable[int]) -> dict[int, str]:
    """Return each code's path from the root: its bits from the lowest, which is the first turn.

    A code does not tell the noughts at a path's end: there are as many as no other path needs.
    """
    bits = {code: f"{code:b}"[::-1] for code in codes}
    longest = max(map(len, bits.values()))
    whole = sorted(path.ljust(longest, "0") for path in bits.values())
    ends = {}
    for code, path in bits.items():
        ends[code] = path
        while sum(other.startswith(ends[code]) for other in whole) > 1:
            ends[code] += "0"
    return ends


def chosen(clustered: dict[str, int]) -> dict[str, int]:
    """Return the words to write, of forms with the most frequent first."""
    words: dict[str, int] = {}
    forms: dict[str, int] = {}
    for word, code in clustered.items():
        folded = fold(word)
        if folded not in words:
            if len(words) < WORDS:
                words[folded] = code
        elif words[folded] != code and word != folded and len(forms) < FORMS:
            forms[word] = code
    return dict(sorted(words.items())) | dict(sorted(forms.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
