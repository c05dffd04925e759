"""Writes docs/reference.md from the code: commands, formats, label sets, parts, packs.

python docs/generate.py          # write it
python docs/generate.py --check  # exit 1 where it is not what the code says
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import MISSING, fields
from importlib import import_module, resources
from pathlib import Path
from typing import Any

import typer

from phiscrub.cli.main import app
from phiscrub.core.labels import label_set, label_set_names
from phiscrub.core.schemes import SCHEMES
from phiscrub.detect.pack import Pack
from phiscrub.formats.record import is_note_format
from phiscrub.formats.registry import FORMATS, get_format
from phiscrub.pipeline.registry import PARTS
from phiscrub.pipeline.shipped import languages, modes
from phiscrub.tokenize.registry import TOKENIZERS
from phiscrub.train.recipe import load_recipe, recipe_names

MENTIONS = """\
A JSON object and a table's row hold mentions under `mentions` (in a table, as JSON in the cell):

```json
{"id": "n1", "text": "Seen by Dr. Ortiz", "mentions": [{"start": 12, "end": 17, "label": "DOCTOR"}]}
```

`start` and `end` count characters, the end not among them. `score` and `source` may stand beside
them, and `column` must where a record has several texts. In JSON, without that key, the lists of
other programs are read too, and written back in this shape: doccano (`label`, `labels`,
`entities`), spaCy (`entities`), Prodigy (`spans`), and Label Studio's JSON-MIN (`label`). A
record whose `answer` is `reject` or `ignore`, as Prodigy has it, is no gold: train, evaluate and
convert leave it out and say so. Nor is a text without an `.ann` where others have one."""
REFERENCE = Path(__file__).parent / "reference.md"


def first_line(of: object) -> str:
    """Return the first sentence of a docstring as one line."""
    text = (of.__doc__ or "").strip().split("\n\n")[0]
    return " ".join(text.split())


def paragraphs(of: object) -> str:
    """Return a docstring, each of its paragraphs as one line."""
    parts = (of.__doc__ or "").strip().split("\n\n")
    return "\n\n".join(" ".join(part.split()) for part in parts)


def table(*head: str) -> list[str]:
    """Return the head of a Markdown table."""
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]


def row(*cells: object) -> str:
    """Return a row of a Markdown table."""
    return (
        "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"
    )


def commands() -> Iterator[str]:
    """Describe every command and option; a group's commands stand behind it."""
    yield from _commands("phiscrub", typer.main.get_command(app))


def _commands(before: str, group: Any) -> Iterator[str]:
    for name, command in sorted(group.commands.items()):
        yield f"### {before} {name}\n"
        yield f"{(command.help or '').strip()}\n"
        if hasattr(command, "commands"):
            yield from _commands(f"{before} {name}", command)
            continue
        yield from table("option", "what it says")
        for parameter in command.params:
            names = ", ".join(f"`{n}`" for n in parameter.opts)
            yield row(names, getattr(parameter, "help", "") or "")
        yield ""


def formats() -> Iterator[str]:
    """Describe every format."""
    yield from table("name", "suffix", "notes a file", "annotations", "label set", "what it is")
    for name in FORMATS:
        kind = get_format(name)
        yield row(
            f"`{name}`",
            f"`{kind.suffix}`",
            "one" if is_note_format(kind) else "many",
            "yes" if kind.annotates else "no",
            kind.label_set or "any",
            first_line(kind),
        )


def label_sets() -> Iterator[str]:
    """List the label sets with their mapping to the hub."""
    for name in label_set_names():
        labels = label_set(name)
        yield f"### {name}\n\n{labels.about}.\n"
        yield from table("label", "category", "in i2b2-2014")
        for label in labels.labels:
            yield row(f"`{label}`", labels.category(label), labels.to_hub.get(label, "no PHI"))
        yield ""


def parts() -> Iterator[str]:
    """List the parts that a pipeline file can name, with their settings."""
    for kind, names in PARTS.items():
        for name, path in sorted(names.items()):
            module = import_module(path)
            yield f"### {kind} `{name}`\n\n{first_line(module)}\n"
            settings = [field for field in fields(module.Settings) if field.repr]
            if settings:
                yield paragraphs(module.Settings) + "\n"
                yield from table("setting", "type", "default")
            for field in settings:
                has_default = field.default is not MISSING
                shown = f"`{field.default!r}`" if has_default else "required"
                if field.default_factory is not MISSING:
                    shown = "as shipped"
                yield row(f"`{field.name}`", f"`{field.type}`", shown)
            yield ""
    yield "### tokenizers\n"
    for name, made in TOKENIZERS.items():
        yield f"- `{name}`: {first_line(made)}"
    yield "\n### tag schemes\n"
    for scheme in SCHEMES.values():
        tags = " ".join(scheme.tags(["X"]))
        yield f"- `{scheme.name}`: {tags}"


def packs() -> Iterator[str]:
    """List the packs with their rules."""
    top = resources.files("phiscrub") / "data" / "packs"
    for language in sorted(top.iterdir(), key=lambda f: f.name):
        for folder in sorted(language.iterdir(), key=lambda f: f.name):
            if not (folder / "pack.toml").is_file():
                continue
            pack = Pack.load(folder, f"{language.name}/{folder.name}")
            labels = sorted({label for rule in pack.rules for label in rule.labels})
            yield row(f"`{pack.name}`", len(pack.rules), len(pack.cases), ", ".join(labels))


def pipelines() -> Iterator[str]:
    """List what ships, by language and mode."""
    yield "Named by language and mode (`en-rules`); a language alone is its first mode.\n"
    yield from table("language", "modes")
    for language in languages():
        yield row(f"`{language}`", ", ".join(f"`{mode}`" for mode in modes(language)))


def recipes() -> Iterator[str]:
    """List what can be trained."""
    yield from table("recipe", "what it is", "after", "languages", "lacks")
    for recipe in map(load_recipe, recipe_names()):
        languages = ", ".join(recipe.variants) or "any"
        lacks = "; ".join(recipe.lacks) or "–"
        yield row(f"`{recipe.name}`", recipe.about, recipe.source or "–", languages, lacks)


def reference() -> str:
    """Return the whole page."""
    lines = [
        "# Reference",
        "",
        "Written by `docs/generate.py` from the code; do not edit.",
        "",
        "## Commands",
        "",
        *commands(),
        "## Formats",
        "",
        *formats(),
        "",
        MENTIONS,
        "",
        "## Pipelines",
        "",
        *pipelines(),
        "",
        "## Recipes",
        "",
        *recipes(),
        "",
        "## Parts",
        "",
        *parts(),
        "",
        "## Packs",
        "",
        *table("pack", "rules", "cases", "labels"),
        *packs(),
        "",
        "## Label sets",
        "",
        *label_sets(),
    ]
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(REFERENCE.read_text("utf-8") != reference())
    REFERENCE.write_text(reference(), "utf-8")
