"""Shweta et al. 2017: Elman and Jordan networks by word vectors, and a CRF, by category."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from phiscrub.core.document import Document
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.embeddings.training import Training
from phiscrub.experiments import vectors
from phiscrub.experiments.bench import Bench, rules_for
from phiscrub.experiments.figures import EVERY, f1, triple
from phiscrub.experiments.paper import Page
from phiscrub.experiments.stand_ins import stand_ins
from phiscrub.experiments.step import Result, Results, Step, Tick
from phiscrub.experiments.table import Cell, Table, side_by_side
from phiscrub.pipeline.load import load_pipeline
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.reading import tag

TITLE = "Shweta et al. 2017: recurrent networks against a CRF"
LABELS = "i2b2-2014"
SIDED = True
EXTRA = 0
DIFFERS = (
    "The paper learns CBOW and RNNLM vectors from text of its own choice; ours are learnt from "
    "the training notes, and from --text where that is given.",
    "A tenth of the training notes is held out to choose the epoch by, as in the paper; a CRF "
    "stops by the same notes.",
)
CORPUS = "the 2014 i2b2 notes"
HELD_OUT = 0.1
ELMAN, JORDAN, CRF = "shweta2017-elman", "shweta2017-jordan", "shweta2017-crf"
NETWORKS = MappingProxyType({"Elman": ELMAN, "Jordan": JORDAN})
RANDOM, RNNLM, CBOW, GIVEN = "random", "RNNLM", "CBOW", "given"
LEARNT = MappingProxyType({RNNLM: ("rnnlm", 80), CBOW: ("cbow", 300)})  # algorithm, dimensions
TOKENIZER = "clinical"

# Entity level, micro: P, R, F1 in per cent.
PAPER = MappingProxyType(
    {
        "CRF": (94.89, 89.28, 91.99),
        "Elman": (97.09, 90.52, 93.68),
        "Jordan": (97.26, 90.67, 93.84),
        "best of the challenge (Nottingham)": (None, None, 93.60),
    }
)
PAPER_VECTORS = MappingProxyType({RANDOM: 89.62, RNNLM: 90.98, CBOW: 93.68})
PAPER_CATEGORIES = MappingProxyType(
    {
        "NAME": (96.39, 96.88, 97.08),
        "PROFESSION": (72.18, 78.02, 78.82),
        "LOCATION": (85.87, 91.76, 91.84),
        "AGE": (94.18, 95.33, 95.37),
        "DATE": (96.57, 95.98, 96.92),
        "CONTACT": (96.01, 96.57, 95.42),
        "ID": (98.10, 95.73, 96.01),
    }
)
# A note, the words that are looked at, and the category that is right for them; "" for none.
HARD = (
    ("MR # 3041023MARY JONES was seen today.", "3041023", "ID"),
    ("MR # 3041023MARY JONES was seen today.", "MARY", "NAME"),
    ("Dialysis MWFS at the unit, tolerated well.", "MWFS", "DATE"),
    ("Patient is a 50 yo m with chest pain.", "50", "AGE"),
    ("55 YO MALE WITH SHORTNESS OF BREATH.", "55", "AGE"),
    ("She is in her 30s and works nights.", "30s", "AGE"),
    ("He emigrated in the 30s with his parents.", "30s", "DATE"),
    ("Seen by Dr. Brown in clinic.", "Brown", "NAME"),
    ("Brown discharge noted at the wound.", "Brown", ""),
)


def roles(bench: Bench) -> tuple[str, ...]:
    """Say which notes stand in for which."""
    return bench.played(CORPUS)


def protocol(bench: Bench) -> tuple[Step, ...]:
    """Vectors; both networks on each; the CRF; the hard cases."""
    train, dev = bench.data.held_out(HELD_OUT)
    test = bench.data.test
    spelling, text = vectors.Spelling(TOKENIZER, lower=True), vectors.training_text(bench)
    steps = [
        vectors.learnt(bench, f"vectors {name}", Training(how, size), spelling, text)
        for name, (how, size) in LEARNT.items()
    ]
    steps.append(bench.train("CRF", CRF, train, dev, test))
    for network, recipe in NETWORKS.items():
        for name in kinds(bench):
            file = file_of(bench, name)
            needs = (f"vectors {name}",) if name in LEARNT else ()
            own = f"{network}, {name}"
            steps.append(bench.train(own, recipe, train, dev, test, vectors=file, needs=needs))
    trained = tuple(step.name for step in steps if step.kind == "train")
    told = bench.told(
        cases=[list(case) for case in HARD],
        language=bench.data.language,
        rules=load_pipeline(rules_for("en")).fingerprint,
    )
    steps.append(Step("hard cases", "pipeline", told, _hard(bench, trained), trained))
    return tuple(steps)


def kinds(bench: Bench) -> tuple[str, ...]:
    """Return the vectors that are compared: the paper's three, and the user's."""
    return (RANDOM, *LEARNT, *([GIVEN] if bench.vectors is not None else []))


def file_of(bench: Bench, name: str) -> Path | None:
    """Return the file of vectors of a kind, None for random ones."""
    if name in LEARNT:
        return vectors.file_of(bench, f"vectors {name}")
    return bench.vectors if name == GIVEN else None


def page(bench: Bench, done: Results) -> Page:
    """Return the tables: all, by vectors, by category, and the hard cases."""
    best = {network: best_of(bench, done, network) for network in NETWORKS}
    rows: dict[tuple[str, ...], tuple[Sequence[Cell] | None, Sequence[Cell] | None]] = {}
    for system, paper in PAPER.items():
        own = done.get(best.get(system, system))
        told = triple(own["mentions"][EVERY]) if own else None
        rows[system,] = tuple(None if v is None else v / 100 for v in paper), told
    overall = side_by_side(
        "Systems (table 3)",
        "Mentions, place and label right, micro, as the i2b2 script counts them. A network stands "
        "with the vectors that were best on the tenth held out: "
        + "; ".join(name for name in best.values() if name),
        ("system",),
        ("P", "R", "F1"),
        rows,
    )
    by_vectors = Table(
        "Word vectors (table 2)",
        "F1 of mentions. The paper's figures are of its Elman network.",
        ("vectors", "paper", *(f"ours, {network}" for network in NETWORKS)),
        tuple(
            (
                name,
                PAPER_VECTORS[name] / 100 if name in PAPER_VECTORS else None,
                *(_whole(done, f"{network}, {name}") for network in NETWORKS),
            )
            for name in kinds(bench)
        ),
        found=tuple(f"ours, {network}" for network in NETWORKS),
    )
    systems = (("CRF", "CRF"), *((network, best[network]) for network in NETWORKS))
    categories = Table(
        "Categories (table 4)",
        "F1 of mentions, place and category right.",
        ("category", *(f"paper {s}" for s, _ in systems), *(f"ours {s}" for s, _ in systems)),
        tuple(
            (
                category,
                *(value / 100 for value in paper),
                *(_of(done, name, category) for _, name in systems),
            )
            for category, paper in PAPER_CATEGORIES.items()
        ),
        found=tuple(f"ours {s}" for s, _ in systems),
    )
    replaced = stand_ins(bench.data.test, done, dict(systems))
    return Page(DIFFERS, (overall, by_vectors, categories, *replaced, *_hard_table(done)))


def best_of(bench: Bench, done: Results, network: str) -> str:
    """Return the step of a network whose vectors were best on the held-out notes, "" for none."""
    names = [f"{network}, {name}" for name in kinds(bench) if f"{network}, {name}" in done]
    return max(names, key=lambda name: (done[name]["judged"] or 0.0, name), default="")


def category_of(mentions: Iterable[Mention], low: int, high: int) -> str:
    """Return the categories of i2b2 mentions that share a character with a stretch, "" for none."""
    known = label_set(LABELS)
    there = {known.category(m.label) for m in mentions if m.span.overlaps(Span(low, high))}
    return " ".join(sorted(there))


def _hard(bench: Bench, trained: Sequence[str]) -> Callable[[Results, Tick], Result]:
    documents = [Document(f"case {at}", text) for at, (text, _, _) in enumerate(HARD)]

    def told(notes: Sequence[Annotated]) -> list[str]:
        places = [(text.index(words), len(words)) for text, words, _ in HARD]
        return [
            category_of(note.mentions, at, at + length)
            for note, (at, length) in zip(notes, places, strict=True)
        ]

    def work(done: Results, tick: Tick) -> Result:
        del done
        bare = [Annotated(document) for document in documents]
        found = {}
        for name in trained:
            tick(name)
            tagger = bench.tagger(name, LABELS)
            found[name] = told(tag(bare, get_tokenizer(TOKENIZER), tagger))
        shipped = load_pipeline(rules_for("en"), output_labels=LABELS)
        found["rules"] = told(shipped.annotate(documents))
        return {"found": found}

    return work


def _hard_table(done: Results) -> tuple[Table, ...]:
    if "hard cases" not in done:
        return ()
    found: Mapping[str, Sequence[str]] = done["hard cases"]["found"]
    rows = tuple(
        (text, words, right or "nothing", *(own[at] or "nothing" for own in found.values()))
        for at, (text, words, right) in enumerate(HARD)
    )
    right = [sum(own[at] == case[2] for at, case in enumerate(HARD)) for own in found.values()]
    return (
        Table(
            "Hard cases (section 5)",
            "Invented sentences after the paper's. They are English: where the notes are not, the "
            "trained systems have no reason to know them.",
            ("note", "words", "right", *found),
            (*rows, ("right in all", "", len(HARD), *right)),
        ),
    )


def _whole(done: Results, name: str) -> float | None:
    return f1(done[name]["mentions"][EVERY]) if name in done else None


def _of(done: Results, name: str, category: str) -> float | None:
    return f1(done[name]["categories"].get(category)) if name in done else None
