"""The tables of the PHI scrubber: the paper's figures beside ours, and who finds what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from phiscrub.core.counts import ratio
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.figures import EVERY, HIPAA, read, triple
from phiscrub.experiments.paper import Page
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Cell, Table, side_by_side

HOUR = 3600
NETWORKS = ("BiLSTM-CNN", "ID-CNN")
SCORES = MappingProxyType({"BiLSTM-CNN": 0.865, "ID-CNN": 0.8684})  # segment F1, OntoNotes
HOURS = MappingProxyType({"BiLSTM-CNN": 6.0, "ID-CNN": 1.5})  # on a GTX 1080
EPOCHS = MappingProxyType({"BiLSTM-CNN": 65, "ID-CNN": 100})
BOTH, SECOND, RULES = "BiLSTM-CNN and ID-CNN", "ID-CNN", "patterns"


@dataclass(frozen=True, slots=True)
class Identifier:
    """One of HIPAA's identifiers: the part that finds it in the paper, and an invented example.

    `labels` are those of the 2014 i2b2 set; `words` stand in the example.
    """

    name: str
    part: str
    labels: tuple[str, ...]
    example: str
    words: str


IDENTIFIERS = (
    Identifier(
        *("names", BOTH, ("PATIENT", "DOCTOR")),
        *("Mr. James Whitfield came with his wife.", "James Whitfield"),
    ),
    Identifier(
        *("addresses", SECOND, ("STREET", "CITY", "STATE", "COUNTRY", "ZIP", "LOCATION-OTHER")),
        *("She lives in Springfield with her son.", "Springfield"),
    ),
    Identifier(
        *("dates", SECOND, ("DATE",)),
        *("She was admitted on March 14, 2019 with fever.", "March 14, 2019"),
    ),
    Identifier("ages", RULES, ("AGE",), "This is a 93-year-old woman with fever.", "93"),
    Identifier(
        *("telephone numbers", RULES, ("PHONE",)),
        *("Call her at (555) 012-3344 after five.", "(555) 012-3344"),
    ),
    Identifier("fax numbers", RULES, ("FAX",), "Fax: 555-012-7788.", "555-012-7788"),
    Identifier(
        *("e-mail addresses", RULES, ("EMAIL",)),
        *("Write to j.whitfield@example.org today.", "j.whitfield@example.org"),
    ),
    Identifier("social security numbers", RULES, ("SSN",), "SSN: 219-09-9999.", "219-09-9999"),
    Identifier("medical record numbers", RULES, ("MEDICALRECORD",), "MRN: 00482913.", "00482913"),
    Identifier(
        *("health plan beneficiary numbers", RULES, ("HEALTHPLAN",)),
        *("Member ID: XJH482913771.", "XJH482913771"),
    ),
    Identifier(
        *("account numbers", RULES, ("ACCOUNT",)),
        *("Account number: 7781203344.", "7781203344"),
    ),
    Identifier(
        *("certificate and licence numbers", RULES, ("LICENSE",)),
        *("Driver's license number: D48211903321.", "D48211903321"),
    ),
    Identifier(
        *("vehicle identifiers", RULES, ("VEHICLE",)),
        *("VIN: 1HGCM82633A004352.", "1HGCM82633A004352"),
    ),
    Identifier(
        *("device identifiers", RULES, ("DEVICE",)),
        *("Pacemaker, serial number PJN482913.", "PJN482913"),
    ),
    Identifier(
        *("web addresses", RULES, ("URL",)),
        *("See https://www.example.org/jw for more.", "https://www.example.org/jw"),
    ),
    Identifier(
        *("IP addresses", RULES, ("IPADDR",)),
        *("Logged in from 192.168.14.22 last night.", "192.168.14.22"),
    ),
    Identifier(
        *("other unique numbers", RULES, ("IDNUM",)),
        *("Study ID: 4482-19-B.", "4482-19-B"),
    ),
)


def page_of(bench: Bench, done: Results, differs: Sequence[str]) -> Page:
    """Return all tables."""
    tables = [_scores(done), _types(done), _times(bench, done)]
    if "pipeline" in done:
        tables += [_identifiers(done), _examples(done)]
    if "disambiguation" in done:
        tables += [_freed(done["disambiguation"])]
    if bench.extra:
        tables.append(_systems(done))
    return Page(tuple(differs), tuple(tables))


def _scores(done: Results) -> Table:
    rows: dict[tuple[str, ...], tuple[Sequence[Cell] | None, Sequence[Cell] | None]] = {}
    for name in NETWORKS:
        own = triple(done[name]["mentions"][EVERY]) if name in done else None
        rows[name,] = ((None, None, SCORES[name]), own)
    return side_by_side(
        "Networks",
        "Segments, micro: place and type right. The paper: OntoNotes 5.",
        ("network",),
        ("P", "R", "F1"),
        rows,
    )


def _types(done: Results) -> Table:
    """Return the figures of each type, which say what a network is asked for in the pipeline."""
    there = {name: done[name]["mentions"] for name in NETWORKS if name in done}
    labels = sorted({label for own in there.values() for label in own} - {EVERY})
    rows = [
        (label, *(cell for name in NETWORKS for cell in triple(there.get(name, {}).get(label))))
        for label in labels
    ]
    return Table(
        "Networks by type",
        "Ours, place and type right. The paper takes names from both, and places and dates from "
        "the ID-CNN alone, since the BiLSTM-CNN has too many false positives there.",
        ("type", *(f"{name} {measure}" for name in NETWORKS for measure in ("P", "R", "F1"))),
        tuple(rows),
    )


def _times(bench: Bench, done: Results) -> Table:
    rows = []
    for name in NETWORKS:
        own = done.get(name)
        seconds = own["trained_seconds"] if own else None
        hours = None if seconds is None else seconds / HOUR
        rows.append((name, HOURS[name], EPOCHS[name], hours, own["epochs"] if own else None))
    return Table(
        "Time of training",
        f"Hours; the paper's on a GTX 1080, ours on {bench.how.device} and on other notes.",
        ("network", "paper hours", "paper epochs", "ours hours", "ours epochs"),
        tuple(rows),
    )


def _identifiers(done: Results) -> Table:
    told = done["pipeline"]["identifiers"]
    rows = []
    for one in IDENTIFIERS:
        own = told[one.name]
        by = [own[part] for part in (*NETWORKS, RULES)]
        share = ratio(own["found"], own["gold"])
        rows.append((one.name, one.part, own["gold"], own["found"], share, *by))
    return Table(
        "Identifiers of the second corpus, by the part that finds them",
        "Mentions of the tested notes, how many are found in the end, and by which part; several "
        "may find one. The paper's eighteenth identifier, biometric images and prints, is no text.",
        ("identifier", "part in the paper", "there", "found", "share", *NETWORKS, RULES),
        tuple(rows),
    )


def _examples(done: Results) -> Table:
    rows = []
    for one, told in zip(IDENTIFIERS, done["pipeline"]["examples"], strict=True):
        by = ", ".join(told["found"]) or "nobody"
        rows.append((one.name, one.part, by, one.example, told["becomes"]))
    return Table(
        "One invented sentence for each identifier",
        "Dates keep their year and ages under 90 stay, as under HIPAA's safe harbor.",
        ("identifier", "part in the paper", "found by", "sentence", "becomes"),
        tuple(rows),
    )


def _freed(told: Mapping[str, Any]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (f"second corpus: {label}", "", freed, gold)
        for label, (freed, gold) in told["freed"].items()
    ]
    rows += [(f"invented: {why}", text, int(freed), 0) for why, text, freed in told["examples"]]
    return Table(
        "Disambiguation of medical terms",
        "Mentions of the networks that lose their label as medical terms, and those of them that "
        "share a character with what is marked in the notes: leaks that disambiguation makes. "
        "Then each of the paper's reasons in an invented sentence, and words that look alike.",
        ("of", "sentence", "freed", "of these marked"),
        tuple(rows),
    )


def _systems(done: Results) -> Table:
    pipeline = done.get("pipeline", {})
    systems = {
        "the pipeline": pipeline.get("with"),
        "without disambiguation": pipeline.get("without"),
        "next step: one model for all (ID-CNN)": done.get("one model for all"),
    }
    rows = []
    for name, own in systems.items():
        masking = own["masking"] if own else {}
        every = read(masking.get(EVERY))
        hipaa = read(masking.get(HIPAA)).recall
        rows.append((name, every.precision, every.recall, every.f1, hipaa))
    return Table(
        "The whole pipeline on the second corpus",
        "Words masked under any label. The paper gives no figure for its pipeline, which does not "
        "look for hospitals, organisations or professions, which these notes mark too.",
        ("system", "P", "R", "F1", "HIPAA R"),
        tuple(rows),
    )
