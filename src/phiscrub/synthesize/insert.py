"""Identifiers put where they occur in life: in running text, and in blocks above and below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.labels import HUB, label_set
from phiscrub.core.mention import Annotated
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Edges, Edit, Mark, edited
from phiscrub.synthesize.noise import runs_on
from phiscrub.synthesize.persona import Persona
from phiscrub.synthesize.templates import Template, Templates

Kinds = Sequence[tuple[Sequence[Template], float]]  # each with its chance


@dataclass(frozen=True, slots=True)
class Phrases:
    """Puts identifiers into sentences: names, towns, work, relatives, dates."""

    templates: Templates
    labels: str = HUB

    def change(self, note: Annotated, draw: Draw, persona: Persona | None = None) -> Annotated:
        """Return the note with some of its sentences filled, by default for its patient."""
        persona = persona or Persona.of(note, self.labels, self.templates.language, draw)
        text, edges = note.document.text, Edges.of(note)
        held = [mention.span for mention in note.mentions]
        hubs = label_set(self.labels).to_hub
        works = any(hubs.get(mention.label) == "PROFESSION" for mention in note.mentions)
        edits: list[Edit] = []
        for rule in self.templates.rules:
            taken, fit = 0, [template for template in rule.put if template.suits(persona)]
            for found in rule.at.finditer(text):
                start, end = found.span()
                near = any(e.start - 1 <= end and start <= e.end + 1 for e in edits)
                inside = any(span.start < end + 1 and start - 1 < span.end for span in held)
                if near or inside or edges.crossed(start, end) or not draw.happens(rule.share):
                    continue
                fit = [template for template in fit if not (works and template.job)]
                if not fit:
                    break
                chosen = draw.choice(fit)
                words, marks = chosen.fill(persona, self.labels)
                if _runs_into(text, start, end, words):
                    continue
                works = works or chosen.job
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

    def change(self, note: Annotated, draw: Draw, persona: Persona | None = None) -> Annotated:
        """Return the note with the blocks that were drawn, by default for its patient."""
        persona = persona or Persona.of(note, self.labels, self.templates.language, draw)
        own = self.templates
        above = self._drawn(
            ((own.headers, self.header), (own.greetings, self.greeting)), persona, draw
        )
        below = self._drawn(
            ((own.signatures, self.signature), (own.footers, self.footer)), persona, draw
        )
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

    def _drawn(
        self, kinds: Kinds, persona: Persona, draw: Draw
    ) -> list[tuple[str, tuple[Mark, ...]]]:
        """Fill a template of each kind that is drawn, of those that suit."""
        fit = [
            [one for one in some if one.suits(persona)]
            for some, rate in kinds
            if draw.happens(rate)
        ]
        return [draw.choice(some).fill(persona, self.labels) for some in fit if some]


def _runs_into(text: str, start: int, end: int, words: str) -> bool:
    """Tell whether words that replace a stretch would be one word with what stands beside it."""
    before, behind = text[start - 1 : start] if start else "", text[end : end + 1]
    return bool(words) and (runs_on(before, words[0]) or runs_on(words[-1], behind))
