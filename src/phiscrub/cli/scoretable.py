"""One system's measures as tables on the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rich.console import Console
from rich.table import Table

from phiscrub.cli.insights import Insight, verdict
from phiscrub.cli.printed import plain_table, stdout
from phiscrub.cli.scoring import Result
from phiscrub.core.counts import Counts
from phiscrub.core.wording import share, shown
from phiscrub.evaluate.headline import sure
from phiscrub.evaluate.hiding import Hiding, Tell
from phiscrub.evaluate.masking import CHARACTERS, CORRECTED, DOCUMENTS, ENTITIES, TOKENS, Masking
from phiscrub.evaluate.notetypes import TypeRow
from phiscrub.evaluate.risk import Risk
from phiscrub.evaluate.rows import Row, by_category, by_label
from phiscrub.evaluate.sample import drawn, subjects_of
from phiscrub.evaluate.uncertainty import exact_bounds
from phiscrub.evaluate.usefulness import Usefulness

# The measures of the summary, where they are there, with the names that people call them by.
SUMMARY = {
    "i2b2.strict": "i2b2 strict (primary)",
    "i2b2.relaxed": "i2b2 relaxed",
    "i2b2.token": "i2b2 token",
    "i2b2.hipaa.strict": "i2b2 HIPAA strict",
    "i2b2.hipaa.token": "i2b2 HIPAA token",
    "i2b2.binary.token": "i2b2 binary token",
    "meddocan.subtrack1.ner": "MEDDOCAN 1, entities",
    "meddocan.subtrack2.strict": "MEDDOCAN 2, strict spans",
    "meddocan.subtrack2.merged": "MEDDOCAN 2, merged spans",
    "conlleval.overall": "conlleval",
    "seqeval.default": "seqeval, lenient",
    "nervaluate.partial": "SemEval partial",
    "token": "tokens by label",
    TOKENS: "masking, i2b2 tokens",
    "masking.token.i2b2.full": "masking, i2b2 tokens in full",
    CORRECTED: "masking, without harmless words",
    f"{TOKENS}.hipaa.script": "masking, HIPAA of the script",
    f"{TOKENS}.hipaa.corrected": "masking, HIPAA with IDNUM",
    CHARACTERS: "masking, letters and digits",
}
STRICT = "seqeval.strict."
NO_TRACK = "-"
MOST = 20  # types of note shown
FIGURES = ("P", "R", "F1", "right", "wrong", "missed")


def show(result: Result) -> None:
    """Print the summary, then the figures by label."""
    out = stdout()
    out.print(_summary(result))
    if result.labels:
        if result.masking is not None:
            told = result.labels, result.masking, subjects_of(result.samples)
            for title, rows in (("By category", by_category(*told)), ("By label", by_label(*told))):
                if rows:
                    out.print(_rows(f"{title} (exact)", rows, drawn(result.samples)))
    elif types := list(_types(result)):
        table = _table("By label (tokens)")
        for row in types:
            table.add_row(*row)
        out.print(table)
    if result.masking is not None:
        out.print(_leaks(result.masking))


def show_insight(found: Insight) -> None:
    """Print recall by type of note, the risk, and what survives of use where that was asked."""
    out = stdout()
    if found.types:
        out.print(_types_of_note(found.types))
    else:
        out.print("No note has a type; --by-type says where types are to be found.")
    out.print(_risk(found.risk))
    if found.hiding.leaks:
        out.print(_hiding(found.hiding))
    if found.kept is not None:
        _show_kept(found.kept, out)


def _types_of_note(types: Mapping[str, TypeRow]) -> Table:
    names = ("notes", "clean", "entities", "leak", "masked", "≥")
    table = _table("By type of note", names)
    for kind, row in list(types.items())[:MOST]:
        entities, documents = row.entities.total, row.documents.total
        size = entities.hit + entities.missed
        low = sure(row.entities, "recall", row.subjects).low if size else None
        table.add_row(
            kind or "(no type)",
            str(row.size),
            f"{documents.hit} of {documents.hit + documents.missed}",
            *(str(size), str(entities.missed), share(entities.recall), share(low)),
        )
    more = f"; {len(types) - MOST} more types leak as much or less" if len(types) > MOST else ""
    table.caption = (
        f"clean: notes with PHI of which nothing is left{more}\n"
        "≥: lower bound at 95 %, over notes or patients drawn again, or exact"
    )
    return table


def _risk(risk: Risk) -> Table:
    table = _table("Risk of re-identification", ("notes", "leak", "recall", "95 %"))
    for name, counts in (("direct identifiers", risk.direct), ("quasi-identifiers", risk.quasi)):
        size = counts.hit + counts.missed
        bounds = exact_bounds(counts.hit, size)
        span = f"{bounds.low:.3f}–{bounds.high:.3f}" if size else "–"
        table.add_row(name, str(size), str(counts.missed), share(counts.recall), span)
    chance = risk.chance
    table.caption = (
        "recall: share of notes with such identifiers that leak none, or too few to identify\n"
        f"(quasi-identifiers do from {risk.model.together} different labels on)\n"
        f"Chance that a note identifies: {share(chance.value)} "
        f"({chance.low:.3f}–{chance.high:.3f}), {verdict(risk)}"
    )
    return table


def _hiding(found: Hiding) -> Table:
    """Show what a reader could tell, were all that was found replaced by surrogates."""
    names = ("leak", "surrogates", "best guess", "tellable")
    table = _table("Hidden in plain sight, were surrogates to stand in", names)
    for kind, row in found.rows.items():
        cells = (row.leaked, row.surrogates, share(row.guess), row.tellable)
        table.add_row(kind, *map(str, cells))
    why, every = found.reasons, found.tellable
    table.caption = (
        "surrogates: of the category, in notes where it leaks; best guess: leaks among all these\n"
        f"tellable: alone in the note ({why[Tell.ALONE]}), of another form ({why[Tell.FORM]}), or "
        f"the same in several patients' notes ({why[Tell.REPEATED]})\n"
        f"A reader can tell {share(every.value)} of the leaks ({every.low:.3f}–{every.high:.3f}), "
        f"{share(found.residual)} of all identifiers"
    )
    return table


def _show_kept(found: Usefulness, out: Console) -> None:
    """Print what survives of each kind of useful item, and the notes that lost most."""
    table = _table("Useful items that survive", ("there", "kept", "share", "≥"))
    for kind, tally in found.kinds.items():
        kept, size = tally.total.hit, tally.total.hit + tally.total.missed
        low = exact_bounds(kept, size).low if size else None
        table.add_row(kind, str(size), str(kept), share(tally.total.recall), share(low))
    table.caption = "≥: exact lower bound at 95 %, were items independent of each other"
    out.print(table)
    notes = Counter(item.document for item in found.lost).most_common()
    if notes:
        names = tuple(f"{name} ({count})" for name, count in notes)
        out.print(f"{len(notes)} notes lost some: {shown(names)}")


def _summary(result: Result) -> Table:
    name = f"System {result.system}, " if result.system else ""
    noun = "document" if result.masking is not None else "sentence"
    table = _table(f"{name}{result.documents} {noun}{'s' * (result.documents != 1)}")
    other = {"i2b2": "meddocan.", "meddocan": "i2b2."}.get(result.track, NO_TRACK)
    for measure, row in result.measures.items():
        strict = measure.startswith(STRICT)
        if strict or (measure in SUMMARY and not measure.startswith(other)):
            table.add_row(
                f"seqeval, strict {measure[len(STRICT) :]}" if strict else SUMMARY[measure],
                *(f"{row[ratio]:.4f}" for ratio in ("precision", "recall", "f1")),
                *(str(row.get(count, "")) for count in ("tp", "fp", "fn")),
            )
    return table


def _rows(title: str, rows: Sequence[Row], over: str) -> Table:
    """Return exact figures with the bounds of F1, and the least masking that cases allow."""
    table = _table(title, (*FIGURES[:3], "95 %", *FIGURES[3:], "masked", "≥"))
    table.padding = 0  # so that 80 columns hold most labels whole
    for row in rows:
        figures, least = _figures(row.counts), row.masked.low
        bounds = "–" if row.f1.value is None else f"{_point(row.f1.low)}–{_point(row.f1.high)}"
        hidden = share(row.masked.value), share(None if row.masked.value is None else least)
        table.add_row(row.name, *figures[:3], bounds, *figures[3:], *hidden)
    table.caption = (
        "masked: share of entities of which no letter or digit is left\n"
        "95 %: bounds of F1; ≥: lower bound of masked\n"
        f"bounds are over {over} drawn again, or exact where cases are few"
    )
    return table


def _point(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


def _types(result: Result) -> Iterator[tuple[str, ...]]:
    for name, row in result.measures.items():
        if name.startswith("token.type."):
            counts = (row[key] for key in ("tp", "fn", "fp"))
            yield name.removeprefix("token.type."), *_figures(Counts(*counts))  # type: ignore[arg-type]


def _leaks(masking: Masking) -> str:
    """Return one line on what is left to find."""
    entities = masking.total(ENTITIES)
    documents = masking.total(DOCUMENTS)
    return (
        f"{entities.missed} of {entities.hit + entities.missed} entities leak, "
        f"in {documents.missed} of {documents.hit + documents.missed} documents with PHI; "
        f"{len(masking.alarms)} false alarms"
    )


def _figures(counts: Counts) -> tuple[str, ...]:
    ratios = (counts.precision, counts.recall, counts.f1)
    return (*map(share, ratios), str(counts.hit), str(counts.spurious), str(counts.missed))


def _figure_column(table: Table, name: str) -> None:
    table.add_column(name, justify="right", no_wrap=True, min_width=max(len(name), 5))


def _table(title: str, columns: Sequence[str] = FIGURES) -> Table:
    table = plain_table(title, collapsed=True)
    table.add_column("", overflow="fold")  # a narrow terminal may fold names, never figures
    for name in columns:
        _figure_column(table, name)
    return table
