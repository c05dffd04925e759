"""Invented notes to train small models on, and a recipe that trains in a blink."""

from __future__ import annotations

import json
import random
from pathlib import Path

from phiscrub.core.document import Document, Subject
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.train.corpus import Corpus
from phiscrub.train.recipe import Recipe, parse

SURNAMES = ("Ortiz", "Lund", "Okafor", "Meyer", "Silva", "Novak", "Brandt", "Haddad")
PLACES = ("Hillcrest", "Westmoor", "Saint Ada", "Northfield")
REASONS = ("cough", "a fall", "chest pain", "follow-up", "dizziness", "a rash")
RECIPE = """
about = "for tests"
kind = "crf"
scheme = "BIO"
sequence = "sentence"
[features]
words = ["lower[-2..2]"]
shapes = ["short_shape[-1..1]"]
[training]
max_iterations = 40
c1 = 0.05
c2 = 0.05
"""


def recipe(text: str = RECIPE) -> Recipe:
    return parse(text, "tiny", where="tiny.toml")


def note(number: int, rng: random.Random, patient: str = "") -> Annotated:
    text, mentions = "", []

    def say(words: str, label: str = "") -> None:
        nonlocal text
        if label:
            mentions.append(Mention(Span(len(text), len(text) + len(words)), label))
        text += words

    say("Seen by Dr. ")
    say(rng.choice(SURNAMES), "DOCTOR")
    say(f" for {rng.choice(REASONS)} on ")
    say(f"{rng.randint(1, 12):02}/{rng.randint(1, 28):02}/20{rng.randint(10, 24)}", "DATE")
    say(" at ")
    say(rng.choice(PLACES), "HOSPITAL")
    say(f" hospital. {rng.choice(REASONS).capitalize()} since May, no fever.\n")
    subject = Subject(patient) if patient else None
    return Annotated(Document(f"n{number:03}", text, subject), tuple(mentions))


def corpus(number: int, seed: int = 1, first: int = 0, patients: int = 0) -> Corpus:
    rng = random.Random(seed)
    notes = [note(first + i, rng, f"p{i % patients}" if patients else "") for i in range(number)]
    return Corpus(f"seed-{seed}", tuple(notes), "i2b2-2014", "invented")


def write_jsonl(target: Corpus, path: Path) -> Path:
    rows = [
        {
            "id": n.document.id,
            "text": n.document.text,
            "subject": n.document.subject.key if n.document.subject else None,
            "mentions": [
                {"start": m.span.start, "end": m.span.end, "label": m.label} for m in n.mentions
            ],
        }
        for n in target.notes
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path
