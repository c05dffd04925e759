"""Builds the models that ship for a language, and its modes; measures them for the model card.

python benchmarks/build_models.py LANGUAGE --work FOLDER [--data SHARED]
    [--measured FOLDER] [--shipped FOLDER] [--as-measured] [--again] [--later KIND …
    [--begun FOLDER]] [--on WRITER … [--modes MODE …]] [--writers]

First a CRF and networks learn from the training notes only: on the development notes, by writers
whom they do not know, each mode's combination is found and measured. Then all learn from all
notes and are put into src/phiscrub/data/models, the modes into src/phiscrub/data/pipelines, what
ships is measured on notes that it never learns from (corpus/splits.toml says which is which), and
the figures go into benchmarks/results/models/LANGUAGE.json, which holds no text of a note; at last
docs/cards.py writes the card. What stands in the work folder is not made again: a call that was
cut off goes on. `--measured` has LANGUAGE-crf, LANGUAGE-tagger … as phiscrub train left them on
the training notes, `--shipped` those to put into the package; the same folder may be named twice.
`--as-measured` puts in what was measured, where there is no time to learn from all.
`--again` takes the combinations and their figures on development notes from the results that stand,
and puts in and measures what `--shipped` has alone: for models that learn from more notes. With
`--later` those kinds learn from all notes first, unless they stand in `--shipped`: a CRF from
nothing, a network on from LANGUAGE-KIND in the folder `--begun`. With `--on` their combinations are
found anew, on notes of writers whom no model has learned from, those of `--modes` alone where it is
given.
`--writers` leaves out one writer after the other, too, with the combinations that ship.
Set OMP_NUM_THREADS=1 on a machine that does other work.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import runpy
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from decoys import decoys_kept
from evaluate_rules import figures
from model_combining import DECOYS, Combination, combined, declared
from model_data import Data, data_of
from model_training import KINDS, later_models, measured_models, put, shipped_models, size
from pages import DATA, RESULTS, ROOT, keep_figures

from phiscrub.core.labels import label_set
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.experiments.samples import samples_by
from phiscrub.pipeline.load import Declaration, build, load_pipeline, read_declaration
from phiscrub.pipeline.parts import Table
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.save import pipeline_text
from phiscrub.pipeline.shipped import BALANCED, FAST, RULES, SAFE
from phiscrub.train.corpus import Corpus

SHELF = ROOT / "src" / "phiscrub" / "data"
FIGURES = RESULTS / "models"
LOWEST = 0.4  # threshold
FOUND = (BALANCED, SAFE, FAST)  # modes whose combination is found
# What a kind of model counts; English by the notes of w57 to w62, before models learned from them,
# Spanish by the development notes.
WEIGHTS = {
    "en": {"crf": 1.0, "tagger": 1.5, "notewise": 1.5},
    "es": {"crf": 1.0, "tagger": 1.5, "notewise": 1.0},
}
ROLES = {  # of which a name has one in all of a note
    "en": ("PATIENT", "DOCTOR"),
    "es": ("NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"),
}


def tagger(language: str, mode: str, models: Mapping[str, str]) -> Table:
    """Return the table of a mode's tagger over the models of each kind, by name or path.

    Only the safe mode takes the time for a second network.
    """
    roles = {"roles": ROLES[language]} if language in ROLES else {}
    if mode == FAST:
        return {"use": "crf", "model": models["crf"], **roles}
    kinds = [kind for kind in models if mode == SAFE or kind != "notewise"]
    table = {"use": "ensemble", "models": tuple(models[kind] for kind in kinds), **roles}
    own = WEIGHTS.get(language)
    return table if own is None else {**table, "weights": tuple(own[kind] for kind in kinds)}


def rules_of(language: str) -> Declaration:
    """Read a language's rules."""
    return read_declaration(language, RULES)[0]


def modes(
    language: str, folders: Mapping[str, Path], chosen: Mapping[str, Combination]
) -> Iterator[tuple[str, Pipeline]]:
    """Yield every mode with models from folders, and the rules alone."""
    own = {kind: str(folder.resolve()) for kind, folder in folders.items()}
    for mode, combination in chosen.items():
        table = tagger(language, mode, own)
        yield mode, build(declared(rules_of(language), table, combination))
    yield RULES, load_pipeline(language, RULES)


def speed(pipeline: Pipeline, corpora: Sequence[Corpus]) -> int:
    """Return tokens a CPU second from text to text, on notes that filled no cache before."""
    documents = [note.document for corpus in corpora for note in corpus.notes]
    pipeline.redact(documents[::2])
    others = documents[1::2]
    count = sum(len(note.tokens) for note in pipeline.tokenizer.tokenize(others))
    begun = time.process_time()
    pipeline.redact(others)
    return int(count / (time.process_time() - begun))


def measured(pipeline: Pipeline, dev: Sequence[Corpus], language: str) -> dict[str, Any]:
    """Return the figures of a pipeline on each part."""
    labels = label_set(rules_of(language).labels)
    return {c.name: figures(samples_by(pipeline, c.notes), labels) for c in dev}


def find(
    data: Data, folders: Mapping[str, Path], wanted: Sequence[str] = FOUND
) -> dict[str, Combination]:
    """Find the combination of each mode that is wanted."""
    own = {kind: str(folder.resolve()) for kind, folder in folders.items()}
    rules = rules_of(data.language)
    return {
        mode: combined(mode, rules, tagger(data.language, mode, own), data.dev) for mode in wanted
    }


def chosen_for(data: Data, folders: Mapping[str, Path], kept: Path) -> Mapping[str, Combination]:
    """Return the combination of each mode, found unless it stands in a file."""
    if kept.exists():
        told = json.loads(kept.read_text("utf-8"))
        return {mode: Combination.read(one) for mode, one in told.items()}
    chosen = find(data, folders)
    stated = {mode: one.stated() for mode, one in chosen.items()}
    kept.write_text(json.dumps(stated), "utf-8")
    return chosen


def found_anew(
    data: Data,
    writers: Sequence[str],
    wanted: Sequence[str],
    folders: Mapping[str, Path],
    results: dict[str, Any],
) -> Mapping[str, Combination]:
    """Find the combinations of models that ship on the notes of writers new to all of them."""
    names = [f"corpus/{data.language}/{writer}" for writer in writers]
    if known := sorted(set(names) & set.union(*map(learned_by, folders.values()))):
        raise SystemExit(f"models have learned from {', '.join(known)}")
    new = Data(data.language, (), tuple(c for c in data.train if c.name in names))
    if missing := sorted(set(names) - {corpus.name for corpus in new.dev}):
        raise SystemExit(f"no training notes of {', '.join(missing)}")
    chosen = find(new, folders, wanted)
    told = {
        one["name"]: {**one, "modes": [mode for mode in one["modes"] if mode not in wanted]}
        for one in results.get("combined_on", ())
    }
    for one in map(described, new.dev):
        before = told.get(one["name"], {"modes": []})["modes"]
        told[one["name"]] = {**one, "modes": [*before, *wanted]}
    results["combined_on"] = [one for one in told.values() if one["modes"]]
    for mode, combination in chosen.items():
        own = results["modes"][mode]
        own.setdefault("measured_with", own["combination"]["threshold"])
        own["combination"] = combination.stated()
    return chosen


def found(
    data: Data, folders: Mapping[str, Path], chosen: Mapping[str, Combination], *, as_measured: bool
) -> dict[str, Any]:
    """Return the figures of the modes on the development notes, and what they learned from."""
    known = set.intersection(*map(learned_by, folders.values()))
    return {
        "language": data.language,
        "label_set": data.dev[0].label_set,
        "learned_from": [described(c) for c in data.train if c.name in known],
        "measured_on": [described(corpus) for corpus in data.dev],
        "never_learned_from": [described(corpus) for corpus in data.kept],
        "ships_as_measured": as_measured,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "reads": "[value, low, high] at 95 %",
        "modes": {
            mode: {
                "combination": chosen[mode].stated() if mode in chosen else None,
                "parts": measured(pipeline, data.dev, data.language),
            }
            for mode, pipeline in modes(data.language, folders, chosen)
        },
    }


def write_modes(language: str, chosen: Mapping[str, Combination]) -> None:
    """Write the pipeline file of each mode, over the models that ship."""
    about = f"# Written by benchmarks/build_models.py {language}: build it again, do not edit.\n"
    for mode, combination in chosen.items():
        table = tagger(language, mode, {kind: f"{language}-{kind}" for kind in KINDS[language]})
        told = pipeline_text(declared(rules_of(language), table, combination))
        (SHELF / "pipelines" / f"{language}-{mode}.toml").write_text(about + told, "utf-8")


def sparing(language: str, chosen: Mapping[str, Combination]) -> Mapping[str, Combination]:
    """Lower the balanced mode's threshold until what ships leaves enough decoys alone.

    Models that learned from all notes are surer than those that were measured.
    """
    while (own := chosen[BALANCED]).threshold > LOWEST:
        if decoys_kept(load_pipeline(language, BALANCED), language) >= DECOYS:
            break
        lower = replace(own, threshold=round(own.threshold - 0.01, 2))
        chosen = {**chosen, BALANCED: lower}
        write_modes(language, chosen)
    return chosen


def by_writer(data: Data, chosen: Mapping[str, Combination], work: Path) -> dict[str, Any]:
    """Measure on each part with models of all others."""
    found: dict[str, Any] = {mode: {} for mode in (*chosen, RULES)}
    for part in data.whole:
        fold = data.without(part)
        folder = work / "without" / re.sub(r"\W+", "-", part.name)
        folders = measured_models(data.language, fold.train, fold.dev, folder)
        for mode, pipeline in modes(data.language, folders, chosen):
            found[mode] |= measured(pipeline, fold.dev, data.language)
    return found


def described(corpus: Corpus) -> dict[str, Any]:
    """Return what the card says of a corpus."""
    return {
        "name": corpus.name,
        "licence": corpus.licence,
        "notes": len(corpus),
        "mentions": corpus.labels.total(),
    }


def learned_by(folder: Path) -> set[str]:
    """Return the names of the corpora that a model learned from."""
    return {one.name for one in read_manifest(folder, str(folder)).data}


def learned_last(data: Data, results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return what the card says of corpora that only models that ship learned from."""
    known = {one["name"] for one in results["learned_from"]}
    shipped = {one["name"] for told in results["models"].values() for one in told["data"]}
    return [described(c) for c in data.train if c.name in shipped - known]


def shipped_facts(folder: Path) -> dict[str, Any]:
    """Return what the card says of a model that ships."""
    manifest = read_manifest(folder, str(folder))
    return {
        "kind": manifest.kind,
        "bytes": size(folder),
        "created": manifest.created,
        "data": [asdict(one) for one in manifest.data],
        "trained": manifest.training["stopped"],
    }


def asked() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=("en", "es", "sv"))
    parser.add_argument("--work", type=Path, required=True, help="folder of what is on its way")
    parser.add_argument("--data", type=Path, default=DATA, help="the shared data")
    parser.add_argument("--measured", type=Path, help="folder of LANGUAGE-crf and so on")
    parser.add_argument("--shipped", type=Path, help="folder of the same, to be put in")
    parser.add_argument(
        "--as-measured", action="store_true", help="ship what was measured, not learning from all"
    )
    parser.add_argument(
        "--again", action="store_true", help="keep combinations and development figures"
    )
    parser.add_argument(
        "--later", nargs="+", default=(), help="with --again, kinds of models that learn first"
    )
    parser.add_argument("--begun", type=Path, help="with --later, folder of networks to go on from")
    parser.add_argument("--on", nargs="+", help="with --again, find combinations on these writers")
    parser.add_argument(
        "--modes", nargs="+", default=FOUND, choices=FOUND, help="with --on, of these modes alone"
    )
    parser.add_argument("--writers", action="store_true", help="leave one writer out, too")
    given = parser.parse_args()
    if given.again and (given.shipped is None or given.writers):
        parser.error("--again needs --shipped, and goes without --writers")
    if (given.on or given.later) and not given.again:
        parser.error("--on and --later go with --again")
    if set(given.later) - set(KINDS[given.language]):
        parser.error(f"--later takes {', '.join(KINDS[given.language])}")
    if set(given.later) - {"crf"} and given.begun is None:
        parser.error("--later needs --begun for a network")
    if given.modes != FOUND and not given.on:
        parser.error("--modes goes with --on")
    return given


def main() -> None:
    """Build what is asked for."""
    given = asked()
    language, work = given.language, given.work
    work.mkdir(parents=True, exist_ok=True)
    data = data_of(language, given.data)
    if given.again:
        results = json.loads((FIGURES / f"{language}.json").read_text("utf-8"))
        told = {mode: part["combination"] for mode, part in results["modes"].items()}
        chosen = {mode: Combination.read(one) for mode, one in told.items() if one is not None}
        results["never_learned_from"] = [described(corpus) for corpus in data.kept]
        later_models(language, data.whole, given.begun, given.shipped, given.later)
        shipped = {kind: given.shipped / f"{language}-{kind}" for kind in KINDS[language]}
        folders = {kind: folder for kind, folder in shipped.items() if folder.is_dir()}
        if given.on:
            stay = {kind: SHELF / "models" / f"{language}-{kind}" for kind in KINDS[language]}
            chosen |= found_anew(data, given.on, given.modes, {**stay, **folders}, results)
    else:
        folders = measured_models(language, data.train, data.dev, given.measured or work)
        chosen = chosen_for(data, folders, work / f"{language}-combinations.json")
        results = found(data, folders, chosen, as_measured=given.as_measured)
    if given.writers:
        results["by_writer"] = by_writer(data, chosen, work)
    if not given.as_measured and not given.again:
        folders = shipped_models(language, data.whole, folders, given.shipped or work / "shipped")
    put(folders, SHELF / "models")
    write_modes(language, chosen)
    for mode, combination in sparing(language, chosen).items():
        results["modes"][mode]["ships_with"] = combination.threshold
    for mode, part in results["modes"].items():
        pipeline = load_pipeline(language, mode)
        part["tokens_per_second"] = speed(pipeline, data.kept or data.dev)
        part["parts"] |= measured(pipeline, data.kept, language)
    results["models"] = {
        f"{language}-{kind}": shipped_facts(SHELF / "models" / f"{language}-{kind}")
        for kind in KINDS[language]
    }
    results["learned_from_last"] = learned_last(data, results)
    keep_figures(FIGURES / f"{language}.json", results)
    runpy.run_path(str(ROOT / "docs" / "cards.py"), run_name="__main__")


if __name__ == "__main__":
    main()
