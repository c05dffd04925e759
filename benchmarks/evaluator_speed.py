"""How long the evaluator takes on one core: 10,000 documents of 600 tokens with 60 mentions each.

Run: python benchmarks/evaluator_speed.py [--documents N] [--files FOLDER]
Times the pure functions on invented documents in memory; with --files also the command, which
reads two folders of i2b2 XML that are written there first.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from collections.abc import Callable
from pathlib import Path

from phiscrub.cli.evaluate import as_json
from phiscrub.cli.pairing import Missing
from phiscrub.cli.request import Request
from phiscrub.cli.scoring import score
from phiscrub.evaluate import entities, i2b2, masking, meddocan, uncertainty
from phiscrub.evaluate.i2b2 import TaggedText
from phiscrub.evaluate.meddocan import MarkedText
from phiscrub.evaluate.sample import Sample
from phiscrub.formats.i2b2 import Tag

TOKENS, MENTIONS, KEPT = 600, 60, 0.9
SENTENCE = "seen today for cough and pain in the left knee by Dr Lee at Falls City on 04/12/2083"
WORDS = tuple(SENTENCE.split())
KINDS = (
    *(("NAME", "PATIENT"), ("NAME", "DOCTOR"), ("DATE", "DATE"), ("LOCATION", "CITY")),
    *(("ID", "MEDICALRECORD"), ("CONTACT", "PHONE"), ("AGE", "AGE"), ("PROFESSION", "PROFESSION")),
)


def note(seed: int) -> tuple[TaggedText, TaggedText]:
    """Return gold and system of one invented document."""
    chance = random.Random(seed)
    words = chance.choices(WORDS, k=TOKENS)
    starts, at = [], 0
    for word in words:
        starts.append(at)
        at += len(word) + 1
    gold, found = [], []
    for first in sorted(chance.sample(range(TOKENS - 1), MENTIONS)):
        start, end = starts[first], starts[first] + len(words[first])
        element, kind = chance.choice(KINDS)
        gold.append(Tag(element, str(start), str(end), kind, "", 0))
        if chance.random() < KEPT:
            longer = chance.random() > KEPT
            found.append(Tag(element, str(start), str(end + longer), kind, "", 0))
    text = " ".join(words)
    name = f"{seed}-01"
    return TaggedText(name, text, tuple(gold)), TaggedText(name, text, tuple(found))


def marked(text: TaggedText) -> MarkedText:
    """Return what the MEDDOCAN script compares."""
    keys = frozenset((tag.element, tag.start, tag.end, tag.type) for tag in text.tags)
    return MarkedText(text.id, text.text, keys, frozenset(map(text.span, text.tags)))


def sample(gold: TaggedText, found: TaggedText) -> Sample:
    """Return what label-blind measures read."""
    sides = (
        tuple((*side.span(tag), f"{tag.element}/{tag.type}") for tag in side.tags)
        for side in (gold, found)
    )
    return Sample(gold.id, gold.text, *sides)


def xml(text: TaggedText) -> str:
    """Write a document as i2b2 XML."""
    tags = "\n".join(
        f'<{t.element} id="P{n}" start="{t.start}" end="{t.end}" text="" TYPE="{t.type}" />'
        for n, t in enumerate(text.tags)
    )
    return f"<deIdi2b2>\n<TEXT><![CDATA[{text.text}]]></TEXT>\n<TAGS>\n{tags}\n</TAGS>\n</deIdi2b2>"


def groups(label: str) -> tuple[str, ...]:
    """Group as the command does."""
    return masking.hipaa_groups(*label.split("/"))


def timed(name: str, work: Callable[[], object]) -> float:
    """Run and print one step."""
    began = time.process_time()
    work()
    took = time.process_time() - began
    print(f"{name:42} {took:7.2f} s")
    return took


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--files", type=Path)
    options = parser.parse_args()
    pairs = [note(seed) for seed in range(options.documents)]
    places = [(marked(gold), marked(found)) for gold, found in pairs]
    samples = [sample(gold, found) for gold, found in pairs]
    tallies = i2b2.score(pairs[:1])
    total = timed("i2b2, 42 measures", lambda: tallies.update(i2b2.score(pairs)))
    total += timed("MEDDOCAN, 3 measures", lambda: meddocan.score(places))
    total += timed(
        "masking and leaks, by type and category", lambda: masking.measure(samples, groups)
    )
    total += timed("entities by label, exact", lambda: entities.exact(samples))
    strict = tallies["i2b2.strict"]
    total += timed(
        "bootstrap, 2,000 resamples",
        lambda: uncertainty.bootstrap(strict, uncertainty.recall, seed=1),
    )
    print(f"{'all of it':42} {total:7.2f} s")
    if options.files is not None:
        for side, name in enumerate(("gold", "system")):
            (options.files / name).mkdir(parents=True, exist_ok=True)
            for pair in pairs:
                (options.files / name / f"{pair[side].id}.xml").write_text(xml(pair[side]), "utf-8")
        del places, samples, pairs
        request = Request(
            options.files / "gold", options.files / "system", "i2b2", missing=Missing.ERROR
        )
        timed("the command: read, score, JSON", lambda: json.dumps(as_json(score(request))))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MiB")


if __name__ == "__main__":
    main()
