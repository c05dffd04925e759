"""Writes docs/models/LANGUAGE.md, the model cards, from the figures of benchmarks/build_models.py.

python docs/cards.py          # write them
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FIGURES = ROOT / "benchmarks" / "results" / "models"
CARDS = Path(__file__).parent / "models"
NAMES = {"en": "English", "es": "Spanish", "sv": "Swedish"}
FEWEST, LOW = 10, 0.9  # mentions of a label that say something, and a recall that is a weakness
IDLE = 0.8  # a precision that is one
ABOUT = {
    "en": "The notes are invented by hand for this project, not of real patients: expect less on "
    "real ones, and measure it on your own.",
    "es": "MEDDOCAN's notes are published case reports to which its makers added identifiers, half "
    "of them in a form above and below the text; notes of other shapes (corpus/es) fare worse. The "
    "rules were written with both of MEDDOCAN's splits open, and its development notes also said "
    "when training stops: figures on them are development figures.",
    "sv": "The notes are invented by hand for this project, not of real patients: expect less on "
    "real ones, and measure it on your own.",
}
HIPAA = ["HIPAA's categories, masking recall", "HIPAA's categories, masking precision"]
SMALL = {2: "a small network", 3: "two small networks"}
FEW = ("Strict F1 (place and label)", "Token masking recall", "Token masking precision")


def card(figures: Mapping[str, Any]) -> str:
    """Return the card of a language's models."""
    language = figures["language"]
    lines = [
        f"# {NAMES[language]} models",
        "",
        "Written by `docs/cards.py` from what `benchmarks/build_models.py` measured; do not edit.",
        "",
        f"A CRF and {SMALL[len(figures['models'])]} for `--pipeline {language}`, with the rules of "
        f"`{language}-rules`, in label set {figures['label_set']}. {ABOUT[language]}",
        "",
        "## Data",
        "",
        *_data(figures),
        "",
        "## Models",
        "",
        *_models(figures["models"]),
        "",
        "## Modes",
        "",
        *_modes(figures),
    ]
    for name, part in figures["modes"]["balanced"]["parts"].items():
        lines += ["", f"## {name}, balanced, by category", "", *_categories(part)]
    if "by_writer" in figures:
        lines += ["", "## Each writer by models of all others", "", *_writers(figures)]
    lines += ["", "## Weaknesses", "", *_weaknesses(figures["modes"])]
    return "\n".join(lines) + "\n"


def _data(figures: Mapping[str, Any]) -> list[str]:
    uses = {
        "learned_from": "learned from",
        "learned_from_last": "learned from by what ships, not by what was measured",
        "measured_on": "measured on; ended the training and chose thresholds; never learned from"
        if figures.get("ships_as_measured")
        else "measured on first, by models that had not learned from it, but whose training it "
        "ended and whose thresholds it chose; then learned from",
        "never_learned_from": "measured on by what ships, never learned from",
        "combined_on": "chose how rules and models go together in {modes}, when no model had "
        "learned from it",
    }
    rows = [
        [
            *(one["name"], f"{one['notes']:,}", f"{one['mentions']:,}", one["licence"]),
            use.format(modes=" and ".join(f"`{mode}`" for mode in one.get("modes", ())))
            + _by_some(one["name"], figures["models"]),
        ]
        for key, use in uses.items()
        for one in figures.get(key, ())
    ]
    return _table(["notes of", "notes", "mentions", "licence", "use"], rows)


def _by_some(corpus: str, models: Mapping[str, Any]) -> str:
    """Name the models that learned from a corpus, where others that ship did not."""
    own = [name for name, told in models.items() if corpus in (one["name"] for one in told["data"])]
    if not own or len(own) == len(models):
        return ""
    return f"; of what ships by {' and '.join(f'`{name}`' for name in own)} alone"


def _models(models: Mapping[str, Any]) -> list[str]:
    rows = [
        [
            f"`{name}`",
            one["kind"],
            f"{one['bytes'] / 1e6:.2f} MB",
            f"{sum(part['notes'] for part in one['data']):,}",
            one["trained"],
            one["created"],
        ]
        for name, one in models.items()
    ]
    return _table(["model", "kind", "size", "notes learned from", "training", "made"], rows)


def _modes(figures: Mapping[str, Any]) -> Iterator[str]:
    yield "Figures with their bounds at 95 %, over resampled notes. Tokens a second: one core,"
    yield f"text to text, on {figures['machine']}, beside other work and with many words met for"
    yield "the first time: long runs go faster (`benchmarks/throughput.py`)."
    yield ""
    parts = list(next(iter(figures["modes"].values()))["parts"])
    for name in parts:
        rows = []
        for mode, one in figures["modes"].items():
            told = one["parts"][name]["all"]
            cells = [_shown(told[figure]) for figure in told]
            hipaa = one["parts"][name].get("hipaa")
            if hipaa:
                cells += [_shown(hipaa["recall"]), _shown(hipaa["precision"])]
            rows.append([mode, *cells, f"{one['tokens_per_second']:,}"])
        heads = [figure.rpartition(",")[0] for figure in told]
        heads += HIPAA if hipaa else []
        yield f"### {name}"
        yield ""
        yield from _table(["mode", *heads, "tokens/s"], rows)
        yield ""
    yield "`threshold`: a token is left alone where the models are at least so sure that it is"
    yield "nothing identifying."
    yield ""
    rows = [
        [mode, f"{one.get('measured_with', told):g}", f"{one.get('ships_with', told):g}"]
        for mode, one in figures["modes"].items()
        if one["combination"] and (told := one["combination"]["threshold"])
    ]
    yield from _table(["mode", "threshold when measured", "as it ships"], rows)


def _categories(part: Mapping[str, Any]) -> list[str]:
    rows = []
    for name, row in part["by_category"].items():
        strict, masking = row["strict"], row["masking"]
        gold = strict["right"] + strict["missed"]
        cells = [strict["f1"], masking["recall"], masking["precision"], row["entities_gone"]]
        rows.append([name, f"{gold:,}", *map(_shown, cells)])
    heads = ["category", "gold", "strict F1", "masking R", "masking P", "nothing left"]
    return _table(heads, rows)


def _writers(figures: Mapping[str, Any]) -> list[str]:
    rows = [
        [name, mode, *(_shown(_figure(part, figure)) for figure in FEW)]
        for mode, parts in figures["by_writer"].items()
        for name, part in parts.items()
    ]
    return _table(["notes of", "mode", *FEW], sorted(rows))


def _weaknesses(modes: Mapping[str, Any]) -> Iterator[str]:
    for name, part in modes["balanced"]["parts"].items():
        weak = []
        for label, row in part["by_label"].items():
            gold, found = row["strict"]["right"] + row["strict"]["missed"], row["masking"]["recall"]
            if gold >= FEWEST and found[0] is not None and found[0] < LOW:
                weak.append((found[0], f"{label} {found[0]:.2f} of {gold:,}"))
        told = "; ".join(text for _, text in sorted(weak)) or "none"
        yield f"- {name}, labels of which less than {LOW:.0%} of the words is masked: {told}"
        idle = []
        for mode, own in modes.items():
            right, *_ = _figure(own["parts"][name], "Token masking precision")
            if right is not None and right < IDLE:
                idle.append(f"{mode} {right:.2f}")
        if idle:
            yield f"- {name}, share of the masked words that are identifying: {'; '.join(idle)}"
    yield f"- labels with fewer than {FEWEST} mentions there are not judged"
    yield "- a model knows the language and kinds of note that it learned from: no other"


def _figure(part: Mapping[str, Any], name: str) -> Sequence[float | None]:
    return next(value for key, value in part["all"].items() if key.startswith(name))


def _shown(figure: Sequence[float | None]) -> str:
    value, low, high = figure
    return "–" if value is None else f"{value:.3f} ({low:.3f}–{high:.3f})"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def cards() -> Iterator[tuple[Path, str]]:
    """Yield every card with the file that holds it."""
    for file in sorted(FIGURES.glob("*.json")):
        yield CARDS / f"{file.stem}.md", card(json.loads(file.read_text("utf-8")))


if __name__ == "__main__":
    CARDS.mkdir(exist_ok=True)
    for target, text in cards():
        target.write_text(text, "utf-8")
