"""Messages of HL7 version 2 in a note: what stands where is laid down, so no word has to be known.

Source: Health Level Seven, version 2.5.1, chapters 2, 3, 4, 6, 7, 9, 10, 11 and 15, for the
fields; a name is one mention with the strokes between its parts, as annotators of such notes mark
it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox

SEGMENT = re.compile(r"^[ \t>]*(?P<name>[A-Z][A-Z0-9]{2})\|", re.MULTILINE)
HEADS = ("MSH|", "PID|")  # without one of them a line with strokes is a table
STAMP = re.compile(r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
BOX = re.compile(r"(?:P\.?[ ]?O\.?[ ]?)?BOX\b|R\.?R\.?[ ]?\d", re.IGNORECASE)
SUFFIX = re.compile(r"(?:JR|SR|II|III|IV)\.?", re.IGNORECASE)
NOBODY = frozenset({"same", "self", "unknown", "none"})  # written where a name or street goes
KINDS = {"SS": "SSN", "DL": "LICENSE", "NRIC": "SSN", "SSN": "SSN"}  # of numbers of a patient
SOCIAL_DIGITS = 9
SCORE = 0.95
SOURCE = "hl7"

Part = tuple[int, str]  # where it begins, and its text
Found = Iterator[tuple[int, int, str]]


@dataclass(frozen=True, slots=True)
class Settings:
    """Nothing is to be set."""


def build(_: Settings, __: Toolbox) -> Hl7:
    """Make the detector."""
    return Hl7()


@dataclass(frozen=True, slots=True)
class Hl7:
    """Finds what the fields of a message's segments name."""

    labels: frozenset[str] = frozenset(
        [
            "ACCOUNT",
            "CITY",
            "COUNTRY",
            "DATE",
            "DOCTOR",
            "HEALTHPLAN",
            "HOSPITAL",
            "IDNUM",
            "LICENSE",
            "LOCATION-OTHER",
            "MEDICALRECORD",
            "ORGANIZATION",
            "PATIENT",
            "PHONE",
            "SSN",
            "STATE",
            "STREET",
            "USERNAME",
            "ZIP",
        ]
    )

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the segments of each note say."""
        return [
            tuple(_find(note.text)) if any(head in note.text for head in HEADS) else ()
            for note in notes
        ]


def _find(text: str) -> Iterator[Mention]:
    for match in SEGMENT.finditer(text):
        fields = FIELDS.get(match["name"])
        if fields is None:
            continue
        end = text.find("\n", match.start())
        line = text[match.start("name") : end if end >= 0 else None]
        parts = _split(match.start("name"), line, "|")
        first = 1 if match["name"] == "MSH" else 0  # its first field is the stroke itself
        for number, part in enumerate(parts):
            read = fields.get(number + first)
            if read is not None and part[1].strip():
                for start, stop, label in read(part):
                    yield Mention(Span(start, stop), label, SCORE, SOURCE)


def _split(start: int, text: str, mark: str) -> list[Part]:
    parts = []
    for piece in text.split(mark):
        parts.append((start, piece))
        start += len(piece) + len(mark)
    return parts


def _trimmed(part: Part, label: str) -> Found:
    at, text = part
    own = text.strip()
    if own and any(map(str.isalnum, own)):
        start = at + text.index(own)
        yield start, start + len(own), label


def _first(label: str) -> Callable[[Part], Found]:
    return lambda part: _trimmed(_split(*part, "^")[0], label)


def _number(label: str) -> Callable[[Part], Found]:
    """Read a number, if there is a figure in it."""

    def read(part: Part) -> Found:
        first = _split(*part, "^")[0]
        if any(map(str.isdigit, first[1])):
            yield from _trimmed(first, label)

    return read


def _day(part: Part) -> Found:
    stamp = STAMP.match(part[1].lstrip("^"))
    if stamp:
        start = part[0] + len(part[1]) - len(part[1].lstrip("^"))
        yield start, start + stamp.end(), "DATE"


def _name(label: str, first: int = 0) -> Callable[[Part], Found]:
    """Read each repetition: family, given and middle name and a suffix from a component on."""

    def read(part: Part) -> Found:
        for one in _split(*part, "~"):
            named = _split(*one, "^")[first : first + 4]
            if len(named) > 3 and not SUFFIX.fullmatch(named[3][1].strip()):  # noqa: PLR2004
                named.pop()
            while named and not any(map(str.isalpha, named[-1][1])):
                named.pop()
            if named and len(named[0][1].strip()) > 1 and named[0][1].lower() not in NOBODY:
                (start, _), (last, text) = named[0], named[-1]
                yield start, last + len(text.rstrip()), label

    return read


def _clinician(part: Part) -> Found:
    """Read a number and a name; or the name alone, where no number stands before it."""
    for one in _split(*part, "~"):
        first = _split(*one, "^")[0]
        if any(map(str.isdigit, first[1])):
            yield from _trimmed(first, "IDNUM")
        has_number = not first[1].strip() or any(map(str.isdigit, first[1]))
        yield from _name("DOCTOR", 1 if has_number else 0)(one)


def _social(part: Part) -> Found:
    """Read a social security number; a shorter one beside it is an account's."""
    is_social = sum(map(str.isdigit, part[1])) == SOCIAL_DIGITS
    return _number("SSN" if is_social else "ACCOUNT")(part)


def _patient_numbers(part: Part) -> Found:
    for one in _split(*part, "~"):
        parts = _split(*one, "^")
        kinds = {text.strip().upper() for _, text in parts[3:]}
        label = next((KINDS[kind] for kind in sorted(kinds) if kind in KINDS), "MEDICALRECORD")
        if any(map(str.isdigit, parts[0][1])):
            yield from _trimmed(parts[0], label)


def _address(part: Part) -> Found:
    for one in _split(*part, "~"):
        parts = _split(*one, "^")
        labels = ("STREET", "", "CITY", "STATE", "ZIP", "COUNTRY")
        for place, label in zip(parts, labels, strict=False):
            if label == "STREET" and BOX.match(place[1].strip()):
                yield from _trimmed(place, "LOCATION-OTHER")
            elif label and (label != "STREET" or any(map(str.isdigit, place[1]))):
                yield from _trimmed(place, label)


def _telephone(part: Part) -> Found:
    """Read the whole number, or area and number in components of their own."""
    for one in _split(*part, "~"):
        parts = _split(*one, "^")
        whole = parts[0]
        if any(map(str.isdigit, whole[1])):
            yield from _trimmed(whole, "PHONE")
        elif len(parts) > 6 and parts[6][1].strip().isdigit():  # noqa: PLR2004 - as laid down
            start = parts[5][0] if parts[5][1].strip() else parts[6][0]
            yield start, parts[6][0] + len(parts[6][1].rstrip()), "PHONE"


def _sender(part: Part) -> Found:
    """Read who took or entered it: a log-in, or a clinician with parts."""
    if "^" in part[1]:
        yield from _clinician(part)
    elif STAMP.match(part[1]):
        yield from _day(part)
    else:
        yield from _trimmed(part, "USERNAME")


def _unit(part: Part) -> Found:
    """Read the facility behind point of care, room and bed."""
    parts = _split(*part, "^")
    if len(parts) > 3:  # noqa: PLR2004 - as laid down
        yield from _trimmed(parts[3], "HOSPITAL")


Read = Callable[[Part], Found]
PERSON, PLACE = _name("PATIENT"), _first("HOSPITAL")
NUMBER, PLAN = _number("IDNUM"), _number("HEALTHPLAN")
FIELDS: Mapping[str, Mapping[int, Read]] = MappingProxyType(
    {
        "MSH": {4: PLACE, 6: PLACE, 7: _day, 10: NUMBER},
        "EVN": {2: _day, 5: _sender, 6: _day},
        "PID": {
            3: _patient_numbers,
            4: NUMBER,
            5: PERSON,
            6: PERSON,
            7: _day,
            9: PERSON,
            11: _address,
            13: _telephone,
            14: _telephone,
            18: _number("ACCOUNT"),
            19: _social,
            20: _number("LICENSE"),
            29: _day,
        },
        "PD1": {4: _clinician},
        "NK1": {2: PERSON, 4: _address, 5: _telephone, 6: _telephone},
        "MRG": {1: _patient_numbers, 3: _number("ACCOUNT"), 4: NUMBER, 7: PERSON},
        "PV1": {
            3: _unit,
            7: _clinician,
            8: _clinician,
            9: _clinician,
            17: _clinician,
            19: NUMBER,
            44: _day,
            45: _day,
            52: _clinician,
        },
        "PV2": {8: _day, 9: _day},
        "ROL": {4: _clinician, 5: _day, 6: _day},
        "GT1": {3: PERSON, 5: _address, 6: _telephone, 7: _telephone, 8: _day, 12: _social},
        "IN1": {
            5: _address,
            7: _telephone,
            8: PLAN,
            12: _day,
            13: _day,
            16: PERSON,
            18: _day,
            19: _address,
            36: PLAN,
        },
        "AL1": {6: _day},
        "DG1": {5: _day, 16: _clinician},
        "PR1": {5: _day, 8: _clinician, 11: _clinician, 12: _clinician},
        "ORC": {2: NUMBER, 3: NUMBER, 9: _day, 10: _sender, 12: _clinician, 15: _day},
        "OBR": {
            2: NUMBER,
            3: NUMBER,
            7: _day,
            8: _day,
            10: _sender,
            14: _day,
            16: _clinician,
            22: _day,
            28: _clinician,
        },
        "OBX": {14: _day, 16: _clinician},
        "SPM": {2: NUMBER, 17: _day, 18: _day},
        "RXA": {3: _day, 4: _day, 10: _clinician},
        "TXA": {
            4: _day,
            5: _clinician,
            6: _day,
            7: _day,
            8: _day,
            9: _clinician,
            10: _clinician,
            11: _sender,
            12: NUMBER,
            13: NUMBER,
            14: NUMBER,
            15: NUMBER,
            22: _clinician,
        },
        "SCH": {
            1: NUMBER,
            2: NUMBER,
            12: _clinician,
            13: _telephone,
            14: _address,
            16: _clinician,
            17: _telephone,
            18: _address,
            20: _sender,
            21: _telephone,
        },
        "AIS": {4: _day},
        "AIP": {3: _clinician, 6: _day},
        "PRD": {2: _name("DOCTOR"), 3: _address, 5: _telephone, 7: NUMBER},
        "CTD": {3: _address, 5: _telephone},
    }
)
