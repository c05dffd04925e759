from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import attributes
from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.templates import (
    EDGE,
    Template,
    parse_templates,
    trait_names,
)
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from strategies import texts
from tagging_notes import cut, values

TEMPLATES = ("lower[-1..1]", "gap[0]|shape[1]", "suffix:3[-2]", "nth[0]|lower[0]|word[-1]")


def test_a_range_is_one_template_an_offset() -> None:
    assert [t.name for t in parse_templates(["suffix:3[-1..1]"])] == [
        "suffix:3[-1]",
        "suffix:3[0]",
        "suffix:3[1]",
    ]


def test_a_conjunction_is_one_template() -> None:
    (template,) = parse_templates(["lower[-1] | in:packs/es/places/cities[+2]"])
    assert template == Template((("lower", -1), ("in:packs/es/places/cities", 2)))
    assert template.name == "lower[-1]|in:packs/es/places/cities[2]"


def test_what_is_said_twice_counts_once() -> None:
    templates = parse_templates(["word[0]", "word[-1..0]", "word[0]|lower[0]"])
    assert [t.name for t in templates] == ["word[0]", "word[-1]", "word[0]|lower[0]"]
    assert trait_names(templates) == ("word", "lower")


@pytest.mark.parametrize(
    "text", ["", "word", "word[]", "word[a]", "[0]", "word[0]|", "a b[0]", "word[0", "word[0]x"]
)
def test_what_is_no_template(text: str) -> None:
    with pytest.raises(SettingsError, match="is no template"):
        parse_templates([text])


@pytest.mark.parametrize("text", ["word[1..-1]", "word[21]", "word[-99..0]"])
def test_wrong_offsets(text: str) -> None:
    with pytest.raises(SettingsError, match="wrong offset"):
        parse_templates([text])


def test_no_range_in_a_conjunction() -> None:
    with pytest.raises(SettingsError, match="one template an offset"):
        parse_templates(["word[0]|lower[-1..1]"])


def test_attributes_stop_at_edges_and_where_nothing_is_shown() -> None:
    templates = parse_templates(["lower[-1]", "digit_pattern[0]", "lower[0]|digit_pattern[1]"])
    traits = Traits.of(trait_names(templates), Shelf("en", None))
    frame = Frame.of(cut("Room 12\nBed"), "line")
    assert attributes(frame, traits, templates) == [
        [
            [f"lower[-1]={EDGE}", "lower[0]|digit_pattern[1]=room|<=12"],
            ["lower[-1]=room", "digit_pattern[0]=<=12", f"lower[0]|digit_pattern[1]=12|{EDGE}"],
        ],
        [[f"lower[-1]={EDGE}", f"lower[0]|digit_pattern[1]=bed|{EDGE}"]],
    ]


def test_no_templates_give_empty_rows() -> None:
    frame = Frame.of(cut("Room 12\nBed"), "line")
    assert attributes(frame, Traits.of((), Shelf("en", None)), ()) == [[[], []], [[]]]


@given(st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3))
def test_an_attribute_can_be_read_back(written: list[str]) -> None:
    template = Template(tuple((f"t{i}", 0) for i in range(len(written))))
    attribute = template.attribute(written)
    assert template.values(attribute.removeprefix(f"{template.name}=")) == tuple(written)


@settings(max_examples=40)
@given(st.lists(texts(), max_size=3))
def test_attributes_are_what_the_definition_says(batch: list[str]) -> None:
    templates = parse_templates(TEMPLATES)
    traits = Traits.of(trait_names(templates), Shelf("en", None))
    frame = Frame.of(cut(*batch), "line")
    told = {name: values(column) for name, column in traits.columns(frame).items()}
    bounds = frame.starts.tolist()
    expected = []
    for low, high in pairwise(bounds):
        rows = []
        for at in range(low, high):
            row = []
            for template in templates:
                parts = [
                    told[trait][at + offset] if low <= at + offset < high else EDGE
                    for trait, offset in template.parts
                ]
                row.append(template.attribute(parts))
            rows.append([text for text in row if text])
        expected.append(rows)
    assert attributes(frame, traits, templates) == expected
