"""Word lists and clusters that traits look words up in, from what ships with phiscrub or a path.

A list is named by where it stands, its file last and without ``.txt``:
``packs/es/people/given_names``, ``lexicons/en/surname``, ``gazetteers/en/cities``, or
``./our-lists/wards``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib.resources.abc import Traversable

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.phrases import fold
from phiscrub.lexicons.words import load_words

LISTED = "yes"
KINDS = ("packs", "lexicons", "gazetteers", "lists")
RANKED = "lexicons"


def look_up(name: str, tools: Toolbox) -> Callable[[str], str]:
    """Return what tells of a single word whether it is listed: its rank, `LISTED`, or ''.

    A ranked list knows small letters; any other is asked without case and marks.
    """
    kind, folder, file = _place(name)
    if kind == RANKED:
        ranks = load_words(tools.folder(kind, folder), file)
        return lambda word: str(ranks.get(word.lower(), ""))
    words = frozenset(fold(term) for term in read_terms(name, tools) if " " not in term)
    return lambda word: LISTED if fold(word) in words else ""


def read_terms(name: str, tools: Toolbox) -> tuple[str, ...]:
    """Return the list's terms as they are written; ``#`` begins a line that is none."""
    kind, folder, file = _place(name)
    found = tools.folder(kind, folder)
    if kind == RANKED:
        return tuple(load_words(found, file))
    inner = found / "terms" if kind == "packs" else found
    return tuple(line for _, line in _lines(_read(inner / f"{file}.txt", name)))


def read_clusters(name: str, tools: Toolbox) -> dict[str, str]:
    """Return the cluster of each word, as written and folded, by ``clusters/NAME/clusters.txt``.

    A line is a cluster, a tab and a word, and perhaps more behind a tab: what Brown clustering
    writes. Of words that fold to the same, the first counts for what is written otherwise.
    """
    return _clusters(_read(tools.folder("clusters", name) / "clusters.txt", name), name)


@lru_cache(maxsize=2)  # several traits and models look words up in the same clusters
def _clusters(text: str, name: str) -> dict[str, str]:
    clusters: dict[str, str] = {}
    otherwise = []
    for number, line in _lines(text):
        cluster, _, word = line.partition("\t")
        if not cluster or not word:
            where = Place(f"{name}/clusters.txt", line=number)
            raise SettingsError("is no cluster and word", where=where, hint="part them by a tab")
        written = word.partition("\t")[0] if "\t" in word else word
        clusters[written] = cluster
        if not (written.isascii() and written.islower()):  # as most that fold to themselves
            otherwise.append((fold(written), cluster))
    for folded, cluster in otherwise:
        clusters.setdefault(folded, cluster)
    return clusters


def _place(name: str) -> tuple[str, str, str]:
    if name.startswith((".", "/")):
        folder, _, file = name.rpartition("/")
        return "lists", folder, file
    kind, _, rest = name.partition("/")
    folder, _, file = rest.rpartition("/")
    if kind not in KINDS or not folder or not file:
        hint = f"write KIND/FOLDER/FILE, KIND one of {', '.join(KINDS)}, or a path"
        raise SettingsError(f"'{name}' names no word list", hint=hint)
    return kind, folder, file


def _read(file: Traversable, name: str) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"word list '{name}' cannot be read", hint="it is UTF-8 text") from None


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        if line and line[0] != "#":
            yield number, line
