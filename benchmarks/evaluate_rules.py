"""How well the shipped rule pipelines do, on the English notes and on MEDDOCAN.

Run: python benchmarks/evaluate_rules.py [--data FOLDER]
Writes benchmarks/results/rules-en.json, rules-es.json and rules.md, which hold no text of a note.
The English notes are invented, written for this project, and of no real patient; the odd ones were
read while the rules were written, the even ones were not. MEDDOCAN's notes are Spanish case reports
to which its makers added identifiers; both splits were open to those who wrote the rules.
"""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pages import DATA, RESULTS, keep_figures, table

from phiscrub.core.labels import HUB, LabelSet, label_set
from phiscrub.core.mention import Annotated
from phiscrub.evaluate import entities
from phiscrub.evaluate.headline import headlines, summed, sure
from phiscrub.evaluate.hipaa import CORRECTED, is_hipaa
from phiscrub.evaluate.masking import ENTITIES, TOKENS, Masking, measure
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally
from phiscrub.experiments.samples import samples_by
from phiscrub.formats.annotated import read_annotated
from phiscrub.pipeline.load import load_pipeline

ENGLISH = (
    "English notes invented for this project (120, CC BY 4.0): not real patients. The odd ones "
    "were read while the rules were written, the even ones were not."
)
SPANISH = (
    "MEDDOCAN (CC BY 4.0, PlanTL-GOB-ES): development figures, since both splits were open to "
    "those who wrote the rules. Header: the form lines above the case report; footer: from "
    "'Remitido por' on; a mention belongs to the part that it starts in."
)
HIPAA = "HIPAA"  # the group of what it names
DOCTOR = re.compile(r"^\W*M[ée]dico\b.*\n?", re.MULTILINE)
FORM = re.compile(r"(?:^.*\n?){20}", re.MULTILINE)  # the header is within these lines
FOOTER = re.compile(r"^(?:Remitido por|Responsable)", re.MULTILINE)

Groups = Mapping[str, tuple[str, ...]]  # by name, the labels that are summed up


def samples(pipeline: str, gold: Mapping[str, Annotated]) -> list[Sample]:
    """Run a pipeline on the notes of the gold."""
    notes = [gold[name] for name in sorted(gold)]
    return samples_by(load_pipeline(pipeline), notes)


def header(text: str) -> tuple[int, int]:
    """Return the form lines at the top: to the end of the last one that names the doctor."""
    form = FORM.match(text)
    limit = form.end() if form else len(text)
    return 0, max((line.end() for line in DOCTOR.finditer(text, 0, limit)), default=0)


def footer(text: str) -> tuple[int, int]:
    """Return what stands from the last line on that names who refers the patient."""
    return max((line.start() for line in FOOTER.finditer(text)), default=len(text)), len(text)


def narrative(text: str) -> tuple[int, int]:
    """Return what stands between the two."""
    start = header(text)[1]
    return start, max(start, footer(text)[0])


def part(sample: Sample, place: Callable[[str], tuple[int, int]]) -> Sample:
    """Cut a sample to a part of its text."""
    low, high = place(sample.text)

    def inside(side: Sequence[Mark]) -> tuple[Mark, ...]:
        return tuple((a - low, b - low, label) for a, b, label in side if low <= a < high)

    text = sample.text[low:high]
    return Sample(sample.id, text, inside(sample.gold), inside(sample.found))


def figures(part_of: Sequence[Sample], labels: LabelSet) -> dict[str, object]:
    """Return the figures of some notes, as a whole, by label and by category."""
    exact = entities.exact(part_of)
    known = sorted(exact)
    by_category: dict[str, tuple[str, ...]] = {}
    for label in known:
        category = labels.category(label)
        by_category[category] = (*by_category.get(category, ()), label)
    masking = measure(part_of, lambda label: tuple(groups_of(label, labels)))
    hipaa = masking.tallies.get((TOKENS, HIPAA))
    return {
        "notes": len(part_of),
        "false_alarms": len(masking.alarms),
        **({"hipaa": _measured(hipaa)} if hipaa else {}),
        "all": {
            f"{line.name}, {line.figure}": _figure(line.tally, line.figure)
            for line in headlines(exact, masking)
        },
        "by_category": _rows("category", by_category, exact, masking),
        "by_label": _rows("label", {label: (label,) for label in known}, exact, masking),
    }


def groups_of(label: str, labels: LabelSet) -> Iterator[str]:
    """Yield what a label is part of: where the set is i2b2's, what HIPAA names of it, too."""
    category = labels.category(label)
    yield from (f"label {label}", f"category {category}")
    if labels.name == HUB and is_hipaa(category, label, CORRECTED):
        yield HIPAA


def _rows(
    kind: str, groups: Groups, exact: Mapping[str, Tally], masking: Masking
) -> dict[str, object]:
    """Return strict, token masking and leak figures of each group."""
    rows = {}
    for name, members in sorted(groups.items()):
        tokens = masking.tallies[TOKENS, f"{kind} {name}"]
        strict = summed({label: exact[label] for label in members}, tokens.documents)
        leaks = masking.tallies[ENTITIES, f"{kind} {name}"]
        rows[name] = {
            "strict": _measured(strict),
            "masking": _measured(tokens),
            "entities_gone": _figure(leaks, "recall"),
        }
    return rows


def _measured(tally: Tally) -> dict[str, object]:
    counts = tally.total
    return {
        "right": counts.hit,
        "missed": counts.missed,
        "wrong": counts.spurious,
        **{figure: _figure(tally, figure) for figure in ("precision", "recall", "f1")},
    }


def _figure(tally: Tally, figure: str) -> list[float | None]:
    """Return a figure and its bounds at 95 %."""
    found = sure(tally, figure)
    value = None if found.value is None else round(found.value, 4)
    return [value, round(found.low, 4), round(found.high, 4)]


def english(data: Path) -> dict[str, object]:
    """Measure the English pipeline, odd and even notes apart."""
    found = samples("en-rules", read_annotated(data / "english_notes"))
    halves = {
        "odd (developed on)": [one for one in found if int(one.id[-3:]) % 2],
        "even (not read)": [one for one in found if not int(one.id[-3:]) % 2],
    }
    labels = label_set("i2b2-2014")
    return {name: figures(half, labels) for name, half in halves.items()}


def spanish(data: Path) -> dict[str, object]:
    """Measure the Spanish pipeline on both splits, the parts of notes apart."""
    labels, results = label_set("meddocan"), dict[str, object]()
    for split in ("train", "dev"):
        found = samples("es-rules", read_annotated(data / "meddocan" / split / "xml"))
        results[f"{split}, whole"] = figures(found, labels)
        for place in (header, narrative, footer):
            cut = [part(sample, place) for sample in found]
            results[f"{split}, {place.__name__}"] = figures(cut, labels)
    return results


def markdown(pages: Sequence[tuple[str, str, Mapping[str, object]]]) -> str:
    """Return the figures as tables."""
    lines = ["# The rule pipelines, measured", "", "Written by `benchmarks/evaluate_rules.py`."]
    for title, about, results in pages:
        lines += ["", f"## {title}", "", about, "", *_overview(results)]
        for name in results:
            if name in ("even (not read)", "dev, narrative", "dev, whole"):
                lines += ["", f"### {name}, by category", "", *_categories(results[name])]
    return "\n".join(lines) + "\n"


def _overview(results: Mapping[str, object]) -> list[str]:
    first = next(iter(results.values()))
    names = list(first["all"])  # type: ignore[index]
    head = ["part", "notes", *(name.rpartition(",")[0] for name in names)]
    rows = [
        [name, str(found["notes"]), *(_shown(found["all"][one]) for one in names)]  # type: ignore[index]
        for name, found in results.items()
    ]
    return table(head, rows)


def _categories(found: object) -> list[str]:
    head = ["category", "gold", "strict P", "strict R", "strict F1"]
    head += ["masking P", "masking R", "nothing left"]
    rows = []
    for name, row in found["by_category"].items():  # type: ignore[index]
        strict, masking = row["strict"], row["masking"]
        cells = [strict["precision"], strict["recall"], strict["f1"]]
        cells += [masking["precision"], masking["recall"], row["entities_gone"]]
        rows.append([name, str(strict["right"] + strict["missed"]), *map(_shown, cells)])
    return table(head, rows)


def _shown(figure: Sequence[float | None]) -> str:
    value, low, high = figure
    return "–" if value is None else f"{value:.3f} ({low:.3f}–{high:.3f})"


def main() -> None:
    """Measure both pipelines and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    data = parser.parse_args().data
    pages = []
    for name, title, about, measured in (
        ("en", "English", ENGLISH, english),
        ("es", "Spanish", SPANISH, spanish),
    ):
        started = time.perf_counter()
        parts = measured(data)
        whole = {
            "pipeline": name,
            "data": about,
            "reads": "[value, low, high] at 95 %",
            "parts": parts,
        }
        keep_figures(RESULTS / f"rules-{name}.json", whole)
        pages.append((title, about, parts))
        print(f"{name}: {time.perf_counter() - started:.0f} s")
    (RESULTS / "rules.md").write_text(markdown(pages), "utf-8")


if __name__ == "__main__":
    main()
