"""A report in one HTML file that needs nothing else: figures, pictures, leaks and false alarms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib import resources
from string import Template
from types import MappingProxyType

from phiscrub.cli.htmlpictures import MOST, bars, recall_precision
from phiscrub.cli.insights import Insight, verdict
from phiscrub.cli.scoring import Result
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import SHOWN, share
from phiscrub.evaluate.curve import curve
from phiscrub.evaluate.entities import NOTHING, confusion
from phiscrub.evaluate.evidence import LEAK, Case, cases, sections
from phiscrub.evaluate.headline import headlines, sure
from phiscrub.evaluate.hiding import Hiding, Tell
from phiscrub.evaluate.identifying import short
from phiscrub.evaluate.masking import DOCUMENTS, ENTITIES, Masking
from phiscrub.evaluate.notetypes import TypeRow
from phiscrub.evaluate.risk import Risk
from phiscrub.evaluate.rows import Row, by_category, by_label
from phiscrub.evaluate.sample import drawn, subjects_of
from phiscrub.evaluate.uncertainty import Interval, exact_bounds
from phiscrub.evaluate.usefulness import Usefulness

HOLDS_TEXT = (
    "<strong>This report holds text of the notes, on purpose.</strong> It quotes what a system "
    "left in them: whoever reads it may learn who the patients are. Keep it as you keep the "
    "notes; for a report without text, write it with <code>--redacted</code>."
)
HOLDS_SHAPES = (
    "<strong>Text of the notes is shown by its shape only</strong> (X and x for letters, 9 for "
    "digits). The names of the notes are as they came, and may identify a patient."
)
WORST = 15  # sections shown
NUMBER = ' class="n"'


def report(
    results: Sequence[Result],
    *,
    redacted: bool = False,
    insights: Mapping[str, Insight] = MappingProxyType({}),
    before: str = "",
) -> str:
    """Return the HTML of one or more systems; `redacted` shows shapes instead of text.

    `insights` has what is told beside the measures, by system; `before` is HTML that comes first.
    Raises `SettingsError` for columns of tags, which have no text to show.
    """
    file = resources.files("phiscrub") / "data" / "report" / "report.html"
    systems = [_system(result, redacted, insights.get(result.system)) for result in results]
    body = "\n".join((before, *systems))
    warning = HOLDS_SHAPES if redacted else HOLDS_TEXT
    return Template(file.read_text("utf-8")).substitute(warning=warning, body=body)


def _system(result: Result, redacted: bool, insight: Insight | None) -> str:
    if result.masking is None:
        raise SettingsError(
            "columns of tags have no text, so there is no HTML report of them",
            hint="write the figures with --json, or annotate the notes themselves",
        )
    found = cases(result.samples, result.masking)
    shown = tuple(case.redacted() for case in found) if redacted else found
    name = f"System {result.system}" if result.system else "Summary"
    exact = result.labels, result.masking, subjects_of(result.samples)
    parts = [
        (name, _summary(result, result.masking)),
        ("Risk of re-identification", "" if insight is None else _risk(insight.risk)),
        ("Hidden in plain sight", "" if insight is None else _hiding(insight.hiding)),
        ("By category", _rows(by_category(*exact))),
        ("By label", _rows(by_label(*exact))),
        ("By type of note", "" if insight is None else _types(insight.types)),
        ("Where it leaks", _pictures(result, result.masking)),
        (
            "Useful items that survive",
            "" if insight is None or insight.kept is None else _kept(insight.kept),
        ),
        ("Every leak and every false alarm", _cases(shown)),
    ]
    told = "".join(f"<h2>{escape(title)}</h2>{part}" for title, part in parts if part)
    return f"<section>{told}</section>"


def _summary(result: Result, masking: Masking) -> str:
    subjects = subjects_of(result.samples)
    tiles = "".join(
        f'<div class="tile">{escape(line.name)}<b>{share(sure_of.value)}</b>'
        f'<span class="soft">{_bounds(sure_of)}</span></div>'
        for line in headlines(result.labels, masking)
        for sure_of in (line.interval(subjects),)
    )
    entities, documents = masking.total(ENTITIES), masking.total(DOCUMENTS)
    lines = [
        f"{result.documents} notes scored. <strong>{entities.missed} of "
        f"{entities.hit + entities.missed} entities leak, in {documents.missed} of "
        f"{documents.hit + documents.missed} notes with identifiers;</strong> "
        f"{len(masking.alarms)} false alarms."
    ]
    for ids, what in ((result.missing, "not among the system's"), (result.extra, "not gold")):
        if ids:
            lines.append(f"{len(ids)} notes are {what}: {escape(', '.join(ids[:MOST]))}.")
    lines += [f"{escape(notice)}." for notice in result.notices]
    return (
        "".join(f"<p>{line}</p>" for line in lines)
        + f'<div class="tiles">{tiles}</div><p class="soft">Bounds at 95 %, over '
        f"{drawn(result.samples)} drawn again; exact binomial bounds where cases "
        " are fewer than 100 or all are right. Tokens are runs of letters and digits; an "
        "entity leaks where a letter or digit of it is left.</p>"
    )


def _rows(found: Sequence[Row]) -> str:
    heads = (
        *("label", "gold", "right", "wrong", "missed"),
        *("P", "R", "R at least", "F1", "F1 at least", "F1 at most", "masked", "masked at least"),
    )
    rows = []
    for row in found:
        counts, hidden = row.counts, row.masked
        gold, known = counts.hit + counts.missed, row.f1.value is not None
        rows.append(
            _cell(row.name)
            + "".join(_count(n) for n in (gold, counts.hit, counts.spurious, counts.missed))
            + "".join(
                map(_figure, (counts.precision, counts.recall, row.recall.low if gold else None))
            )
            + "".join(
                map(_figure, (counts.f1, *((row.f1.low, row.f1.high) if known else (None, None))))
            )
            + "".join(map(_figure, (hidden.value, hidden.low if gold else None)))
        )
    note = (
        "right: place and label are those of a gold mark; masked: nothing is left of it, whatever "
        "it was called; at least, at most: bounds at 95 %"
    )
    return _card(_table(heads, rows, caption=note, words=1), "labels") if rows else ""


def _pictures(result: Result, masking: Masking) -> str:
    per_note = Counter(leak.document for leak in masking.leaks)
    clean = result.documents - len(per_note)
    more = len(per_note) - MOST
    told = f"{clean} notes leak nothing" + (
        f"; {more} more leak as much or less" if more > 0 else ""
    )
    chart = bars(list(per_note.items())) if per_note else ""
    cards = [f"<h3>Leaks per note</h3>{chart}<p class='soft'>{told}</p>"]
    rows = []
    for name, counts in list(sections(result.samples, masking).items())[:WORST]:
        cases_there = counts.hit + counts.missed
        rows.append(
            _cell(name)
            + _count(cases_there)
            + _count(counts.missed)
            + _figure(counts.recall)
            + _figure(exact_bounds(counts.hit, cases_there).low)
        )
    heads = ("heading", "entities", "leak", "recall", "at least")
    note = f"the {WORST} headings under which most leaks"
    cards.append(f"<h3>By section</h3>{_table(heads, rows, caption=note, words=1)}")
    cards.append(f"<h3>Taken for something else</h3>{_confusion(result)}")
    if points := curve(result.samples):
        cards.append(
            f"<h3>Precision over recall, by least score</h3>{recall_precision(points)}"
            "<p class='soft'>A point counts only mentions with at least its score; place and "
            "label must be right.</p>"
        )
    return f'<div class="pair">{"".join(map(_card, cards))}</div>'


def _risk(risk: Risk) -> str:
    rows = []
    for name, counts in (("direct", risk.direct), ("quasi, together", risk.quasi)):
        size = counts.hit + counts.missed
        low = exact_bounds(counts.hit, size).low if size else None
        rows.append(
            _cell(name)
            + "".join(map(_count, (size, counts.missed)))
            + "".join(map(_figure, (counts.recall, low)))
        )
    heads = ("identifiers", "notes that have them", "leak", "all-or-nothing recall", "at least")
    model = risk.model
    chance = (
        f"<p><strong>Chance that a note identifies its patient: {share(risk.chance.value)} "
        f"({_bounds(risk.chance)})</strong>, {escape(verdict(risk))}.</p>"
    )
    named = (
        ", ".join(sorted(set(map(short, side)))) or "none" for side in (model.direct, model.quasi)
    )
    assumed = (
        "<p class='soft'>After Scaiano et al. 2016. Assumed: a note leaks independently of others; "
        f"somebody tries with a chance of {model.attempt:g}; a direct identifier that leaks is "
        f"enough, quasi-identifiers are from {model.together} different labels on; what was masked "
        "tells nothing. Direct: {}. Quasi: {}.</p>"
    ).format(*map(_broken, named))
    return _card(chance + _table(heads, rows, words=1) + assumed)


def _hiding(found: Hiding) -> str:
    rows = [
        _cell(kind)
        + "".join(map(_count, (row.leaked, row.surrogates)))
        + _figure(row.guess)
        + _count(row.tellable)
        for kind, row in found.rows.items()
    ]
    why, every = found.reasons, found.tellable
    told = (
        f"<p><strong>Were surrogates to stand in, a reader could tell {share(every.value)} of the "
        f"leaks ({_bounds(every)}), {share(found.residual)} of all identifiers</strong>: "
        f"{why[Tell.ALONE]} alone in the note, {why[Tell.FORM]} of another form, "
        f"{why[Tell.REPEATED]} the same in several patients' notes.</p>"
    )
    heads = ("category", "leak", "surrogates beside them", "best guess", "tellable")
    after = "<p class='soft'>After Carrell et al. 2013 and 2019.</p>"
    return _card(told + _table(heads, rows, words=1) + after) if rows else ""


def _types(types: Mapping[str, TypeRow]) -> str:
    if not types:
        return _card("<p>No note has a type; <code>--by-type</code> says where to find it.</p>")
    rows = []
    for kind, row in types.items():
        entities, documents = row.entities.total, row.documents.total
        size = entities.hit + entities.missed
        low = sure(row.entities, "recall", row.subjects).low if size else None
        rows.append(
            _cell(kind or "(no type)")
            + "".join(map(_count, (row.size, documents.missed, size, entities.missed)))
            + "".join(map(_figure, (entities.recall, low, row.tokens.total.recall)))
        )
    heads = (
        *("type", "notes", "notes that leak", "entities", "leak"),
        *("recall", "at least", "token recall"),
    )
    return _card(_table(heads, rows, words=1), "types")


def _kept(kept: Usefulness) -> str:
    rows = []
    for kind, tally in kept.kinds.items():
        counts, notes = tally.total, Counter(i.document for i in kept.lost if i.kind == kind)
        size = counts.hit + counts.missed
        most = ", ".join(name for name, _ in notes.most_common(SHOWN))
        rows.append(
            _cell(kind)
            + _cell(most or "–")
            + "".join(map(_count, (size, counts.hit, len(notes))))
            + _figure(counts.recall)
            + _figure(exact_bounds(counts.hit, size).low if size else None)
        )
    heads = (
        "kind",
        "notes that lost most",
        "there",
        "kept",
        "notes that lost",
        "share",
        "at least",
    )
    return _card(_table(heads, rows, words=2))


def _confusion(result: Result) -> str:
    """Return what was taken for something else; what was right is in the table by label."""
    rows = [
        f"<td{_fault(gold)}>{_broken(short(gold) or 'no identifier')}</td>"
        f"<td{_fault(found)}>{_broken(short(found) or 'not found')}</td>{_count(count)}"
        for (gold, found), count in confusion(result.samples).most_common()
        if count and gold != found
    ]
    heads = ("gold label", "found as", "mentions")
    return _table(heads, rows, caption="mentions that share a character", words=2)


def _fault(label: str) -> str:
    return ' class="none"' if label == NOTHING else ""


def _cases(found: Sequence[Case]) -> str:
    labels = sorted({short(label) for case in found for label in case.labels})
    kinds = sorted({case.kind for case in found})
    filters = (
        _select("kind", "leaks and false alarms", kinds)
        + _select("label", "label", labels)
        + '<label>note<input type="search" data-field="note"></label>'
        + '<label>text<input type="search" data-field="text"></label>'
        + '<span class="shown" role="status"></span>'
    )
    heads = ("kind", "label", "note", "offset", "context", "what the detectors said")
    rows = [_case_cells(case) for case in found]
    attributes = [
        f' class="{"leak" if case.kind == LEAK else "alarm"}" data-kind="{escape(case.kind)}" '
        f'data-note="{escape(case.document)}" '
        f'data-label="{escape(chr(10).join(map(short, case.labels)))}"'
        for case in found
    ]
    table = _table(heads, rows, attributes=attributes, words=len(heads))
    return _card(f'<div class="filters">{filters}</div>{table}', "cases")


def _case_cells(case: Case) -> str:
    marked = "".join(
        f'<mark class="fault">{_line(words)}</mark>' if fault else f"<mark>{_line(words)}</mark>"
        for words, fault in case.pieces
    )
    return (
        f'<td class="kind">{case.kind}</td>'
        + _cell(", ".join(map(short, case.labels)))
        + _cell(case.document)
        + _count(case.start)
        + f'<td class="context">{_line(case.before)}{marked}{_line(case.after)}</td>'
        + f'<td class="reason">{escape(case.reason) or "–"}</td>'
    )


def _line(text: str) -> str:
    """Escape text of a note, its line ends shown by a sign."""
    return ' <span class="end">⏎</span> '.join(map(escape, text.splitlines() or [""])) + (
        ' <span class="end">⏎</span> ' if text[-1:] in ("\n", "\r") else ""
    )


def _table(
    heads: Sequence[str],
    rows: Sequence[str],
    *,
    caption: str = "",
    attributes: Iterable[str] = (),
    words: int,
) -> str:
    """Return a table that can be sorted; columns from the number `words` on hold numbers."""
    head = "".join(
        f'<th scope="col"{NUMBER if at >= words else ""}><button type="button">{escape(name)}'
        "</button></th>"
        for at, name in enumerate(heads)
    )
    told = f"<caption>{escape(caption)}</caption>" if caption else ""
    extra: Iterator[str] = iter(attributes)
    body = "\n".join(f"<tr{next(extra, '')}>{row}</tr>" for row in rows)
    return (
        f'<table class="sortable">{told}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _select(field: str, name: str, values: Sequence[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    return (
        f'<label>{escape(name)}<select data-field="{field}">'
        f'<option value="">all</option>{options}</select></label>'
    )


def _card(content: str, kind: str = "") -> str:
    return f'<div class="card {kind}">{content}</div>'


def _cell(words: str) -> str:
    return f"<td>{_broken(words)}</td>"


def _broken(words: str) -> str:
    """Escape a name, which may be broken behind its underscores."""
    return escape(words).replace("_", "_<wbr>")


def _count(number: int) -> str:
    return f'<td class="n" data-value="{number}">{number:,}</td>'


def _figure(value: float | None) -> str:
    raw = "" if value is None else f"{value:.6f}"
    return f'<td class="n" data-value="{raw}">{share(value)}</td>'


def _bounds(interval: Interval) -> str:
    if interval.value is None:
        return "no cases"
    return f"{interval.low:.3f} to {interval.high:.3f}"
