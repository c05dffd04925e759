"""Identifiers put where they occur in life: in running text, and in blocks above and below."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.labels import HUB, label_set
from phiscrub.core.mention import Annotated
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, edited
from phiscrub.synthesize.noise import runs_on
from phiscrub.synthesize.templates import Persona, Template, Templates

WHOLE_NAMES = frozenset({"PATIENT", "NOMBRE_SUJETO_ASISTENCIA"})


@dataclass(frozen=True, slots=True)
class Phrases:
    """Puts identifiers into sentences: names, towns, work, relatives, dates."""

    templates: Templates
    labels: str = HUB

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with some of its sentences filled."""
        persona = Persona.of(note, patient_labels(self.labels), draw)
        text, edges = note.document.text, Edges.of(note)
        held = [mention.span for mention in note.mentions]
        edits: list[Edit] = []
        for rule in self.templates.rules:
            taken = 0
            for found in rule.at.finditer(text):
                start, end = found.span()
                near = any(e.start - 1 <= end and start <= e.end + 1 for e in edits)
                inside = any(span.start < end + 1 and start - 1 < span.end for span in held)
                if near or inside or edges.crossed(start, end) or not draw.happens(rule.share):
                    continue
                words, marks = draw.choice(rule.put).fill(persona, self.labels)
                if _runs_into(text, start, end, words):
                    continue
                edits.append(Edit(start, end, words, marks))
                taken += 1
                if taken == rule.most:
                    break
        return edited(note, edits)


@dataclass(frozen=True, slots=True)
class Blocks:
    """Puts a header above a note, a greeting, a signature and a footer, each in some notes.

    The rates are the chances of each.
    """

    templates: Templates
    labels: str = HUB
    header: float = 0.2
    greeting: float = 0.05
    signature: float = 0.15
    footer: float = 0.15

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the note with the blocks that were drawn."""
        persona = Persona.of(note, patient_labels(self.labels), draw)
        own = self.templates
        above = [
            self._filled(some, persona, draw)
            for some, rate in ((own.headers, self.header), (own.greetings, self.greeting))
            if draw.happens(rate)
        ]
        below = [
            self._filled(some, persona, draw)
            for some, rate in ((own.signatures, self.signature), (own.footers, self.footer))
            if draw.happens(rate)
        ]
        end = len(note.document.text)
        for text, marks in above[::-1]:
            note = edited(note, [Edit(0, 0, f"{text}\n\n", marks)])
            end += len(text) + 2
        gap = "\n" if note.document.text.endswith("\n") else "\n\n"
        for text, marks in below:
            moved = tuple((a + len(gap), b + len(gap), label) for a, b, label in marks)
            note = edited(note, [Edit(end, end, f"{gap}{text}", moved)])
            end, gap = end + len(gap) + len(text), "\n\n"
        return note

    def _filled(
        self, templates: tuple[Template, ...], persona: Persona, draw: Draw
    ) -> tuple[str, tuple[tuple[int, int, str], ...]]:
        return draw.choice(templates).fill(persona, self.labels)


def _runs_into(text: str, start: int, end: int, words: str) -> bool:
    """Tell whether words that replace a stretch would be one word with what stands beside it."""
    before, behind = text[start - 1 : start] if start else "", text[end : end + 1]
    return bool(words) and (runs_on(before, words[0]) or runs_on(words[-1], behind))


def patient_labels(labels: str) -> frozenset[str]:
    """Return the labels of a set that mark whole names of patients."""
    return WHOLE_NAMES & set(label_set(labels).labels)
