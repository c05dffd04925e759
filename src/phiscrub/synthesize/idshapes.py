"""Numbers in other shapes: codes as other hospitals give them, telephones as others dial."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from phiscrub.core.mention import Annotated
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import DIGIT, number
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, edited
from phiscrub.synthesize.templates import read_table

CODES = frozenset(
    {"MEDICALRECORD", "IDNUM", "ACCOUNT", "HEALTHPLAN", "LICENSE", "DEVICE", "VEHICLE", "BIOID"}
)
PHONES = frozenset({"PHONE", "FAX"})
CODE = re.compile(r"(?=[A-Z0-9./-]*\d[A-Z0-9./-]*\d)[A-Z0-9][A-Z0-9./-]*[A-Z0-9]")
DIAL = re.compile(r"\+?[(\d][\d ().-]+\d")
SLOT = re.compile(r"[#NT]")
FIT = {"#": "0123456789", "N": "23456789", "T": "0"}
LETTERS = "ABCDEFGHJKLMNPRSTUVW"


@dataclass(frozen=True, slots=True)
class IdShapes:
    """Gives codes and telephone numbers other shapes, one code the same all through a note.

    In a shape `#` is a digit and `@` a letter, `N` a digit with which an American area begins and
    `T` the 0 in front of a British one. Telephone numbers keep their digits; codes get
    others, whose checksums fail as those of surrogates do. `rate` is the chance that a note's
    numbers change.
    """

    hubs: Mapping[str, str]
    codes: Sequence[str]
    phones: Sequence[str]
    rate: float = 0.5

    @classmethod
    def of(cls, language: str, hubs: Mapping[str, str]) -> IdShapes:
        """Load the shapes of a language."""
        forms = read_table(language, "forms")
        return cls(hubs, forms["codes"], forms["phones"])

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with its numbers in other shapes."""
        if not draw.happens(self.rate):
            return note
        text, edges = note.document.text, Edges.of(note)
        known: dict[str, str] = {}
        style = draw.choice(self.codes), draw.choice(self.phones)
        edits = []
        for mention in note.mentions:
            start, end = mention.span.start, mention.span.end
            words, hub = text[start:end], self.hubs.get(mention.label, "")
            glued = text[start - 1 : start].isalnum() or text[end : end + 1].isalnum()
            if glued or edges.crossed(start, end):
                continue
            if words not in known and hub in CODES and CODE.fullmatch(words):
                shape = style[0] if draw.happens(0.5) else draw.choice(self.codes)
                known[words] = _code(shape, draw)
            elif words not in known and hub in PHONES and DIAL.fullmatch(words):
                shape = style[1] if draw.happens(0.5) else draw.choice(self.phones)
                known[words] = _dialled(words, shape)
            if hub in CODES | PHONES and known.get(words, words) != words:
                edits.append(Edit(start, end, known[words]))
        return edited(note, edits)


def _code(shape: str, draw: Draw) -> str:
    signs = [
        str(draw.below(9) + 1) if c == "#" else draw.choice(LETTERS) if c == "@" else c
        for c in shape
    ]
    return number("".join(signs), Key(b"shape").narrow(str(draw.below(1 << 32))))


def _dialled(words: str, shape: str) -> str:
    """Return the digits in another shape, as they are where they do not fit."""
    digits, slots = DIGIT.findall(words), SLOT.findall(shape)
    fits = len(digits) == len(slots) and words.startswith("+") == shape.startswith("+")
    if not fits or any(d not in FIT[slot] for d, slot in zip(digits, slots, strict=True)):
        return words
    left = iter(digits)
    return SLOT.sub(lambda _: next(left), shape)
