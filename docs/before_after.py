"""Writes examples/before-after.html: notes as they came, with labels, and with surrogates.

python docs/before_after.py

The notes are those of examples/notes, found in by the pipeline `en`. The secret is public, as the
notes are invented; so the page is the same each time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path

import phiscrub
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated
from phiscrub.core.redaction import Redaction
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace.surrogates import Settings, Surrogates, build

ROOT = Path(__file__).parent.parent
NOTES = ROOT / "examples" / "notes"
PAGE = ROOT / "examples" / "before-after.html"
CHOSEN = (
    "01-ed-triage",
    "06-nursing-shift-note",
    "07-clinic-letter-uk",
    "10-dictated-consult",
    "15-portal-messages",
)
SECRET = "the notes of this page are invented"  # noqa: S105 - nothing to keep secret
KINDS = {
    "names": ("PATIENT", "DOCTOR", "USERNAME"),
    "places": ("HOSPITAL", "ORGANIZATION", "STREET", "CITY", "STATE", "COUNTRY", "ZIP",
               "LOCATION-OTHER"),
    "dates": ("DATE", "AGE"),
    "contacts": ("PHONE", "FAX", "EMAIL", "URL", "IPADDR"),
}  # fmt: skip
STYLE = """
:root { color-scheme: light dark; --names: #ffd9a8; --places: #cfe8c9; --dates: #cfe0ff;
  --contacts: #f3d0ea; --others: #e3dccf; --ink: #1d1d1d; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 110rem; padding: 0 1rem }
section { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 1.2rem }
h2 { grid-column: 1 / -1; font-size: 1.1rem; margin: 2rem 0 .4rem }
h3 { font-size: .85rem; font-weight: 600; margin: 0 0 .3rem; opacity: .75 }
pre { font: 12.5px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
  border: 1px solid #8885; border-radius: .4rem; padding: .8rem; margin: 0 }
mark { color: var(--ink); border-radius: .2rem; padding: 0 .15em; background: var(--others) }
mark.names { background: var(--names) } mark.places { background: var(--places) }
mark.dates { background: var(--dates) } mark.contacts { background: var(--contacts) }
@media (max-width: 60rem) { section { grid-template-columns: 1fr } h3 { margin-top: .8rem } }
"""


def kind(label: str) -> str:
    """Return the class of a label's colour."""
    return next((name for name, labels in KINDS.items() if label in labels), "others")


def marked(note: Annotated) -> str:
    """Return a note as HTML with its mentions coloured."""
    text, done, parts = note.document.text, 0, []
    for mention in note.mentions:
        start, end = mention.span.start, mention.span.end
        words = escape(text[start:end])
        title = f'class="{kind(mention.label)}" title="{escape(mention.label)}"'
        parts += [escape(text[done:start]), f"<mark {title}>{words}</mark>"]
        done = end
    return "".join([*parts, escape(text[done:])])


def surrogates() -> Surrogates:
    """Make the replacer by the page's secret."""
    with tempfile.NamedTemporaryFile("w", suffix=".secret") as file:
        file.write(SECRET)
        file.flush()
        return build(Settings(secret_file=file.name), Shelf("en", None))


def sections() -> Iterator[str]:
    """Yield the part of each note."""
    documents = [Document(n, (NOTES / f"{n}.txt").read_text("utf-8")) for n in CHOSEN]
    pipeline, stand_ins = phiscrub.load("en"), surrogates()
    redactions = pipeline.redact(documents)
    for document, redaction in zip(documents, redactions, strict=True):
        cover: Cover = redaction.cover
        other: Redaction = stand_ins.replace(document, cover)
        columns = {
            "as it came, with what was found": Annotated(document, cover.mentions),
            "phiscrub scrub": redaction.output,
            "phiscrub scrub --replace surrogates": other.output,
        }
        shown = "".join(
            f"<div><h3>{title}</h3><pre>{marked(note)}</pre></div>"
            for title, note in columns.items()
        )
        yield f"<section><h2>{escape(document.id)}</h2>{shown}</section>"


def page() -> str:
    """Return the page."""
    about = (
        "Invented notes, scrubbed by the pipeline <code>en</code>. Colours: "
        + " ".join(f'<mark class="{name}">{name}</mark>' for name in (*KINDS, "others"))
        + ". What has no colour on the left was not found: look for it before you trust a machine."
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>phiscrub: before and after</title><style>{STYLE}</style>"
        f"<h1>Before and after</h1><p>{about}</p>{''.join(sections())}</html>\n"
    )


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
