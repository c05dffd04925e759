"""Invented notes to multiply, written as templates are."""

from __future__ import annotations

from hypothesis import strategies as st

from phiscrub.core.document import Document, Subject
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.synthesize.persona import Persona
from phiscrub.synthesize.templates import Template

ENGLISH = (
    """Patient: {PATIENT: Quillfeather, Orla}
DOB: {DATE: 03/14/1961}
MRN: {MEDICALRECORD: 4481723}
Seen by: Dr. {DOCTOR: Tamsin Oyelaran}

HPI:
- {AGE: 63} yo woman, retired {PROFESSION: cooper}, seen on {DATE: 12 Feb 2024} at \
{HOSPITAL: Brackenridge Infirmary} for cough, fever and a fall. She lives in {CITY: Tulsa}, \
{STATE: OK} with her husband {PATIENT: Ferdinand}.
- Call {PHONE: 918-624-7031}.

Signed {DOCTOR: T. Oyelaran} {DATE: 2/12/24}""",
    """{IDNUM: 3041023}{PATIENT: MARY} {AGE: 50}yo f, h/o COPD. plan: f/u {DATE: 3/4} w \
{DOCTOR: Brown}, cb {PHONE: 555-0199}""",
    """Dear Dr {DOCTOR: Threlkeld},

Thank you for seeing Mrs {PATIENT: Gwendolen
Hartshorne}, who was born in {DATE: May 1940} and moved from {CITY: Ghent} in {DATE: 1962}.

{DOCTOR: A Ndiaye}""",
)
SPANISH = (
    """Nombre: {NOMBRE_SUJETO_ASISTENCIA: Teodora}.
Apellidos: {NOMBRE_SUJETO_ASISTENCIA: Urrutia Belmonte}.
Fecha: {FECHAS: 3/2/2024}. Acude con su {FAMILIARES_SUJETO_ASISTENCIA: hija Saturnina}. Vive en \
{TERRITORIO: Teruel}. Fdo: {NOMBRE_PERSONAL_SANITARIO: Dra. Iraola}""",
)
SWEDISH = (
    """Pat {First_Name: Torvald} {Last_Name: Grankvist} {Age: 71} år kom {Full_Date: 2024-02-03}
till {Health_Care_Unit: Avd 12}. Patienten har feber. Ring {Phone_Number: 08-715 22 19}.
Sign {Last_Name: Ekdahl}""",
)
SETS = {"en": "i2b2-2014", "es": "meddocan", "sv": "stockholm-epr"}
TEXTS = {"en": ENGLISH, "es": SPANISH, "sv": SWEDISH}


def written(template: str, language: str = "en", name: str = "n", patient: str = "") -> Annotated:
    """Return a template as a note."""
    own = SETS[language]
    text, marks = Template(template, own).fill(Persona("female", {}), own)
    mentions = tuple(Mention(Span(a, b), label) for a, b, label in marks)
    return Annotated(Document(name, text, Subject(patient) if patient else None), mentions)


def notes(language: str = "en") -> list[Annotated]:
    """Return the invented notes of a language."""
    return [written(t, language, f"{language}-{i}") for i, t in enumerate(TEXTS[language])]


def any_note() -> st.SearchStrategy[Annotated]:
    """Any of the English notes."""
    return st.sampled_from(notes())


def marked(note: Annotated) -> list[tuple[str, str]]:
    """Return each mention's label and words."""
    text = note.document.text
    return [(m.label, text[m.span.start : m.span.end]) for m in note.mentions]
