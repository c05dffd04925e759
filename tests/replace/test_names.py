"""How the forms of one person's name agree after replacing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from phiscrub.core.document import Subject
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.namelists import FEMALE, MALE, NameLists
from phiscrub.replace.people import fold
from replaced import made, note, put


def test_initials_are_those_of_the_full_name(key: Path) -> None:
    initial, full, last = put(
        made(key), "{PATIENT:J. Smith}, that is {PATIENT:John Smith}, not {PATIENT:Smith, J}"
    )
    given, surname = full.split()
    assert initial == f"{given[0]}. {surname}"
    assert last == f"{surname}, {given[0]}"


def test_a_particle_before_a_surname_goes_with_its_blank(key: Path) -> None:
    alone, full = put(made(key), "Dr. {DOCTOR:De La Cruz} … {DOCTOR:Maria De La Cruz}")
    assert alone == full.split()[1]


@pytest.mark.parametrize("words", [("Smith", "Smtih"), ("Smtih", "Smith")])
def test_the_known_spelling_is_the_right_one(key: Path, words: tuple[str, str]) -> None:
    both = put(made(key), " ".join(f"Mr. {{PATIENT:{word}}}" for word in words))
    right, slip = both if words[0] == "Smith" else both[::-1]
    lists = made(key).countries["us"][1].lists.values()
    assert any(right in names["surname"] for names in lists)
    assert not any(slip in names["surname"] for names in lists)


def test_kinship_tells_the_sex_of_a_name_of_both(key: Path) -> None:
    sexes = NameLists.load("en").lists.values()
    she, he = put(made(key), "her daughter {PATIENT:Alex} … her husband {PATIENT:Kim}", None)
    assert any(she in names[FEMALE] for names in sexes)
    assert any(he in names[MALE] for names in sexes)
    assert fold(she) != "alex"


@pytest.mark.parametrize(
    ("before", "sex"),
    [
        ("her grandson ", MALE),
        ("mother-in-law, ", FEMALE),
        ("Dad: ", MALE),
        ("a boy named ", MALE),
        ("her granddaughter ", FEMALE),
        ("step-dad ", MALE),
        ("Stepmother (", FEMALE),
    ],
)
def test_kinship_of_every_kind_tells_sex(key: Path, before: str, sex: str) -> None:
    first, _ = put(made(key), f"Seen with {before}{{PATIENT:Zxenu Larkmead}}.", None)[0].split()
    assert any(first in names[sex] for names in NameLists.load("en").lists.values())


def test_a_lone_name_behind_kinship_is_a_given_name(key: Path) -> None:
    text = "Lives with her daughter {PATIENT:Zxenu}. {PATIENT:Zxenu} rang. Ms. {PATIENT:Abzebe}, "
    one, again, other = put(made(key), text + "mother of {PATIENT:Abzebe}.", None)[:3]
    lists = NameLists.load("en").lists.values()
    assert one == again
    assert any(one in names[FEMALE] for names in lists)
    assert any(other in names["surname"] for names in lists)


def test_two_given_names_are_of_one_sex(key: Path) -> None:
    for subject in (None, "p1"):
        words = put(made(key), "Seen: {PATIENT:Zxenu Abzebe Larkmead}", subject)[0].split()
        lists = NameLists.load("en").lists.values()
        sexes = [{s for s in (FEMALE, MALE) for n in lists if w in n[s]} for w in words[:2]]
        assert sexes[0] & sexes[1]


def test_an_ending_of_endearment_is_no_slip(key: Path) -> None:
    full, short = put(made(key), '{PATIENT:Dean Larkmead} is "{PATIENT:Deano}" here.', None)
    first = fold(full.split()[0])
    assert sorted(fold(short)) != sorted(first)
    forms = [fold(form) for form in NameLists.load("en").short.get(first, ())]
    assert fold(short) in forms or first.startswith(fold(short))


def test_two_short_forms_are_short_forms(key: Path) -> None:
    text = "{PATIENT:Robert Larkmead} … {PATIENT:Bob} … {PATIENT:Bobby}"
    full, *shorts = put(made(key), text, "p1")
    known = NameLists.load("en").short[fold(full.split()[0])]
    assert set(shorts) <= set(known)


def test_names_have_their_capitals() -> None:
    names = NameLists.load("en").lists["american"]["surname"]
    assert "McCarthy" in names
    assert not any(re.match(r"Mc[a-z]", name) for name in names)


def test_jr_in_front_of_a_surname_is_initials(key: Path) -> None:
    text = "{DOCTOR:JR Smith} … {DOCTOR:SR SMITH} … {DOCTOR:Smith JR}"
    first, upper, behind = put(made(key), text)
    surname = first.split()[1]
    assert first.split()[0].isupper()
    assert len(first.split()[0]) == 2
    assert not {first.split()[0], upper.split()[0]} & {"JR", "SR"}
    assert upper.split()[1] == surname.upper()
    assert behind == f"{surname} JR"


@pytest.mark.parametrize("words", ["NURUL AIN BINTI MOHD FAUZI", "Nurul Ain Binti Mohd Fauzi"])
def test_binti_and_bin_tell_sex(key: Path, words: str) -> None:
    sexes = NameLists.load("en").lists.values()
    for told, kind in (("BINTI", FEMALE), ("BIN", MALE)):
        name = re.sub("binti", told if words.isupper() else told.title(), words, flags=re.I)
        first = words.split(maxsplit=1)[0]
        full, lone = put(made(key), f"{{PATIENT:{name}}} … {{PATIENT:{first}}}")
        assert full.split()[0] == lone
        assert len(full.split()) == 4
        known = {fold(one) for names in sexes for one in names[kind]}
        assert {fold(one) for one in full.split()[:2]} <= known


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_apostrophes_are_one(key: Path, apostrophe: str) -> None:
    text = f"{{PATIENT:Kate O'Neil}} … {{PATIENT:O{apostrophe}Neil}} … {{PATIENT:O’Neil's}} leg"
    full, last, genitive = put(made(key), text)
    assert last == full.split()[1]
    assert genitive == f"{last}'s"


@pytest.mark.parametrize("setting", ["us", "uk", "world"])
def test_a_doctor_is_one_in_every_note_of_a_patient(key: Path, setting: str) -> None:
    settings = surrogates.Settings(secret_file=str(key), setting=setting)
    replacer = surrogates.build(settings, Shelf("en", None))
    given, surname = put(replacer, "{DOCTOR:Lena Ortiz-Kelly}")[0].split()
    assert put(replacer, "{DOCTOR:Lena}, OT") == [given]
    assert put(replacer, "Dr. {DOCTOR:Kelly}") == [surname.split("-")[1]]
    assert put(replacer, "{DOCTOR:ORTIZ, LENA}") == [f"{surname.split('-')[0]}, {given}".upper()]
    assert put(replacer, "{DOCTOR:Lena Maria Shah}")[0].split()[0] == given


def test_a_doctor_of_the_patients_name_changes_it_not(key: Path) -> None:
    (_, alone) = put(made(key), "{PATIENT:Ann Ortiz}")[0].split()
    text = "Dr. {DOCTOR:Lena Ortiz-Kelly} and {DOCTOR:Ortiz} saw {PATIENT:Ann Ortiz}"
    assert [name.split()[-1].split("-")[0] for name in put(made(key), text)] == [alone] * 3


def test_names_known_of_a_patient_tell_short_forms_and_log_ins(key: Path) -> None:
    known = (("PATIENT", "Robert Smith"), ("DOCTOR", "Xochi Brand"), ("CITY", "Larkmead"))

    def told(text: str) -> list[str]:
        document, cover = note(text)
        document = replace(document, subject=Subject("p1", known))
        return list(made(key).replace(document, cover).replacements)

    full, short, slip, user, doctor = told(
        "{PATIENT:Robert Smith} … {PATIENT:Bob} … {PATIENT:Smtih} … {USERNAME:jsmith} … "
        "{DOCTOR:Xochi Brand}"
    )
    assert told("{PATIENT:Bob}") == [short]
    assert told("Mr. {PATIENT:Smtih}") == [slip]
    assert told("{USERNAME:jsmith}") == [user]
    assert fold(full.split()[1]).replace("'", "") in user
    assert told("{DOCTOR:Xochi}") == [doctor.split()[0]]
    assert told("{PATIENT:Robert Smith}") == [full] == put(made(key), "{PATIENT:Robert Smith}")


@pytest.mark.parametrize(
    ("beside", "name"),
    [("{PATIENT:Anna Peterson}", "Petersen"), ("Dr. {DOCTOR:Hanson}", "Hansen")],
)
def test_a_name_that_is_spelled_right_is_no_slip_of_another(
    key: Path, beside: str, name: str
) -> None:
    (*_, found) = put(made(key), f"{beside} … Dr. {{DOCTOR:{name}}}")
    lists = made(key).countries["us"][1].lists.values()
    assert any(found in names["surname"] for names in lists)


def test_apostrophes_do_not_part_names(key: Path) -> None:
    text = "{PATIENT:Jane O'Connell} … {PATIENT:O'CONNELL} … {PATIENT:OConnell}"
    full, upper, bare = put(made(key), text)
    assert bare == full.split()[1] == put(made(key), "Mr. {PATIENT:OConnell}")[0]
    assert upper == bare.upper()


def test_what_belongs_to_somebody_else_is_no_slip(key: Path) -> None:
    text = "{PATIENT:Ann Kowalcek} … {PATIENT:Tom Kowalcik}"
    first, second = (name.split()[1] for name in put(made(key), text))
    assert sorted(first.lower()) != sorted(second.lower())


def test_a_slip_of_a_given_name_alone(key: Path) -> None:
    full, slip = put(made(key), "{PATIENT:Xochi Brand} … {PATIENT:Xohci}")
    assert sorted(slip) == sorted(full.split()[0]) or len(slip) == len(full.split()[0]) + 1


def test_a_family_has_its_surname_with_an_s(key: Path) -> None:
    families, full, alone = put(made(key), "the {PATIENT:Smiths}, {PATIENT:John Smith}") + put(
        made(key), "the {PATIENT:Smiths}"
    )
    assert families == alone
    assert re.fullmatch(re.escape(full.split()[1]) + "(?:e?s)", families)


def test_a_patient_is_one_whatever_the_label_and_the_crowd(key: Path) -> None:
    names = ("Reed", "Lowe", "Shah", "Kirk", "Vik", "Omar")
    crowd = " ".join(f"{{PATIENT:Ann {name}}}" for name in names)
    (alone,) = put(made(key), "{PATIENT:Robert O'Connell}")
    assert put(made(key), "{DOCTOR:Robert O'Connell}") == [alone]
    assert put(made(key), f"{{PATIENT:Robert O'Connell}} {crowd}")[0] == alone


PAIRS = [
    ("John Smith", "JS"),
    ("John Carter", "JC"),
    ("Tom Kelly", "tk"),
    ("Anna Maria Lopez", "AML"),
    ("Ian Ito", "II"),
    ("Zoe Quinn", "zq"),
    ("Wendy Xu", "W.X."),
    ("Ed Dunn", "E. D."),
    ("Ann Ortiz-Kelly", "AOK"),
]


@pytest.mark.parametrize(("name", "initials"), PAIRS)
@pytest.mark.parametrize("subject", ["p1", None])
def test_initials_fit_the_name(key: Path, name: str, initials: str, subject: str | None) -> None:
    text = f"{{DOCTOR:{initials}}} … {{DOCTOR:{name}}} … [{{PATIENT:{initials}}}]"
    first, full, last = put(made(key), text, subject)
    fit = "".join(part[0] for part in re.split("[ -]", full))
    assert first == last
    assert fold(re.sub("[. ]", "", first)) == fold(fit)
    assert first.isupper() == initials.isupper()
    assert re.sub(r"\w", "x", first) == re.sub(r"\w", "x", initials)


def test_letters_that_fit_nobody_stay_letters(key: Path) -> None:
    first, second, third = put(made(key), "seen. [{DOCTOR:tk}] {DOCTOR:JC}/{DOCTOR:LB/mj}")
    assert (len(first), len(second), len(third)) == (2, 2, 5)
    assert (first + second + third).lower().replace("/", "").isalpha()
    assert third[2] == "/"
    assert put(made(key), "Dr. {DOCTOR:NG}, {DOCTOR:Peter Ng}")[0] != "NG"


def test_log_ins_fit_the_name(key: Path) -> None:
    text = (
        "{PATIENT:John Smith}, {USERNAME:jsmith}, {USERNAME:SmithJ7}, {EMAIL:john.smith@x.org}, "
        "{USERNAME:js04}"
    )
    full, user, turned, mail, short = put(made(key), text)
    given, surname = (re.sub("[^a-z]", "", fold(part)) for part in full.split())
    assert user == given[0] + surname
    assert fold(turned).startswith(surname + given[0])
    assert mail == f"{given}.{surname}@example.org"
    assert short[:2] == given[0] + surname[0]


@pytest.mark.parametrize(
    "behind",
    [", LVN", ", FRACP", " OTR/L", ", CCC-SLP", ", PA-C", ", NP", ", M.D.", " M.D., Ph.D."],
)
def test_what_stands_behind_a_name_stays(key: Path, behind: str) -> None:
    full, short = put(made(key), f"{{DOCTOR:Jane Roe{behind}}} … {{DOCTOR:Roe}}")
    assert full.endswith(f"{short}{behind}")
    assert len(full.removesuffix(behind).split()) == 2


@pytest.mark.parametrize("words", ["MD", "RN, BSN", "Sgt.", "PA-C", "Dr."])
def test_a_title_alone_stays(key: Path, words: str) -> None:
    assert put(made(key), f"{{DOCTOR:{words}}}") == [words]


def test_a_title_in_front_stays_and_names_like_credentials_go(key: Path) -> None:
    (sergeant, last, both, turned) = put(
        made(key), "{DOCTOR:Sgt. Miller} {DOCTOR:Miller} {DOCTOR:Jane Do} {DOCTOR:Ma, Jane}"
    )
    assert sergeant == f"Sgt. {last}"
    assert not both.endswith("Do")
    assert not turned.startswith("Ma,")


@pytest.mark.parametrize("name", ["Ben Smith", "SMITH, BEN", "Al Jones"])
def test_given_names_that_are_particles_go(key: Path, name: str) -> None:
    (found,) = put(made(key), f"{{PATIENT:{name}}}")
    assert len(found.split()) == 2
    assert not {"ben", "al"} & set(fold(found).replace(",", "").split())


def test_an_abbreviated_name_is_that_of_the_whole(key: Path) -> None:
    short, whole = put(made(key), "{PATIENT:Wm. Jones} {PATIENT:William Jones}")
    given, surname = whole.split()
    assert short.split()[1] == surname
    assert given.startswith(short.split(".")[0])
    assert put(made(key), "{PATIENT:Wm. Jones}") == [short]


def test_spanish_given_names_of_two_words(key: Path) -> None:
    text = (
        "{PATIENT:María del Carmen Ruiz Ortega} {PATIENT:Mª Carmen} D. {PATIENT:José Luis} "
        "{PATIENT:D. José Luis Gil} {PATIENT:María del Carmen Ruiz}"
    )
    full, short, two, titled, less = put(made(key, "es"), text)
    assert len(full.split()) == 4
    assert short.split()[1] == full.split()[1]
    assert full.split()[0].startswith(short.split()[0])
    assert titled.split()[:3] == ["D.", *two.split()]
    assert less.split() == full.split()[:3]
    given = {fold(n) for sex in (FEMALE, MALE) for n in NameLists.load("es").lists["spanish"][sex]}
    assert {fold(word) for word in (*full.split()[:2], *two.split())} <= given


def test_a_short_form_tells_its_sex(key: Path) -> None:
    men = {fold(name) for name in NameLists.load("es").lists["spanish"][MALE]}
    assert fold(put(made(key, "es"), "Su hijo {PATIENT:Paco}.")[0]) in men


def test_british_capitals_first(key: Path) -> None:
    text = "{PATIENT:LLEWELLYN JONES Sian} {PATIENT:JONES Sian} {PATIENT:Sian Llewellyn Jones}"
    first, one, full = put(made(key), text)
    given, *surnames = full.split()
    assert first.split() == [*(name.upper() for name in surnames), given]
    assert one.split() == [surnames[1].upper(), given]


def test_spanish_given_names_that_no_list_has_or_that_stand_alone(key: Path) -> None:
    lists = NameLists.load("es").lists["spanish"]
    given = {fold(name) for sex in (FEMALE, MALE) for name in lists[sex]}
    text = (
        "{PATIENT:Segismundo Catrileo} {PATIENT:Insaurralde, Ramona Beatriz} {PATIENT:Beatriz} "
        "su hermana {PATIENT:Gloria Inés} la sra {PATIENT:Norma} don {PATIENT:Eleuterio}"
    )
    unknown, turned, second, both, titled, don = put(made(key, "es"), text)
    first, last = map(fold, unknown.split())
    assert first in given
    assert last not in given
    assert second == turned.split()[-1]
    assert {fold(word) for word in (*both.split(), titled, don)} <= given
