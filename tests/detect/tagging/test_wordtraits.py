from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.wordlists import look_up, read_clusters, read_terms
from phiscrub.detect.tagging.wordtraits import PLAIN, word_trait
from phiscrub.pipeline.shelf import Shelf

TOOLS = Shelf("en", None)


@pytest.mark.parametrize(
    ("name", "word", "value"),
    [
        ("word", "López", "López"),
        ("lower", "LÓPEZ", "lópez"),
        ("fold", "LÓPEZ", "lopez"),
        ("prefix:3", "López", "lóp"),
        ("prefix:5", "López", "lópez"),
        ("prefix:6", "López", ""),
        ("suffix:2", "LÓPEZ", "ez"),
        ("shape", "McNeil-3a", "XxXxxx-9x"),
        ("short_shape", "McNeil-34a", "XxXx-9x"),
        ("short_shape", "--", "-"),
        ("classes", "ward", "lower"),
        ("classes", "MGH", "upper"),
        ("classes", "J", "upper"),
        ("classes", "López", "title"),
        ("classes", "McNeil", "mixed"),
        ("classes", "2014", "digits"),
        ("classes", "4W", "alnum"),
        ("classes", "...", "punct"),
        ("classes", "O'Neil", "other"),
        ("letters", "B12", "1"),
        ("letters", "12", ""),
        ("digits", "1234567890", "10+"),
        ("digits", "1" * 15, "15+"),
        ("others", "12/3/14", "2"),
        ("length", "Ann", "3"),
        ("digit_pattern", "Ann", ""),
        ("digit_pattern", "7", "<=12"),
        ("digit_pattern", "07", "0 <=12"),
        ("digit_pattern", "31", "<=31"),
        ("digit_pattern", "88", "<=120"),
        ("digit_pattern", "500", "3 digits"),
        ("digit_pattern", "1987", "year"),
        ("digit_pattern", "0987", "4 digits"),
        ("digit_pattern", "28016", "5 digits"),
        ("digit_pattern", "12/03/2014", "2/2/4"),
        ("digit_pattern", "A12bc", "x2x"),
    ],
)
def test_word_traits(name: str, word: str, value: str) -> None:
    trait = word_trait(name, TOOLS)
    assert trait is not None
    assert trait(word) == value


def test_an_unknown_name_is_no_word_trait() -> None:
    assert word_trait("gap", TOOLS) is None


@pytest.mark.parametrize("name", ["prefix", "suffix:", "suffix:0", "suffix:-1", "prefix:x"])
def test_affixes_need_a_length(name: str) -> None:
    with pytest.raises(SettingsError, match="has no length"):
        word_trait(name, TOOLS)


def test_others_take_no_argument() -> None:
    with pytest.raises(SettingsError, match="takes no argument"):
        word_trait("shape:2", TOOLS)


@given(st.text(min_size=1, max_size=8))
def test_every_word_has_a_value_of_its_own_alone(word: str) -> None:
    for trait in PLAIN.values():
        assert isinstance(trait(word), str)
    assert len(PLAIN["shape"](word)) == len(word)
    counted = [PLAIN[name](word) for name in ("letters", "digits", "others")]
    assert sum(int(value or 0) for value in counted) == len(word)


def test_shipped_lists() -> None:
    listed = word_trait("list:packs/es/people/given_names", TOOLS)
    ranked = word_trait("list:lexicons/en/given", TOOLS)
    assert listed is not None
    assert ranked is not None
    assert [listed("JOSÉ"), listed("jose"), listed("mesa")] == ["yes", "yes", ""]
    assert [ranked("Aaron"), ranked("mesa")] == ["3", ""]


def test_lists_from_a_path(tmp_path: Path) -> None:
    (tmp_path / "wards.txt").write_text("# wards\nÅkern\nLong Ward\n\n", "utf-8")
    tools = Shelf("sv", tmp_path)
    assert list(map(look_up("./wards", tools), ("ÅKERN", "Long"))) == ["yes", ""]
    assert read_terms("./wards", tools) == ("Åkern", "Long Ward")


@pytest.mark.parametrize("name", ["cities", "packs/cities", "shelves/en/cities", "packs/es/"])
def test_what_names_no_list(name: str) -> None:
    with pytest.raises(SettingsError, match="names no word list"):
        read_terms(name, TOOLS)


def test_a_list_that_is_not_there() -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        read_terms("packs/es/people/nothing", TOOLS)


def test_clusters(tmp_path: Path) -> None:
    (tmp_path / "clusters.txt").write_text("0010\tmilk\t7\n0011\tbread\n11\tMilk\n", "utf-8")
    tools = Shelf("en", tmp_path)
    whole, short = word_trait("cluster:./", tools), word_trait("cluster:./:3", tools)
    assert whole is not None
    assert short is not None
    assert [whole("MILK"), whole("wine"), short("bread")] == ["0010", "", "001"]
    assert [whole("Milk"), whole("milk"), short("Milk")] == ["11", "0010", "11"]


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_clusters_that_ship(language: str) -> None:
    clusters = read_clusters(language, Shelf(language, None))
    paths = set(clusters.values())
    assert all(set(path) <= {"0", "1"} for path in paths)
    assert not any(path[:end] in paths for path in paths for end in range(1, len(path)))
    assert clusters["lunes" if language == "es" else "monday"] in paths


def test_clusters_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "clusters.txt").write_text("0010\tmilk\n0011 bread\n", "utf-8")
    with pytest.raises(SettingsError, match="line 2: is no cluster and word"):
        read_clusters("./", Shelf("en", tmp_path))


def test_lemmas() -> None:
    pytest.importorskip("simplemma")
    lemma = word_trait("lemma", Shelf("es", None))
    assert lemma is not None
    assert lemma("Pacientes") == "paciente"
    with pytest.raises(SettingsError, match="no lemmas for language 'xx'"):
        word_trait("lemma:xx", TOOLS)
