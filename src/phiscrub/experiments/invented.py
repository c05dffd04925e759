"""An invented note with its marks, on which pages show what becomes of a text."""

from __future__ import annotations

import re

from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span

MARK = re.compile(r"\{(?P<words>[^|}]+)\|(?P<label>[A-Z-]+)\}")
NARRATIVE = (
    "Mrs. {Whitfield|PATIENT}, a {67|AGE} year old {teacher|PROFESSION} of {Springfield|CITY}, "
    "was seen by Dr. {Brown|DOCTOR} at {Hillcrest Hospital|HOSPITAL} on {March 14, 2019|DATE}. On "
    "{March 17|DATE}, three days after her first dose of amoxicillin, she had a rash. "
    "{Whitfield|PATIENT} recovered. MRN {3041023|MEDICALRECORD}, telephone "
    "{(555) 012-3344|PHONE}."
)


def note(marked: str = NARRATIVE) -> Annotated:
    """Return a note from a text in which `{words|LABEL}` is a mention."""
    text, mentions, done = "", list[Mention](), 0
    for found in MARK.finditer(marked):
        text += marked[done : found.start()]
        mentions.append(Mention(Span(len(text), len(text) + len(found["words"])), found["label"]))
        text, done = text + found["words"], found.end()
    return Annotated(Document("invented", text + marked[done:]), tuple(mentions))
