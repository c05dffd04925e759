"""The gazetteer's lists: terms by kind, last words of names, and words that guide or stop."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable

from phiscrub.core.errors import SettingsError
from phiscrub.lexicons.phrases import Phrases

FILE = "lists.toml"
FILES = (
    ("city", "cities.txt"), ("city_weak", "cities_weak.txt"), ("city", "towns.txt"),
    ("city_weak", "towns_weak.txt"), ("job", "jobs.txt"),
    ("job", "trades.txt"), ("job_weak", "trades_weak.txt"),
    ("hospital", "hospitals.txt"), ("hospital_weak", "hospitals_weak.txt"),
    ("organization", "organizations.txt"), ("organization_weak", "organizations_weak.txt"),
)  # fmt: skip
WORDS = (
    "where", "stops", "generic", "connectors", "eponym_followers", "languages", "job_cues",
    "job_verbs", "job_stops", "care_team", "titles", "headings", "beside",
    "abbreviations",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Listed terms, and sets of small-letter words that decide what is made of them.

    A kind is `city`, `job`, …, or `head:LABEL` and `head_weak:LABEL` for the last words of names.
    """

    terms: Phrases = field(repr=False)
    words: Mapping[str, frozenset[str]] = field(repr=False)
    common: frozenset[str] = field(repr=False)

    @classmethod
    def load(cls, folder: Traversable, name: str) -> Lists:
        """Read a gazetteer's folder; raise `SettingsError` naming the file that is wrong."""
        where = f"{name}/{FILE}"
        try:
            data = tomllib.loads((folder / FILE).read_text("utf-8"))
            files = [(kind, _lines(folder, file)) for kind, file in FILES]
            common = frozenset(_lines(folder, "common.txt"))
        except FileNotFoundError as error:
            raise SettingsError("a list is missing", where=where) from error
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"is not TOML: {error}", where=where) from None
        missing = [word for word in WORDS if word not in data.get("words", {})]
        if missing:
            raise SettingsError(f"'words.{missing[0]}' is missing", where=where)
        pairs = [(term, kind) for kind, terms in files for term in terms]
        pairs += [(term, kind) for kind, terms in data["terms"].items() for term in terms]
        pairs += [
            (head, f"head:{label}" if strength == "strong" else f"head_weak:{label}")
            for label, heads in data["heads"].items()
            for strength, listed in heads.items()
            for head in listed
        ]
        saints = [pair for pair in pairs if pair[0].startswith(("Saint ", "St ", "St. "))]
        known = len(saints)
        saints += [(f"St {t[6:]}", kind) for t, kind in saints if t.startswith("Saint ")]
        saints += [(t.replace("St ", "St. ", 1), k) for t, k in saints if t.startswith("St ")]
        saints += [(t.replace("St. ", "St ", 1), k) for t, k in saints if t.startswith("St. ")]
        pairs += saints[known:]
        words = {key: frozenset(listed) for key, listed in data["words"].items()}
        return cls(Phrases(pairs), words, common)


def _lines(folder: Traversable, file: str) -> list[str]:
    return (folder / file).read_text("utf-8").splitlines()
