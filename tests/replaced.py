"""What stands for mentions that a test writes as `{LABEL:words}`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from phiscrub.core.contracts import Replacer
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document, Subject
from phiscrub.core.labels import HUB
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.surrogates import Surrogates

BUILT: dict[tuple[str, str], Surrogates] = {}  # stateless, and slow to load
MARKED = re.compile(r"\{([A-Za-z_-]+):([^}]*)\}")


def note(text: str, subject: str | None = "p1") -> tuple[Document, Cover]:
    """Read `{LABEL:words}`."""
    plain, mentions, done = "", [], 0
    for found in MARKED.finditer(text):
        plain += text[done : found.start()]
        mentions.append(Mention(Span(len(plain), len(plain) + len(found[2])), found[1]))
        plain += found[2]
        done = found.end()
    plain += text[done:]
    return Document("n", plain, Subject(subject) if subject else None), Cover.of(mentions)


def put(replacer: Replacer, text: str, subject: str | None = "p1") -> list[str]:
    """Return what stands for each mention."""
    return list(replacer.replace(*note(text, subject)).replacements)


def made(key: Path, language: str = "en") -> Surrogates:
    """Make a replacer with the secret of a file, or return the one that has it."""
    known = key.read_text(), language
    if known not in BUILT:
        settings = surrogates.Settings(secret_file=str(key))
        BUILT[known] = surrogates.build(settings, Shelf(language, None))
    return BUILT[known]


def avoiding(
    secret: Path, folder: Path, known: Sequence[str], language: str = "en", labels: str = HUB
) -> Surrogates:
    """Make a replacer that knows real patients by rows of a table."""
    file = folder / "patients.csv"
    file.write_text("patient_id,name,mrn\n" + "".join(f"{row}\n" for row in known), "utf-8")
    settings_ = surrogates.Settings(secret_file=str(secret), patients=str(file), label_set=labels)
    return surrogates.build(settings_, Shelf(language, None))
