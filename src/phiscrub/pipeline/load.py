"""Pipeline files to pipelines."""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from phiscrub.core.collector import uncollected
from phiscrub.core.contracts import Detector, Replacer
from phiscrub.core.errors import LabelError, MissingError, SettingsError
from phiscrub.core.labels import HUB, label_set, renaming
from phiscrub.core.version import VERSION
from phiscrub.detect.tagging.manifest import FILE as MANIFEST
from phiscrub.detect.tagging.manifest import part_of, read_manifest
from phiscrub.pipeline.auto import Auto
from phiscrub.pipeline.based import KEYS, shipped_text, with_base
from phiscrub.pipeline.parts import Declared, Table
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.settings import settings_from
from phiscrub.pipeline.shelf import Shelf
from phiscrub.pipeline.shipped import ANY, languages, pipeline_names, shipped
from phiscrub.pipeline.voters import voters
from phiscrub.replace.keyed import Key
from phiscrub.replace.policed import Policed
from phiscrub.replace.policy import Action, Policy, load_policy
from phiscrub.replace.renamed import Renamed
from phiscrub.tokenize.registry import get_tokenizer

VOTERS = "voters"  # a setting of combiners that count the detectors
SOURCES = "sources"  # a setting of parts that tell mentions by who said them
RENAMES = "output_labels"  # a setting of replacers that hear the detectors' own labels
STATES = "states"  # a setting of those whose towns fit the states that a policy lets stay


@dataclass(frozen=True, slots=True)
class Declaration:
    """A pipeline file: which parts in which order, with their settings still as tables.

    A file may name a shipped pipeline as its `base`, in a `mode`, and say only what it adds.
    Every part's table has `use`, its name; the rest are the part's own settings. A detector's
    may also have `only`, the labels that are heard, and `map`, what they are then called.
    `labels` is the set that the detectors speak, `output_labels` the one that is written, by
    default the same. `policy` says what is removed of that which is found. `certificate` says what
    was promised of the thresholds when they were calibrated, and changes nothing.
    """

    language: str
    detector: tuple[Table, ...]
    labels: str = HUB
    output_labels: str = ""
    policy: str = "i2b2"
    tokenizer: Table = field(default_factory=lambda: {"use": "clinical"})
    refiner: tuple[Table, ...] = ()
    combiner: Table = field(default_factory=lambda: {"use": "ranked"})
    replacer: Table = field(default_factory=lambda: {"use": "tags"})
    certificate: Table = field(default_factory=dict)


def load_pipeline(name: str, mode: str | None = None, **changes: Any) -> Pipeline:
    """Load a shipped pipeline, or one from a TOML file; packs are found from its folder.

    A shipped one is a language in a `mode`, or named by its file. The folder of a trained model
    is a pipeline of that model alone. `changes` override keys of the file
    (`output_labels="hipaa"`); with other detectors the combiner is without its settings, which
    speak of those that were, unless it is given too. Raises `SettingsError` naming the file and
    the key, or where there is no such mode, and `MissingError` where there is no pipeline.
    """
    with uncollected():
        declaration, home = read_declaration(name, mode)
        if "detector" in changes:
            changes = {"combiner": {"use": declaration.combiner["use"]}, **changes}
        return build(replace(declaration, **changes), where=name, home=home)


def load_any(name: str, mode: str | None = None, **changes: Any) -> Pipeline | Auto:
    """Load a pipeline, or with ``auto`` one for each language, which write the hub label set."""
    if name != ANY:
        return load_pipeline(name, mode, **changes)
    written = label_set(changes.get("output_labels") or HUB)
    stated = {**changes, "output_labels": written.name}
    return Auto({one: load_pipeline(one, mode, **stated) for one in languages()}, written)


def read_declaration(name: str, mode: str | None = None) -> tuple[Declaration, Path | None]:
    """Read what `load_pipeline` builds, and the folder that its paths start from; raises alike."""
    known = shipped(name, mode)
    if known is not None:
        return _declared(shipped_text(known), known), None
    path = Path(name)
    if (path / MANIFEST).is_file():
        return _of_model(path), None
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        ours = ", ".join((*languages(), *pipeline_names()))
        hint = f"shipped: {ours}; others are a TOML file or a model"
        raise MissingError(f"no pipeline {name!r}", hint=hint) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError("cannot be read as a pipeline file", where=name) from None
    return _declared(text, name), path.resolve().parent


def _of_model(folder: Path) -> Declaration:
    manifest = read_manifest(folder, str(folder))
    return Declaration(
        language=manifest.language,
        detector=({"use": part_of(manifest, str(folder)), "model": str(folder.resolve())},),
        labels=manifest.label_set,
        tokenizer={"use": manifest.tokenizer},
    )


def build(
    declaration: Declaration, *, where: str = "pipeline", home: Path | None = None
) -> Pipeline:
    """Build a declared pipeline; `home` is the folder that paths start from.

    Raises `SettingsError` where a part or its settings are wrong, `where` being what is named.
    """
    labels = label_set(declaration.labels)
    written = label_set(declaration.output_labels or declaration.labels)
    shelf = Shelf(declaration.language, home, where)
    heard: dict[str, tuple[str, ...]] = {}  # what mentions can say of who said them

    def part(kind: str, table: Table, at: str) -> Any:
        declared = Declared.of(kind, table, at, where, labels.name)
        fields = declared.part.Settings.__dataclass_fields__
        told = {key: names for key, names in heard.items() if key in fields}
        return replace(declared, table={**told, **declared.table}).build(shelf)

    def replacer() -> Replacer:
        table = declaration.replacer
        declared = Declared.of("replacer", table, "replacer", where, written.name)
        fields = declared.part.Settings.__dataclass_fields__
        if RENAMES not in fields:
            return Renamed(names, declared.build(shelf))
        told = {RENAMES: written.name}
        if policy.rules["STATE"].action is Action.KEEP and STATES in fields:
            told[STATES] = "keep"
        made: Replacer = part("replacer", {**told, **table}, "replacer")
        return made

    def detector(table: Table, at: str) -> tuple[str, Detector]:
        made = shelf.detector(table, at, labels.name)
        for label in sorted(made.labels - set(labels.labels)):
            raise LabelError(
                f"'{at}' gives label {label!r}, which label set {labels.name} lacks",
                where=where,
                hint=f"its labels are {', '.join(labels.labels)}",
            )
        return str(table["use"]), made

    tokenizer = dict(declaration.tokenizer)
    use = tokenizer.pop("use", "")
    settings_from(_NoSettings, tokenizer, "tokenizer", where)
    detectors = tuple(
        detector(table, f"detector[{i}]") for i, table in enumerate(declaration.detector)
    )
    heard[VOTERS] = voters(declaration.detector, shelf)
    heard[SOURCES] = (
        *dict.fromkeys(heard[VOTERS]),
        *(str(table.get("use")) for table in declaration.refiner),
    )
    refiners = tuple(
        (str(table.get("use")), part("refiner", table, f"refiner[{i}]"))
        for i, table in enumerate(declaration.refiner)
    )
    combiner = part("combiner", declaration.combiner, "combiner")
    names = renaming(labels, written)
    policy = load_policy(declaration.policy, home)
    wording = replacer()
    for label in labels.labels:
        action, hub = policy.action(label, labels)
        if action is Action.SHORTEN and hub in getattr(wording, "keeps", ()):
            raise SettingsError(
                f"policy '{declaration.policy}' lets only a part of each {hub} stay, and the "
                "replacer keeps all of it",
                where=where,
                hint="let the replacer move or remove it, or take another policy",
            )
    return Pipeline(
        language=declaration.language,
        label_set=labels,
        names=names,
        tokenizer=get_tokenizer(str(use)),
        detectors=detectors,
        refiners=refiners,
        combiner=combiner,
        replacer=Policed(policy, wording, labels, names),
        fingerprint=_fingerprint(declaration, policy, shelf),
    )


@dataclass(frozen=True, slots=True)
class _NoSettings:
    pass


def _declared(text: str, where: str) -> Declaration:
    try:
        data = with_base(tomllib.loads(text), where)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"is not TOML: {error}", where=where) from None
    known = Declaration.__dataclass_fields__
    for key in data:
        if key not in known:
            hint = f"known: {', '.join((*KEYS, *known))}; 'mode' needs a 'base'"
            raise SettingsError(f"unknown key '{key}'", where=where, hint=hint)
    if not isinstance(data.get("language"), str):
        raise SettingsError("'language' is missing", where=where, hint='such as language = "en"')
    for key in ("detector", "refiner"):
        tables = data.setdefault(key, [])
        if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
            raise SettingsError(f"'{key}' is no list of tables", where=where, hint=f"[[{key}]]")
        data[key] = tuple(tables)
    for key in ("tokenizer", "combiner", "replacer", "certificate"):
        if not isinstance(data.get(key, {}), dict):
            raise SettingsError(f"'{key}' is no table", where=where, hint='{ use = "…" }')
    if not data["detector"]:
        raise SettingsError("names no detector", where=where, hint="add a [[detector]]")
    return Declaration(**data)


def _fingerprint(declaration: Declaration, policy: Policy, shelf: Shelf) -> str:
    """Hash what decides the output: version, parts, settings, policy, and the files they took."""
    stated = {
        name: getattr(declaration, name)
        for name in Declaration.__dataclass_fields__
        if name != "certificate"
    }
    told = json.dumps([VERSION, stated, repr(policy), shelf.digest], sort_keys=True, default=_named)
    return hashlib.sha256(told.encode()).hexdigest()


def _named(value: object) -> str:
    """Return what a key is called, which tells nothing of it; nothing else is no plain value."""
    if isinstance(value, Key):
        return repr(value)
    raise TypeError(f"{type(value).__name__} in a declaration")
