"""What a model's folder says of itself, and the folder written and read as a whole."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Any, NoReturn, Protocol, Self

from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError, OutputError, PhiscrubError, Place, SettingsError
from phiscrub.core.jsontext import AGAIN, strict_json
from phiscrub.core.toolbox import Toolbox
from phiscrub.core.version import VERSION
from phiscrub.core.wording import shown
from phiscrub.detect.carried import FOLDER as CARRIED
from phiscrub.tokenize.registry import TOKENIZERS, get_tokenizer

FORMAT = 1
FILE = "manifest.json"
FILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*(\.[a-z0-9]+)+")
# Parts, by the kind of model.
RUN_BY = MappingProxyType({"crf": "crf", "network": "neural", "stack": "stacked"})
SHA256 = re.compile(r"[0-9a-f]{64}")
# Invented; it holds what tokenizers differ in.
PROBE = (
    "NAME: O'Hara-Lee, Ann  MRN: 00-41-776\nSeen 03/04/2020 at 7:30am by Dr. J. Smith, M.D. "
    "He's 82yo; BP 120/80, temp 36.6°C.\r\n\r\nPlan:\n - Año: 1,5 mg/día (Sr. Núñez)\n"
    "tel +46(0)8-123 45 67, ann@example.org\t#12_b 5'10\" µg €3.50 don't 3041023MARY"
)


@dataclass(frozen=True, slots=True)
class TrainedOn:
    """A corpus that a model was trained on: `sha256` is over its notes, as the trainer saw them."""

    name: str
    licence: str
    notes: int
    sha256: str = ""


class Described(Protocol):
    """What a model of any kind says of itself; members are as in `Manifest`."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def language(self) -> str: ...  # noqa: D102
    @property
    def label_set(self) -> str: ...  # noqa: D102
    @property
    def labels(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def tokenizer(self) -> str: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Manifest:
    """All of a model but its weights.

    `settings` are what the model's kind needs to work; `training` is how it came about, which
    includes what was cut from its word lists. `tokenizer_print` is `tokenizer_print(tokenizer)`
    at training time. `files` gives the sha256 of each file beside the manifest.
    """

    kind: str
    name: str
    language: str
    label_set: str
    labels: tuple[str, ...]
    tokenizer: str
    tokenizer_print: str
    settings: Mapping[str, Any]
    data: tuple[TrainedOn, ...] = ()
    training: Mapping[str, Any] = field(default_factory=dict)
    created: str = ""
    phiscrub: str = VERSION
    format: int = FORMAT
    files: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        kind: str,
        model: Described,
        settings: Mapping[str, Any],
        *,
        data: Sequence[TrainedOn] = (),
        training: Mapping[str, Any] = MappingProxyType({}),
        created: str = "",
    ) -> Self:
        """State a model of a kind."""
        return cls(
            kind=kind,
            name=model.name,
            language=model.language,
            label_set=model.label_set,
            labels=model.labels,
            tokenizer=model.tokenizer,
            tokenizer_print=tokenizer_print(model.tokenizer),
            settings=settings,
            data=tuple(data),
            training=dict(training),
            created=created,
        )


def check_language(model: Described, tools: Toolbox) -> None:
    """Raise `SettingsError` where a model is of another language than the pipeline."""
    if model.language != tools.language:
        raise SettingsError(
            f"model {model.name} is for language {model.language!r}, and this is "
            f"{tools.language!r}",
            hint="take a model of that language",
        )


def name_of(folder: Path) -> str:
    """Return what a model that is written to a folder is called: as mentions name their source."""
    return re.sub(r"[:+]", "-", folder.resolve().name)


def tokenizer_print(name: str) -> str:
    """Return a hash of how a tokenizer cuts a probe: another version that cuts alike is as good.

    Raises `SettingsError` where there is no such tokenizer.
    """
    (note,) = get_tokenizer(name).tokenize([Document("probe", PROBE)])
    pieces = (note.tokens.starts, note.tokens.ends, note.sentences.starts, note.sentences.ends)
    cut = json.dumps([array.tolist() for array in pieces])
    return hashlib.sha256(cut.encode()).hexdigest()


NO_MATTER = ".DS_Store"  # what a file manager leaves in a folder


def refuse_folder(folder: Path) -> None:
    """Raise `SettingsError` where no model could be written, so that none is made for nothing."""
    _refuse_foreign(folder, SettingsError)
    above = next(path for path in folder.absolute().parents if path.exists())
    if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
        raise SettingsError(
            "no model can be written there", where=str(folder), hint="name another folder"
        )


def _refuse_foreign(folder: Path, kind: type[PhiscrubError]) -> None:
    there, hint = folder.resolve(), "name another folder"
    if not there.exists() or (there.is_dir() and not any(there.iterdir())):
        return
    try:
        manifest = read_manifest(there, str(folder))
    except PhiscrubError as error:
        what = "is there already and is no model"
        if isinstance(error, SettingsError):  # a manifest, of another format or broken
            what += f" that can be read: it {error.what}"
        raise kind(what, where=str(folder), hint=hint) from None
    own = {FILE, CARRIED, *manifest.files}
    more = sorted(path.name for path in there.iterdir() if path.name not in own)
    if more := [name for name in more if name != NO_MATTER]:
        raise kind(
            f"holds {shown(more)} beside a model, which would be lost",
            where=str(folder),
            hint=hint,
        )


def write_folder(
    folder: Path,
    manifest: Manifest,
    files: Mapping[str, bytes],
    folders: Mapping[str, Path] = MappingProxyType({}),
) -> None:
    """Write a model's folder, whole or not at all; a model that stands there is replaced.

    `folders` are copied into it, by what they are called there. The manifest's own `files` are
    ignored. Raises `OutputError` where the folder holds something else or cannot be written.
    """
    _refuse_foreign(folder, OutputError)
    table = asdict(manifest)
    table["files"] = {n: hashlib.sha256(data).hexdigest() for n, data in sorted(files.items())}
    told = json.dumps(table, indent=2, ensure_ascii=False, allow_nan=False)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        (staged / "new").mkdir()
        for name, data in {**files, FILE: f"{told}\n".encode()}.items():
            (staged / "new" / name).write_bytes(data)
        for name, path in folders.items():
            shutil.copytree(path, staged / "new" / name)
        if folder.exists():
            folder.rename(staged / "old")
        (staged / "new").rename(folder)
    except (OSError, shutil.Error) as error:
        with suppress(OSError):
            (staged / "old").rename(folder)
        raise _unwritable(folder, error) from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _unwritable(folder: Path, error: OSError) -> OutputError:
    why = error.strerror or "what it carries cannot be copied"
    return OutputError(f"cannot be written: {why}", where=str(folder))


def read_folder(
    folder: Traversable, kind: str, wanted: Sequence[str]
) -> tuple[Manifest, dict[str, bytes]]:
    """Read a model of one kind and the bytes of the files that such a model has.

    Every file's hash is checked before anything looks into it. Raises `MissingError` where the
    folder holds no model, `SettingsError` for every other way in which it is not as it should be.
    """
    where = str(folder)
    manifest = read_manifest(folder, where)
    if manifest.kind != kind:
        _refuse(where, f"is a model of kind {manifest.kind!r}, not {kind!r}")
    if set(manifest.files) != set(wanted):
        _refuse(where, f"does not list the files of a {kind} model: {', '.join(wanted)}")
    files = {}
    for name, digest in manifest.files.items():
        try:
            files[name] = (folder / name).read_bytes()
        except OSError:
            raise MissingError("cannot be read", where=f"{where}/{name}", hint=AGAIN) from None
        if hashlib.sha256(files[name]).hexdigest() != digest:
            raise SettingsError(
                "is not the file that the manifest names: its sha256 differs",
                where=f"{where}/{name}",
                hint="it was cut short or changed; fetch or train the model again",
            )
    if manifest.tokenizer not in TOKENIZERS:
        _refuse(where, f"names no tokenizer of this phiscrub: {manifest.tokenizer!r}")
    if tokenizer_print(manifest.tokenizer) != manifest.tokenizer_print:
        raise SettingsError(
            f"was trained on another version of tokenizer {manifest.tokenizer!r}",
            where=where,
            hint="train it again with this version of phiscrub",
        )
    return manifest, files


def read_manifest(folder: Traversable, where: str) -> Manifest:
    """Read what a model says of itself; no file beside it is looked at. Raises as `read_folder`."""
    try:
        text = (folder / FILE).read_bytes().decode()
    except OSError:
        raise MissingError(
            "is no model", where=where, hint=f"a model is a folder with a {FILE}"
        ) from None
    except UnicodeDecodeError:
        _refuse(where, "is not UTF-8")
    table = strict_json(text, Place(f"{where}/{FILE}"))
    found = table.get("format")
    if found != FORMAT or isinstance(found, bool):
        number = found if isinstance(found, int) else "unknown"
        raise SettingsError(
            f"is of model format {number}, and this phiscrub reads {FORMAT}",
            where=f"{where}/{FILE}",
            hint="update phiscrub, or train the model again",
        )
    known = {f.name for f in fields(Manifest)}
    if set(table) != known:
        _refuse(where, f"has missing or unknown keys: {', '.join(sorted(set(table) ^ known))}")
    kinds = {"labels": list, "data": list, "settings": dict, "training": dict, "files": dict}
    for key in known - {"format"}:
        if not isinstance(table[key], kinds.get(key, str)):
            _refuse(where, f"has a '{key}' of another type")
    if not table["labels"] or not all(isinstance(v, str) and v for v in table["labels"]):
        _refuse(where, "has no list of labels")
    for name, digest in table["files"].items():
        if not FILE_NAME.fullmatch(name) or name == FILE or not _is(SHA256, digest):
            _refuse(where, "lists a file without a plain name and a sha256")
    data = tuple(_trained_on(row, where) for row in table.pop("data"))
    return Manifest(**{**table, "labels": tuple(table["labels"]), "data": data})


def part_of(manifest: Manifest, where: str) -> str:
    """Return the detector that runs such a model; raise `SettingsError` where there is none."""
    if manifest.kind not in RUN_BY:
        _refuse(where, f"is a model of kind {manifest.kind!r}, which no detector runs")
    return RUN_BY[manifest.kind]


def _is(pattern: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _trained_on(row: object, where: str) -> TrainedOn:
    kinds = {"name": str, "licence": str, "notes": int, "sha256": str}
    if (
        not isinstance(row, dict)
        or set(row) != set(kinds)
        or not all(type(row[key]) is kind for key, kind in kinds.items())
    ):
        _refuse(where, f"has an entry of 'data' without {', '.join(kinds)}")
    return TrainedOn(**row)


def _refuse(where: str, what: str) -> NoReturn:
    raise SettingsError(what, where=f"{where}/{FILE}", hint=AGAIN)
