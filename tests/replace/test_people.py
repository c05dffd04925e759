from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.replace.people import Name, fold, persons


def told(*names: str | tuple[str, str]) -> list[int]:
    """Number names in order of first occurrence; a pair is (text before, name)."""
    read = [Name.read(n) if isinstance(n, str) else Name.read(n[1], n[0]) for n in names]
    order: dict[int, int] = {}
    return [order.setdefault(person, len(order) + 1) for person in persons(read)]


def test_one_person_in_many_forms():
    forms = ("John Smith", ("Mr. ", "Smith"), "SMITH, JOHN", "Smith", "J. Smith", "John", "Smith J")
    assert told(*forms) == [1] * len(forms)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("John Smith", "John A. Smith"),
        ("SMITH, JOHN A", "john smith"),
        ("José Núñez", "Jose Nunez"),
        ("S-M-I-T-H", "Smith"),
        ("Smith, John, MD", "Dr. John Smith"),
        ("Mary Lee", "Mary Lee Jones"),
        ("John\n  Smith", "John Smith"),
        ("O'Brien", "Kate O'Brien"),
        ("OBrien", "O'Brien"),
        ("O’Brien", "Kate OBRIEN"),
        ("O' Brien", "O'Brien"),
        ("O`Brien", "O´Brien"),
        ("Kate O'-\nBrien", "O'Brien"),
        ("O'\nBrien, Kate", "Kate O‘Brien"),
        ("Ann Smith-\nJones", "Ann Smith-Jones"),
        ("Gar-\n  cia", "Ana Garcia"),
        ("Brontë", "Bronte"),
        ("DE LA CRUZ", "de la Cruz"),
        ("Maria DE LA CRUZ", "de la Cruz"),
        ("van Dyk", "Jan van Dyk"),
        ("Jo\u200bhn Smith", "John Smith"),
        ("Ann Lee's", "Ann Lee"),
        ("3041023MARY", "3041023MARY"),
    ],
)
def test_two_forms_of_one_person(left, right):
    assert told(left, right) == [1, 1]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("John Smith", "Jane Smith"),
        ("John A. Smith", "John B. Smith"),
        ("John Smith Jr.", "John Smith Sr."),
        ("John Smith II", "John Smith III"),
        (("Mr. ", "Smith"), ("Mrs. ", "Smith")),
        ("John Smith", "John Smithson"),
        ("Maria Garcia", "Mario Garcia"),
        ("J. S.", "John Smith"),
        ("Ann J. Smith", "J. Smith"),
        ("Ben Smith", "Carl Ben Smith"),
        ("de la Cruz", "Maria de la Rosa"),
        ("42", "43"),
    ],
)
def test_two_people_never_share_a_number(left, right):
    assert told(left, right) == [1, 2]


def test_a_form_that_fits_two_people_is_a_person_of_its_own():
    assert told("John Smith", "Jane Smith", "Smith", "J. Smith", "John") == [1, 2, 3, 4, 1]


def test_forms_that_contradict_each_other_do_not_join_a_fuller_name():
    assert told("Mary Smith", ("Mr. ", "Smith"), ("Mrs. ", "Smith")) == [1, 2, 3]


def test_an_initial_that_fits_two_given_names():
    assert told("John Smith", "J. Smith", "James Smith") == [1, 2, 3]


NAMES = st.lists(st.sampled_from(("Ann", "A.", "Bob", "Lee", "Smith", "B")), min_size=1, max_size=3)
READ = st.builds(Name.read, NAMES.map(" ".join), st.sampled_from(("", "Mr. ", "Mrs. ", "seen by ")))


@given(st.lists(READ, max_size=8), st.randoms())
def test_who_is_who_does_not_depend_on_the_order(names, random):
    shuffled = list(range(len(names)))
    random.shuffle(shuffled)
    straight, mixed = persons(names), persons([names[i] for i in shuffled])
    pairs = [(i, j) for i in range(len(names)) for j in range(len(names))]
    assert all(
        (straight[shuffled[i]] == straight[shuffled[j]]) == (mixed[i] == mixed[j]) for i, j in pairs
    )


@given(st.lists(READ, max_size=8))
def test_nobody_shares_a_number_with_whom_they_contradict(names):
    numbers = persons(names)
    for i, left in enumerate(names):
        for j, right in enumerate(names):
            if left.differs(right):
                assert numbers[i] != numbers[j]
            if left == right:
                assert numbers[i] == numbers[j]


def test_a_crowd_is_told_apart_in_time():
    letters = [chr(97 + i) for i in range(26)]
    crowd = [Name.read(f"x{a}{b}{c} Smith") for a in letters for b in letters for c in letters[:8]]

    def took(names):
        began = time.process_time()
        assert len(set(persons(names))) == len(names)
        return time.process_time() - began

    whole = took(crowd)
    assert whole < 2
    assert whole < 8 * min(took(crowd[i::4]) for i in range(4))  # 16 where each meets each


def test_folding():
    assert fold("  ÉTÉ \u00ad\n X ") == "ete x"
