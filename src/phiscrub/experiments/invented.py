"""An invented note with its marks, on which pages show what becomes of a text."""

from __future__ import annotations

import re
from types import MappingProxyType

from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span

MARK = re.compile(r"\{(?P<words>[^|}]+)\|(?P<label>[A-Z-]+)\}")
NARRATIVE = (
    "Mrs. {Whitfield|PATIENT}, a {67|AGE} year old {teacher|PROFESSION} of {Springfield|CITY}, "
    "was seen by Dr. {Brown|DOCTOR} at {Larkfield Hospital|HOSPITAL} on {March 14, 2019|DATE}. On "
    "{March 17|DATE}, three days after her first dose of amoxicillin, she had a rash. "
    "{Whitfield|PATIENT} recovered. MRN {3041023|MEDICALRECORD}, telephone "
    "{(555) 012-3344|PHONE}."
)
# The course of a reaction, by language; its onset is a day that time can be counted from.
COURSES = MappingProxyType(
    {
        "en": "Mrs. {Whitfield|PATIENT} of {Springfield|CITY} took amoxicillin, onset of her rash "
        "{03/14/2019|DATE}. On {03/17/2019|DATE} {Whitfield|PATIENT} was well again.",
        "es": "La Sra. {Ibarra|PATIENT} de {Zaragoza|CITY} tomó amoxicilina, inicio del exantema "
        "{14/03/2019|DATE}. El {17/03/2019|DATE} {Ibarra|PATIENT} estaba bien.",
        "sv": "Fru {Lindqvist|PATIENT} från {Uppsala|CITY} tog amoxicillin, debut av utslag "
        "{2019-03-14|DATE}. Den {2019-03-17|DATE} var {Lindqvist|PATIENT} frisk igen.",
    }
)


def note(marked: str = NARRATIVE) -> Annotated:
    """Return a note from a text in which `{words|LABEL}` is a mention."""
    text, mentions, done = "", list[Mention](), 0
    for found in MARK.finditer(marked):
        text += marked[done : found.start()]
        mentions.append(Mention(Span(len(text), len(text) + len(found["words"])), found["label"]))
        text, done = text + found["words"], found.end()
    return Annotated(Document("invented", text + marked[done:]), tuple(mentions))
