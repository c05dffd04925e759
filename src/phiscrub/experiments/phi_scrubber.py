"""The PHI scrubber: BiLSTM-CNN, ID-CNN, patterns and the disambiguation of medical terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from phiscrub.core.document import Document
from phiscrub.core.labels import HUB
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Sides, joined
from phiscrub.experiments.days import DATE, with_days
from phiscrub.experiments.figures import figures
from phiscrub.experiments.paper import Page
from phiscrub.experiments.samples import samples_by
from phiscrub.experiments.scrubber_tables import IDENTIFIERS, page_of
from phiscrub.experiments.step import Result, Results, Step, Tick
from phiscrub.lexicons.terms import terms_of
from phiscrub.pipeline.load import Declaration, build
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.medical import Medical, Settings
from phiscrub.refine.medical import build as build_medical
from phiscrub.refine.medical_terms import ROLES
from phiscrub.train.corpus import Corpus
from phiscrub.train.rules import rules_digest

TITLE = "The PHI scrubber: two networks, patterns and medical terms"
LABELS = ""
SIDED = True
EXTRA = 1
DIFFERS = (
    "Both networks are trained on CPU or GPU as they come; the paper's times are of a GTX 1080.",
    "GloVe's and Lample's vectors are used where --vectors gives vectors, and learnt with the "
    "networks otherwise.",
    "Where the corpus marks no dates, the networks of the pipeline learn from the second corpus' "
    "training notes too, their labels renamed to OntoNotes'; English rules mark the corpus' own "
    "dates, which would teach them to be none.",
)
ONTONOTES = "ontonotes-5"
CORPUS = "OntoNotes 5"
NOTES = "the clinical notes that the paper's pipeline is meant for"
BILSTM, IDCNN = "BiLSTM-CNN", "ID-CNN"
RECIPES = {BILSTM: "phi-scrubber-bilstm-cnn", IDCNN: "phi-scrubber-idcnn"}
PATTERNS = "patterns"
PARTS = (BILSTM, IDCNN, PATTERNS)
HELD_OUT = 0.1
ONE = "one model for all"
PACKS = ("en/contact", "en/ids", "en/ages")
CALLED = {"PERSON": "PATIENT", "GPE": "CITY", "LOC": "LOCATION-OTHER", "FAC": "LOCATION-OTHER"}
FREED = (*dict.fromkeys(CALLED.values()), DATE)  # labels of which medical terms are no mention
NUMBERS = (
    *("PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT"),
    *("LICENSE", "VEHICLE", "DEVICE", "IDNUM", "AGE"),
)
FAIRLY = 0.9  # how sure a network is of an invented mention
# The paper's reasons, and words that look alike: why, a sentence, and its words.
REASONS = (
    ("a misspelt term, one letter off", "Started on metforminn for glucose.", "metforminn"),
    ("an abbreviation, exact", "The MRI was normal.", "MRI"),
    ("a drug-name stem", "Was given xantopristone at night.", "xantopristone"),
    ("a name, no term", "Was seen with Whitfield at night.", "Whitfield"),
    ("a name behind a title", "Seen by Dr. Parkinson in clinic.", "Parkinson"),
)
RULES = {"use": PATTERNS, "packs": list(PACKS), "only": list(NUMBERS)}


def roles(bench: Bench) -> tuple[str, ...]:
    """Say which notes stand in for which."""
    return bench.played(CORPUS, NOTES)


def protocol(bench: Bench) -> tuple[Step, ...]:
    """Both networks on the corpus; on a second one of notes, the pipeline and one model for all."""
    train, dev = bench.data.held_out(HELD_OUT)
    steps = [
        bench.train(name, recipe, train, dev, bench.data.test, vectors=bench.vectors)
        for name, recipe in RECIPES.items()
    ]
    if bench.extra:
        other = bench.extra[0].recast(HUB)
        models = {name: name for name in RECIPES}
        if DATE not in bench.data.recast(ONTONOTES).whole.labels:
            models = {name: f"{name}, with dates" for name in RECIPES}
            steps += _with_dates(bench, other, models)
        steps += [_pipeline(bench, other, models), _disambiguation(bench, other, models)]
        few, held = other.held_out(HELD_OUT)
        steps.append(
            bench.train(ONE, RECIPES[IDCNN], few, held, other.test, language=other.language)
        )
    return tuple(steps)


def page(bench: Bench, done: Results) -> Page:
    """Return the tables."""
    dictionary = (
        "The paper's medical dictionary has 100,000 terms; phiscrub's own open lists, which stand "
        f"in, have {terms():,}."
    )
    return page_of(bench, done, (*DIFFERS, dictionary))


def terms() -> int:
    """Count the medical terms that ship."""
    folder = resources.files("phiscrub") / "data" / "lexicons" / "medical"
    files = [file for file in folder.iterdir() if file.name.endswith(".txt")]
    lists = [file for file in files if file.name.removesuffix(".txt") not in ROLES]
    return len({term for file in lists for term in terms_of(file)})


def _with_dates(bench: Bench, other: Sides, models: Mapping[str, str]) -> list[Step]:
    """Return the steps that train both networks on the corpus, its dates marked, and on notes."""
    train, dev = map(with_days, bench.data.recast(ONTONOTES).held_out(HELD_OUT))
    notes = other.recast(ONTONOTES)
    few, held = notes.held_out(HELD_OUT)
    both = joined(train, few, f"{train.name} + {few.name}")
    judge = joined(dev, held, f"{dev.name} + {held.name}")
    return [
        bench.train(name, RECIPES[network], both, judge, notes.test, vectors=bench.vectors)
        for network, name in models.items()
    ]


def scrubber(bilstm: Path, idcnn: Path, language: str, *, disambiguates: bool = True) -> Pipeline:
    """Build the paper's pipeline from the folders of two models with OntoNotes' labels.

    Names come from both networks, places and dates from the ID-CNN, the rest from patterns;
    medical terms lose their label, unless `disambiguates` is false.
    """
    common = {"use": "neural", "label_set": ONTONOTES}
    detectors = (
        {**common, "model": str(bilstm.resolve()), "only": ["PERSON"], "map": CALLED},
        {**common, "model": str(idcnn.resolve()), "only": [*CALLED, DATE], "map": CALLED},
        RULES,
    )
    return build(
        Declaration(
            language,
            detectors,
            policy="safe-harbor",
            tokenizer={"use": "treebank"},
            refiner=({"use": "medical", "labels": FREED},) if disambiguates else (),
        )
    )


def _pipeline(bench: Bench, other: Sides, models: Mapping[str, str]) -> Step:
    """Return the step that runs the pipeline on notes, with disambiguation and without."""
    folders = [bench.model(models[name]) for name in RECIPES]
    language = bench.data.language

    def work(done: Results, tick: Tick) -> Result:
        del done
        told: dict[str, Any] = {}
        for name, disambiguates in (("with", True), ("without", False)):
            tick(f"{name} disambiguation")
            made = scrubber(folders[0], folders[1], language, disambiguates=disambiguates)
            told[name] = figures(samples_by(made, other.test.notes), HUB)
        tick("who found what")
        made = scrubber(folders[0], folders[1], language)
        told["identifiers"] = _by_part(made, other.test)
        told["examples"] = [_example(made, row.example, row.words) for row in IDENTIFIERS]
        return told

    rows = [(row.name, row.labels, row.example) for row in IDENTIFIERS]
    rules, (_, terms) = rules_digest([RULES], language), _terms(language)
    told = bench.told(other.test, identifiers=rows, rules=rules, terms=terms)
    return Step("pipeline", "pipeline", told, work, tuple(models.values()))


def _terms(language: str) -> tuple[Medical, str]:
    """Return the refiner that frees medical terms, and a hash of what it reads."""
    shelf = Shelf(language, None)
    return build_medical(Settings(FREED), shelf), shelf.digest


def _disambiguation(bench: Bench, other: Sides, models: Mapping[str, str]) -> Step:
    """Return the step that counts what loses its label as a medical term, and shows why."""
    folders = [bench.model(models[name]) for name in RECIPES]
    language = bench.data.language
    medical, terms = _terms(language)

    def work(done: Results, tick: Tick) -> Result:
        del done
        tick("what is freed")
        made = scrubber(folders[0], folders[1], language, disambiguates=False)
        freed = {label: [0, 0] for label in FREED}
        for own in other.test.notes:
            for mention in _claimed(made, own.document):
                if medical.is_medical(own.document.text, mention):
                    freed[mention.label][0] += 1
                    freed[mention.label][1] += _touches(mention.span, own.mentions)
        return {"freed": freed, "examples": [reasoned(medical, *row) for row in REASONS]}

    told = bench.told(other.test, labels=FREED, examples=REASONS, terms=terms)
    return Step("disambiguation", "pipeline", told, work, tuple(models.values()))


def reasoned(medical: Medical, why: str, text: str, words: str) -> tuple[str, str, bool]:
    """Return an invented sentence and whether its words, found as a name, are a medical term."""
    at = text.index(words)
    found = Mention(Span(at, at + len(words)), CALLED["PERSON"], FAIRLY)
    return why, text, medical.is_medical(text, found)


def _claimed(made: Pipeline, document: Document) -> list[Mention]:
    """Return what the networks found."""
    _, parts = _claims(made, document)
    return [mention for part in RECIPES for mention in parts[part]]


def _by_part(made: Pipeline, corpus: Corpus) -> dict[str, dict[str, int]]:
    """Count an identifier's gold mentions, those that are found at all, and those by each part.

    Found is what shares a character with what is covered in the end, whatever it is called.
    """
    told = {row.name: dict.fromkeys(("gold", "found", *PARTS), 0) for row in IDENTIFIERS}
    names = {label: row.name for row in IDENTIFIERS for label in row.labels}
    for note in corpus.notes:
        cover, claims = _claims(made, note.document)
        for mention in note.mentions:
            if mention.label not in names:
                continue
            row = told[names[mention.label]]
            row["gold"] += 1
            if not _touches(mention.span, cover):
                continue
            row["found"] += 1
            for part, own in claims.items():
                row[part] += _touches(mention.span, own)
    return told


def _example(made: Pipeline, text: str, words: str) -> dict[str, Any]:
    """Return which parts find the words of an invented sentence, and what becomes of it."""
    document = Document("example", text)
    cover, claims = _claims(made, document)
    at = text.index(words)
    span = Span(at, at + len(words))
    found = [part for part, own in claims.items() if _touches(span, own)]
    (redaction,) = made.redact([document])
    return {"found": found if _touches(span, cover) else [], "becomes": redaction.text}


def _claims(made: Pipeline, document: Document) -> tuple[Sequence[Mention], dict[str, Any]]:
    seen = made.explain(document)
    parts = {part: own for part, (_, own) in zip(PARTS, seen.claims, strict=True)}
    return seen.cover.mentions, parts


def _touches(span: Span, mentions: Iterable[Mention]) -> bool:
    return any(span.overlaps(mention.span) for mention in mentions)
