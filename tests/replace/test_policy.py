from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.labels import HUB, label_set, label_set_names
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.replace.policed import Policed
from phiscrub.replace.policy import Action, load_policy, policy_names
from phiscrub.replace.shorten import METHODS, Limits, Shortening
from phiscrub.replace.tags import Tags
from strategies import covered, texts

# Census 2000, as HHS's guidance of 26 November 2012 lists them.
RESTRICTED = "036 059 063 102 203 556 692 790 821 823 830 831 878 879 884 890 893".split()  # noqa: SIM905


def under(policy: str, text: str, *mentions: tuple[str, str], labels: str = HUB) -> str:
    """Replace words by tags under a policy; each mention is (label, words), in order."""
    done, found = 0, []
    for label, words in mentions:
        done = text.index(words, done)
        found.append(Mention(Span(done, done + len(words)), label))
        done += len(words)
    policed = Policed(load_policy(policy), Tags(), label_set(labels))
    return policed.replace(Document("n", text), Cover.of(found)).text


def safe(label: str, words: str, text: str = "x {} y") -> str:
    return under("safe-harbor", text.format(words), (label, words))[2:-2]


def test_the_shipped_policies():
    assert policy_names() == ("i2b2", "gdpr", "limited-data-set", "safe-harbor")


@pytest.mark.parametrize("name", policy_names())
def test_each_says_what_it_does_with_every_label_and_why(name):
    policy = load_policy(name)
    assert policy.about
    assert [label for label, _, _ in policy.rows] == list(label_set(HUB).labels)
    assert all(reason and action in set(Action) for _, action, reason in policy.rows)


def test_the_default_removes_all_that_the_guidelines_mark():
    assert {action for _, action, _ in load_policy("i2b2").rows} == {"replace"}


def kept(name: str) -> set[str]:
    return {label for label, action, _ in load_policy(name).rows if action == "keep"}


def test_what_stays():
    assert kept("safe-harbor") == {"PROFESSION", "STATE", "COUNTRY"}
    dates_and_places = {"DATE", "AGE", "CITY", "STATE", "ZIP"}
    assert kept("limited-data-set") == {"PROFESSION", "COUNTRY"} | dates_and_places
    assert kept("gdpr") == set()


def test_the_restricted_zip_codes():
    assert load_policy("safe-harbor").limits.restricted_zips == set(RESTRICTED)


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ("March 14, 2014", "[DATE-1], 2014"),
        ("3/14/2014", "[DATE-1]/2014"),
        ("2014-03-14", "2014-[DATE-1]"),
        ("14 March 2014", "[DATE-1] 2014"),
        ("2014", "2014"),
        ("spring of '98", "[DATE-1] '98"),
        ("3/14/98", "[DATE-1]"),
        ("'14", "[DATE-1]"),  # may be 1914
        ("20140314", "[DATE-1]"),
        ("14 March 1931", "[DATE-1]"),  # over 89 by 2026
        ("Tuesday", "[DATE-1]"),
        ("May 2013 to June 2014", "[DATE-1] 2013 [DATE-2] 2014"),
    ],
)
def test_safe_harbor_leaves_the_year_of_a_date(words, left):
    assert safe("DATE", words) == left


def test_a_year_that_tells_an_age_over_89_goes():
    text = "Born 3/4/1938, seen 5/6/2028, and 1939."
    dates = (("DATE", "3/4/1938"), ("DATE", "5/6/2028"), ("DATE", "1939"))
    assert under("safe-harbor", text, *dates) == "Born [DATE-1], seen [DATE-2]/2028, and 1939."


@pytest.mark.parametrize(
    ("words", "left"),
    [
        *(("87", "87"), ("89", "89"), ("90", "90+"), ("94", "90+"), ("104", "90+")),
        *(("forty-two", "forty-two"), ("ninety-one", "90+"), ("60s", "60s"), ("90s", "90+")),
        *(("nineties", "90+"), ("eighties", "eighties"), ("nonagenarian", "90+")),
        *(("4/12", "4/12"), ("elderly", "[AGE-1]"), ("one hundred and two", "90+")),
        *(("120 days", "120 days"), ("92 y 3 mo", "90+"), ("fifty nine", "fifty nine")),
        *(("noventa y cuatro", "90+"), ("nittiofyra", "90+"), ("92.5", "90+")),
        *(("centenarians", "90+"), ("cuarenta", "[AGE-1]")),
    ],
)
def test_safe_harbor_groups_ages_over_89(words, left):
    assert safe("AGE", words) == left


def test_an_age_in_days_may_be_over_89():
    assert safe("AGE", "95", "x {} days old y") == "95 days old"
    assert safe("AGE", "95", "x {}-year-old y") == "90+-year-old"
    assert safe("AGE", "95", "x {} d/c'd home y") == "90+ d/c'd home"


def test_the_decimals_of_an_age_over_89_are_a_mention_of_their_own():
    text = "x 92.5 and 62.5 y"
    ages = (("AGE", "92"), ("AGE", "5"), ("AGE", "62"), ("AGE", "5"))
    assert under("safe-harbor", text, *ages) == "x 90+.0 and 62.5 y"


@pytest.mark.parametrize(
    ("words", "left"),
    [
        *(("02139", "021"), ("02139-4307", "021"), ("03601", "000"), ("89301", "000")),
        *(("SW1A 1AA", "[ZIP-1]"), ("K1A 0B1", "[ZIP-1]"), ("2139", "[ZIP-1]")),
    ],
)
def test_safe_harbor_cuts_zip_codes(words, left):
    assert safe("ZIP", words) == left


def test_what_stays_is_no_part_of_the_cover():
    text = "Ohio, 44120, May 2014"
    mentions = [(0, 4, "STATE"), (6, 11, "ZIP"), (13, 21, "DATE")]
    cover = Cover.of(Mention(Span(a, b), label, 0.7, "r") for a, b, label in mentions)
    redaction = Policed(load_policy("safe-harbor"), Tags()).replace(Document("n", text), cover)
    assert redaction.cover.mentions == (
        Mention(Span(6, 11), "ZIP", 0.7, "r"),
        Mention(Span(13, 16), "DATE", 0.7, "r"),
    )
    assert redaction.text == "Ohio, 441, [DATE-1] 2014"


def test_labels_of_another_set_are_translated():
    text = "en Madrid, España, 12/03/2011, mujer"
    mentions = (("TERRITORIO", "Madrid"), ("PAIS", "España"), ("FECHAS", "12/03/2011"))
    told = under("safe-harbor", text, *mentions, labels="meddocan")
    assert told == "en [TERRITORIO-1], España, [FECHAS-1]/2011, mujer"


def test_labels_that_the_hub_does_not_mark():
    mentions = (("CARDINAL", "two"), ("NEVER-HEARD", "dogs"))
    for policy, left in (("i2b2", "two"), ("gdpr", "[CARDINAL-1]")):
        told = under(policy, "two dogs", *mentions, labels="ontonotes-5")
        assert told == f"{left} [NEVER-HEARD-1]"


@pytest.mark.parametrize("name", policy_names())
@pytest.mark.parametrize("labels", label_set_names())
def test_every_label_of_every_set_has_an_action(name, labels):
    policy, known = load_policy(name), label_set(labels)
    assert all(isinstance(policy.action(label, known)[0], Action) for label in known.labels)


def test_a_policy_of_ones_own(tmp_path: Path):
    rule = '[labels]\nDATE = { action = "keep", reason = "a registry of seasons" }\n'
    (tmp_path / "ours.toml").write_text(f'base = "safe-harbor"\n[limits]\noldest_age = 79\n{rule}')
    policy = load_policy("ours.toml", tmp_path)
    assert policy.rules["DATE"].action is Action.KEEP
    assert policy.rules["ZIP"].action is Action.SHORTEN
    assert policy.limits == Limits(79, 1937, frozenset(RESTRICTED))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("base = 3", "'base' names no shipped policy"),
        ("= 3", "is not TOML"),
        ("colour = 3", "unknown key 'colour'"),
        ("about = 'x'", "says nothing about PATIENT"),
        ("base='i2b2'\nunmarked='burn'", "'unmarked' is no action"),
        ("base='i2b2'\n[labels]\nNOBODY={action='keep',reason=''}", "unknown key 'labels.NOBODY'"),
        ("base='i2b2'\n[labels]\nDATE={action='keep'}", "no rule with a reason"),
        (
            "base='i2b2'\n[labels]\nDATE={action='eat',reason=''}",
            "'labels.DATE.action' is no action",
        ),
        ("base='i2b2'\n[labels]\nSSN={action='shorten',reason=''}", "only DATE, AGE, ZIP"),
        ("base='i2b2'\n[labels]\nSSN={action='keep',reason='',why=''}", "unknown key"),
        ("base='i2b2'\n[limits]\noldest_age='x'", "no whole number"),
        ("base='i2b2'\n[limits]\nrestricted_zips=[36]", "is no list"),
        ("base='i2b2'\nlabels=3", "no table"),
    ],
)
def test_a_wrong_policy_names_its_file_and_key(tmp_path: Path, text, told):
    (tmp_path / "p.toml").write_text(text)
    with pytest.raises(SettingsError, match=r"p\.toml") as caught:
        load_policy("p.toml", tmp_path)
    assert told in str(caught.value)


def test_a_policy_that_is_not_there(tmp_path: Path):
    with pytest.raises(MissingError, match="safe-harbor"):
        load_policy("none.toml", tmp_path)
    (tmp_path / "p.toml").write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="cannot be read"):
        load_policy("p.toml", tmp_path)


@settings(max_examples=30, deadline=None)
@given(case=covered(), name=st.sampled_from(policy_names()))
def test_a_policy_covers_no_more_than_was_found(case, name):
    document, cover = case
    redaction = Policed(load_policy(name), Tags()).replace(document, cover)
    for mention in redaction.cover:
        assert any(found.span.contains(mention.span) for found in cover)
    if name == "i2b2":
        assert redaction == Tags().replace(document, cover)


@settings(max_examples=30, deadline=None)
@given(text=texts(min_size=1), label=st.sampled_from(sorted(METHODS)))
def test_shortening_takes_any_text(text, label):
    span = Span(0, len(text))
    pieces = list(METHODS[label](Shortening.of(text, [span], Limits()), span))
    assert all(span.contains(piece.span) for piece in pieces)
