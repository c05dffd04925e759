from __future__ import annotations

import pytest

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.detect.tagging.templates import parse_templates
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.architectures import CONTEXTS, parse_traits
from phiscrub.train.fit import features_of
from phiscrub.train.recipe import load_recipe, parse, recipe_names
from training_notes import RECIPE, recipe

CRFS = {"berg-dalianis2019-crf", "kassaie2016-crf", "phiscrub-crf", "shweta2017-crf"}
STACKS = {"phiscrub-stack"}
NETWORKS = {
    "berg-dalianis2019-bilstm",
    "dernoncourt2017",
    "inverse-a",
    "inverse-b",
    "inverse-c",
    "inverse-d",
    "kassaie2016-lstm",
    "phi-scrubber-bilstm-cnn",
    "phi-scrubber-idcnn",
    "phiscrub-tagger",
    "shweta2017-elman",
    "shweta2017-jordan",
}
NEEDS_A_PACKAGE = {"speech", "chunks"}  # part of speech and chunks; lemmas come with [train]


def test_the_list_of_recipes() -> None:
    assert set(recipe_names()) == CRFS | NETWORKS | STACKS


@pytest.mark.parametrize("name", sorted(CRFS))
@pytest.mark.parametrize("language", ["en", "es", "sv", "de"])
def test_every_recipe_can_be_read_off_in_every_language(name: str, language: str) -> None:
    spoken = load_recipe(name).spoken(language).tuned(without=NEEDS_A_PACKAGE)
    templates, traits = features_of(spoken, language)
    assert len(templates) == len(parse_templates(spoken.templates))
    assert traits.word_names
    tools = Shelf(language, None)
    for number, table in enumerate(spoken.detectors):
        assert tools.detector(table, f"detector[{number}]").labels


@pytest.mark.parametrize("name", sorted(NETWORKS))
@pytest.mark.parametrize("language", ["en", "es", "sv", "de"])
def test_every_network_finds_its_traits_in_every_language(name: str, language: str) -> None:
    recipe = load_recipe(name)
    spoken = recipe.spoken(language)
    shown = parse_traits(spoken.templates)
    traits = Traits.of([one.trait for one in shown], Shelf(language, None), spoken.detectors)
    assert len(traits.word_names) + len(traits.note_names) == len(shown)
    assert spoken.stated()["network"]["architecture"] in CONTEXTS
    assert recipe.quick().schedule.epochs <= recipe.schedule.epochs
    assert recipe.stated() != recipe.tuned(without=recipe.features).stated() or not recipe.features


def test_a_language_replaces_groups_and_detectors() -> None:
    text = RECIPE.replace("[training]", 'lists = ["list:packs/{language}/x[0]"]\n[training]')
    text += '[language.xx]\nfeatures.shapes = []\n[[language.xx.detector]]\nuse = "{language}"\n'
    made = recipe(text)
    own, other = made.spoken("xx"), made.spoken("yy")
    assert set(own.features) == {"words", "lists"}
    assert own.features["lists"] == ("list:packs/xx/x[0]",)
    assert own.detectors == ({"use": "xx"},)
    assert set(other.features) == {"words", "shapes", "lists"}
    assert other.detectors == ()
    assert own.spoken("xx") == own


def test_the_stated_recipe_has_all_that_decides() -> None:
    one = recipe()
    assert one.stated() != one.tuned(c1=1.0).stated()
    assert one.stated() != one.tuned(without=["shapes"]).stated()
    assert one.quick().training.max_iterations < one.training.max_iterations


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("kind = ", "sort = "), "'kind' is missing|unknown key"),
        (('"crf"', '"svm"'), "'kind' is 'svm'"),
        (('"BIO"', '"BIX"'), "no tag scheme"),
        (('"sentence"', '"page"'), "'sequence' is 'page'"),
        (("c1 = 0.05", "c1 = -1"), "below 0"),
        (("c1 = 0.05", 'c1 = "much"'), "not a number"),
        (("c1 = 0.05", "c3 = 0.05"), "unknown key 'training.c3'"),
        (('words = ["lower[-2..2]"]', 'words = "lower[0]"'), "not a list"),
        (("[features]", "[features"), "is not TOML"),
    ],
)
def test_a_wrong_recipe_says_where(change: tuple[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault) as caught:
        parse(RECIPE.replace(*change), "tiny", where="tiny.toml")
    assert "tiny.toml" in str(caught.value)


def test_no_such_recipe() -> None:
    with pytest.raises(MissingError, match="no recipe") as caught:
        load_recipe("nothing.toml")
    assert "phiscrub-crf" in caught.value.hint
