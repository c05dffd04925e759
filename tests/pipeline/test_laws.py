"""The laws of the house, over every pipeline and part that ships."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from types import FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import phiscrub
from phiscrub.combine.ranked import Ranked
from phiscrub.core.contracts import Combiner
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, PhiscrubError
from phiscrub.core.mention import Mention
from phiscrub.core.redaction import Redaction
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.shipped import languages, pipeline_names
from phiscrub.tokenize.clinical import Clinical
from strategies import disjoint_mentions, mentions, texts

NOTE = (
    "NAME: HALVORSEN, GUDRUN E   MRN: 00-41-776   DOB: 02/29/1940\n"
    "Seen by Dr. Lena Ortiz on 3/14/2020. Her son Mark (tel 406-555-0182) called from Boise, ID.\n"
    "82-year-old. BP 120/80. Hx of Parkinson's disease, Foley in place. mark@example.org\n"
)


@pytest.fixture(scope="module", params=pipeline_names())
def pipeline(request: pytest.FixtureRequest) -> Pipeline:
    return load_pipeline(request.param)


def pieces(text: str, count: int, seed: int) -> list[Document]:
    """Cut and shuffle a text into documents, some of them empty."""
    chance = random.Random(seed)
    cuts = sorted(chance.choices(range(len(text) + 1), k=count - 1))
    parts = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return [Document(str(i), part) for i, part in enumerate(parts)]


@pytest.mark.parametrize("seed", range(5))
def test_batching_changes_only_speed(pipeline: Pipeline, seed: int) -> None:
    documents = pieces(NOTE * 3, 9, seed)
    alone = [pipeline.redact([document])[0] for document in documents]
    assert pipeline.redact(documents) == alone
    assert [r.text for r in pipeline.scrub_many(d.text for d in documents)] == [
        r.text for r in alone
    ]


def test_text_between_mentions_is_untouched(pipeline: Pipeline) -> None:
    redaction = pipeline.scrub(NOTE)
    kept = [NOTE[a:b] for a, b in gaps(redaction.cover, len(NOTE))]
    at = 0
    for words in kept:
        at = redaction.text.index(words, at) + len(words)


def gaps(cover: Cover, length: int) -> list[tuple[int, int]]:
    edges = [0, *(edge for m in cover for edge in (m.span.start, m.span.end)), length]
    return list(zip(edges[::2], edges[1::2], strict=True))


def test_offset_maps_lead_there_and_back(pipeline: Pipeline) -> None:
    redaction = pipeline.scrub(NOTE)
    inside = {i for m in redaction.cover for i in range(m.span.start, m.span.end)}
    for offset in set(range(len(NOTE))) - inside:
        there = redaction.to_output(offset)
        assert redaction.text[there] == NOTE[offset]
        assert redaction.to_original(there) == offset


@settings(max_examples=30, deadline=None)
@given(text=texts())
def test_any_text_goes_through(text: str) -> None:
    for name in pipeline_names():
        redaction = _loaded(name).scrub(text, markup=True)
        own = tuple(text[m.span.start : m.span.end] for m in redaction.cover)
        assert Redaction(redaction.document, redaction.cover, own).text == text


@pytest.mark.parametrize("name", ["en", "auto"])
@pytest.mark.parametrize("what", [None, 3, b"Dr. Ortiz", ["Dr. Ortiz"], float("nan")])
def test_what_is_no_string_is_refused_by_its_type_alone(name: str, what: Any) -> None:
    pipeline = phiscrub.load(name, "rules")
    kind = type(what).__name__
    with pytest.raises(TypeError, match=f"the text is no string but of type {kind}; ") as raised:
        pipeline.scrub(what)
    assert isinstance(raised.value, InputError)
    assert "Ortiz" not in str(raised.value)
    with pytest.raises(TypeError, match=f"item 2 is no string but of type {kind}; "):
        list(pipeline.scrub_many(["a", "", what]))
    with pytest.raises(TypeError, match="a text was given for many; give a list"):
        list(pipeline.scrub_many("Dr. Ortiz"))


@pytest.mark.parametrize("name", ["en", "auto"])
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Seen by Dr. <b>L</b>ena Ortiz", "HTML"),
        ("{\\rtf1 Seen by Dr. Lena Ortiz}", "RTF"),
        ("Seen by Dr. O&#39;Brien", "text with HTML's escapes"),
    ],
)
def test_markup_is_refused_unless_it_is_asked_for(name: str, text: str, kind: str) -> None:
    pipeline = phiscrub.load(name, "rules")
    with pytest.raises(InputError, match=f"the text is {kind}, no plain text; .*markup=True") as it:
        pipeline.scrub(text)
    assert "Ortiz" not in str(it.value)
    with pytest.raises(InputError, match=f"item 1 is {kind}, no plain text; "):
        list(pipeline.scrub_many(["BP <120/80>, K < 4", text]))
    asked = [pipeline.scrub(text, markup=True), *pipeline.scrub_many([text], markup=True)]
    assert [one.document.text for one in asked] == [text, text]


_pipelines: dict[str, Pipeline] = {}


def _loaded(name: str) -> Pipeline:
    if name not in _pipelines:
        _pipelines[name] = load_pipeline(name)
    return _pipelines[name]


COMBINERS: list[Combiner] = [
    Ranked(),
    Ranked(first=("DATE",)),
    Ranked(prefer={"PATIENT": ("cues", "patterns:en/contact"), "DATE": ("gold",)}),
]


@pytest.mark.parametrize("combiner", COMBINERS, ids=str)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_cover_does_not_depend_on_the_order_of_claims(
    combiner: Combiner, data: st.DataObject
) -> None:
    text = data.draw(texts(min_size=1))
    claims = data.draw(mentions(len(text)))
    shuffled = data.draw(st.permutations(claims))
    (note,) = Clinical().tokenize([Document("x", text)])
    cover = combiner.combine(note, claims)
    assert combiner.combine(note, shuffled) == cover
    claimed = {i for m in claims for i in range(m.span.start, m.span.end) if text[i].isalnum()}
    found = {i for m in cover for i in range(m.span.start, m.span.end)}
    assert claimed <= found
    assert found <= {i for m in claims for i in range(m.span.start, m.span.end)}


def test_the_same_pipeline_has_the_same_fingerprint_and_another_has_not() -> None:
    assert load_pipeline("en").fingerprint == load_pipeline("en").fingerprint
    other = load_pipeline("en", output_labels="hipaa").fingerprint
    assert other != load_pipeline("en").fingerprint


def test_no_text_in_reprs(pipeline: Pipeline) -> None:
    redaction = pipeline.scrub(NOTE)
    explanation = pipeline.explain(Document("x", NOTE))
    for value in (pipeline, redaction, explanation, redaction.to_output, redaction.output):
        for words in ("HALVORSEN", "Ortiz", "Mark", "0182", "00-41-776"):
            assert words.casefold() not in repr(value).casefold()


@pytest.mark.parametrize("language", languages())
def test_no_part_tells_what_it_remembers(language: str) -> None:
    pipeline = load_pipeline(language, "safe", replacer={"use": "surrogates"})
    pipeline.scrub(NOTE + "Seen by Dr. Zygqwa Kwizbach, lives in Vexlorp. zygqwa\n")
    told = {id(one): repr(one) for one in _within(pipeline)}
    assert len(told) > len(pipeline.detectors) + len(pipeline.refiners)
    for words in ("halvorsen", "zygqwa", "kwizbach", "vexlorp"):
        assert not [text[:80] for text in told.values() if words in text.casefold()]


def _within(pipeline: Pipeline) -> Iterator[object]:
    """Yield everything of ours that the pipeline holds, however deep."""
    met: dict[int, object] = {}
    left: list[object] = [pipeline]
    while left:
        one = left.pop()
        if id(one) in met or isinstance(one, (type, ModuleType)):
            continue
        met[id(one)] = one
        if isinstance(one, FunctionType):
            left += [cell.cell_contents for cell in one.__closure__ or ()]
            continue
        left += [other for other in gc.get_referents(one) if not isinstance(other, (str, int))]
        if type(one).__module__.startswith("phiscrub."):
            yield one


def test_the_docstring_of_load_holds() -> None:
    redaction = phiscrub.load("en").scrub("Seen by Dr. Lena Ortiz on 3/14.")
    assert redaction.text in str(phiscrub.load.__doc__)


def test_paths_start_from_the_pipeline_file(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("own")
    pack = resources.files("phiscrub") / "data" / "packs" / "en" / "contact" / "pack.toml"
    (folder / "pack").mkdir()
    (folder / "pack" / "pack.toml").write_text(pack.read_text("utf-8"), "utf-8")
    terms = resources.files("phiscrub") / "data" / "packs" / "en" / "contact" / "terms"
    if terms.is_dir():
        (folder / "pack" / "terms").mkdir()
        for file in terms.iterdir():
            (folder / "pack" / "terms" / file.name).write_text(file.read_text("utf-8"), "utf-8")
    own = folder / "own.toml"
    own.write_text('language = "en"\n[[detector]]\nuse = "patterns"\npacks = ["./pack"]\n')
    assert "[EMAIL" in load_pipeline(str(own)).scrub("Write to ann@example.org.").text


def test_a_detector_can_be_heard_for_some_labels_only() -> None:
    table = {"use": "patterns", "packs": ["en/contact"], "only": ["EMAIL"], "map": {"EMAIL": "URL"}}
    pipeline = load_pipeline("en", detector=(table,), refiner=())
    found = pipeline.scrub("ann@example.org, tel 406-555-0182").cover.mentions
    assert [m.label for m in found] == ["URL"]


@pytest.mark.parametrize(
    "change",
    [
        {"detector": ({"packs": ["en/contact"]},)},
        {"combiner": {"use": "ranked", "last": ["DATE"]}},
        {"tokenizer": {"use": "words"}},
        {"tokenizer": {"use": "clinical", "size": 3}},
        {"output_labels": "klingon"},
    ],
)
def test_what_does_not_fit_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(PhiscrubError):
        load_pipeline("en", **change)


@settings(max_examples=50, deadline=None)
@given(data=st.data())
def test_ranked_leaves_a_cover_as_it_is(data: st.DataObject) -> None:
    text = data.draw(texts(min_size=1))
    claims = data.draw(disjoint_mentions(len(text)))
    (note,) = Clinical().tokenize([Document("x", text)])
    assert Ranked().combine(note, claims) == Cover.of(claims)


def test_the_stronger_claim_wins_and_the_rest_of_the_other_stays_covered() -> None:
    text = "Ann Lee Hospital"
    (note,) = Clinical().tokenize([Document("x", text)])
    strong = Mention(next(iter(note.tokens)), "PATIENT", 0.9, "a")
    weak = replace(strong, span=type(strong.span)(0, len(text)), label="HOSPITAL", score=0.5)
    cover = Ranked().combine(note, [weak, strong])
    words = [(text[m.span.start : m.span.end], m.label) for m in cover]
    assert words == [("Ann", "PATIENT"), ("Lee Hospital", "HOSPITAL")]
