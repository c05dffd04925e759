"""The tables of the inverse hybrid's next steps, its risk and its output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from phiscrub.core.counts import ratio
from phiscrub.experiments.figures import EVERY, HIPAA, read
from phiscrub.experiments.masks import PAIRS
from phiscrub.experiments.step import Results
from phiscrub.experiments.table import Cell, Table

LAST = "d"  # the variation that other ways to learn are tried on
WAYS = ("binary labels", "coarse labels", "augmented")


def outcome(done: Results) -> Iterator[Table]:
    """Yield the tables of what is done."""
    yield _ways(done)
    yield _risk(done.get("risk", {}))
    if "output" in done:
        yield from _output(done["output"])


def _ways(done: Results) -> Table:
    steps = {"as it is": f"thresholds {LAST}"}
    steps |= {f"learned from {way}": f"thresholds {LAST}, {way}" for way in WAYS[:2]}
    steps["learned from copies with other identifiers too"] = f"thresholds {LAST}, {WAYS[2]}"
    steps["names with a salutation repeated"] = "names repeated"
    rows = [
        (f"{name}, -{number}", *_figures(done.get(step, {}).get(f"pair {number}")))
        for name, step in steps.items()
        for number in PAIRS
    ]
    return Table(
        "Next steps: other labels, more notes, repeated names",
        f"The thesis names them and gives no figure. Variation {LAST} with the rules, at both "
        "pairs of thresholds; coarse labels are one a category. What stood beside a salutation is "
        "masked wherever it stands again, by the network that was best on the notes held out.",
        ("system", "HIPAA R", "P", "R, all", "useful"),
        tuple(rows),
    )


def _figures(own: Mapping[str, Any] | None) -> tuple[Cell, ...]:
    if own is None:
        return (None,) * 4
    masking, useful = own["masking"], own["useful"]
    every = read(masking[EVERY])
    kept = ratio(useful[0], sum(useful)) if useful else None
    return read(masking.get(HIPAA)).recall, every.precision, every.recall, kept


def _risk(told: Mapping[str, Any]) -> Table:
    rows = []
    for name, own in told.get("systems", {}).items():
        accepted = "yes" if own["acceptable"] else "no"
        leaks = (own["direct"], own["quasi"])
        rows.append((name, own["notes"], *leaks, *own["chance"], own["threshold"], accepted))
    return Table(
        "Next steps: the risk of re-identification",
        "After Scaiano et al. 2016, as `phiscrub evaluate` has it: notes in which a direct "
        "identifier leaks, or two kinds of quasi-identifiers, and the chance that a note names its "
        "patient where somebody tries on every one, with the bounds of 95 %. It is accepted where "
        "the upper bound is within the threshold, that of the European Medicines Agency.",
        (
            *("system", "notes", "direct leaks", "quasi leaks", "chance", "from", "to"),
            *("threshold", "accepted"),
        ),
        tuple(rows),
    )


def _output(told: Mapping[str, Any]) -> Iterator[Table]:
    lines = [line for line in told["tagged"].splitlines() if " start=" in line]
    yield Table(
        "Output: text",
        f"An invented note where every mention is found, and by {told['network']} with the rules, "
        "pair -1: as the thesis writes it; with placeholders by category and with dates as time to "
        f"onset, its next steps. The {told['notes']:,} tested notes are written to `masked/` "
        "beside this page, with `PHI` and as XML, which is no part of it: they hold text of notes. "
        f"Left out of the XML, which cannot hold all of their characters: {told['left out']:,}.",
        ("written as", "all found", told["network"]),
        (
            ("it is", told["note"], told["note"]),
            *((way, *texts) for way, texts in told["wordings"].items()),
        ),
    )
    yield Table(
        "Output: XML",
        "Tags of the same note, one a masked word, in the format of the 2014 i2b2 task.",
        ("number", "tag"),
        tuple((at, f"`{line}`") for at, line in enumerate(lines)),
    )
