"""A table of what is known of each patient, read for the known-subject detector."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from io import StringIO
from pathlib import Path
from types import MappingProxyType

from phiscrub.core.document import Subject
from phiscrub.core.errors import InputError, MissingError, Place, SettingsError
from phiscrub.core.labels import HUB, label_set

KEYS = ("id", "patient_id", "subject_id", "subject", "patient_key", "key")
USUAL = MappingProxyType(
    {
        column: label
        for label, columns in {
            "PATIENT": "patient patient_name name full_name first_name last_name middle_name "
            "given_name family_name surname maiden_name alias nickname relative relatives "
            "next_of_kin mother father spouse partner child children emergency_contact",
            "DOCTOR": "doctor doctors physician gp provider clinician",
            "DATE": "birth_date date_of_birth dob birthdate admission_date death_date dates",
            "MEDICALRECORD": "mrn medical_record record_number nhs nhs_number chart_number",
            "SSN": "ssn social_security personnummer national_id dni nie",
            "PHONE": "phone phones telephone tel mobile cell pager home_phone work_phone",
            "FAX": "fax",
            "EMAIL": "email emails e_mail mail",
            "STREET": "address addresses street street_address",
            "CITY": "city town",
            "STATE": "state province",
            "COUNTRY": "country",
            "ZIP": "zip zip_code zipcode postcode postal_code",
            "HEALTHPLAN": "health_plan insurance_number policy_number member_id",
            "ACCOUNT": "account account_number",
            "LICENSE": "license licence license_number driving_licence",
            "VEHICLE": "vehicle plate license_plate vin",
            "DEVICE": "device device_serial serial_number",
            "IDNUM": "other_id identifier identifiers number numbers accession",
            "ORGANIZATION": "employer organization organisation school",
            "HOSPITAL": "hospital clinic",
            "USERNAME": "username user_name login",
            "URL": "url website",
            "IPADDR": "ip ip_address",
            "PROFESSION": "profession occupation job",
        }.items()
        for column in columns.split()
    }
)
BETWEEN = ";"  # values of one cell
ONSET = "onset"  # the column of the day from which time is counted


def read_subjects(path: Path) -> Mapping[str, Subject]:
    """Read a CSV: a column with the patient's key, and columns of identifiers by their labels.

    A column is called by a label of the hub set or by a usual word (`USUAL`), in any case, blanks
    and dashes as underscores; a cell may hold several values parted by ``;``; rows of one key add
    up. A column `onset` is the day from which time is counted, one a patient. Raises
    `SettingsError` for a header that does not fit, `InputError` for a row, `MissingError` where
    there is no file.
    """
    where = str(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _read(file, where)
    except FileNotFoundError:
        raise MissingError("no such file", where=where, hint="check the path") from None
    except (OSError, UnicodeDecodeError):
        raise InputError("cannot be read", where=where, hint="save it as UTF-8") from None


def written_subjects(subjects: Mapping[str, Subject]) -> str:
    """Return a CSV that `read_subjects` reads as the same: a row a patient, a column a label.

    Words are cut at ``;``, which parts the values of a cell.
    """
    labels = sorted({label for subject in subjects.values() for label, _ in subject.known})
    file = StringIO()
    rows = csv.writer(file, lineterminator="\n")
    dated = any(subject.onset for subject in subjects.values())
    names = [label.lower().replace("-", "_") for label in labels]
    rows.writerow(["patient_id", *names, *[ONSET] * dated])
    for key, subject in sorted(subjects.items()):
        cells = [
            [words for own, words in subject.known if own == label and words.strip()]
            for label in labels
        ]
        rows.writerow([key, *(BETWEEN.join(cell) for cell in cells), *[subject.onset] * dated])
    return file.getvalue()


def _read(file: Iterable[str], where: str) -> Mapping[str, Subject]:
    rows = csv.reader(file, strict=True)
    known: dict[str, dict[tuple[str, str], None]] = {}
    onsets: dict[str, str] = {}
    try:
        header: list[str] = next(rows, [])
        key, labels = _columns(header, where)
        for row in rows:
            if not any(map(str.strip, row)):
                continue
            place = Place(where, line=rows.line_num)
            if len(row) != len(header):
                hint = "quote cells that hold commas"
                raise InputError("another number of cells than the header", where=place, hint=hint)
            name = row[key].strip()
            if not name:
                raise InputError("the patient's key is empty", where=place, hint="fill it in")
            pairs = known.setdefault(name, {})
            for cell, label in zip(row, labels, strict=True):
                if label == ONSET:
                    if cell.strip() and onsets.setdefault(name, cell.strip()) != cell.strip():
                        hint = "give each patient one"
                        raise InputError(
                            "another onset of the same patient", where=place, hint=hint
                        )
                    continue
                for value in cell.split(BETWEEN) if label else ():
                    if value.strip():
                        pairs[label, value.strip()] = None
    except csv.Error:
        place = Place(where, line=rows.line_num)
        raise InputError("is no CSV row", where=place, hint="check its quotes") from None
    return MappingProxyType(
        {name: Subject(name, tuple(pairs), onsets.get(name, "")) for name, pairs in known.items()}
    )


def _columns(header: Sequence[str], where: str) -> tuple[int, list[str]]:
    """Return the key's column, and each column's label, empty for the key, or `ONSET`."""
    names = [name.strip().lower().replace(" ", "_").replace("-", "_") for name in header]
    place = Place(where, line=1)
    keys = [index for index, name in enumerate(names) if name in KEYS]
    if len(keys) != 1:
        hint = f"call one column {', '.join(KEYS[:3])}"
        raise SettingsError(f"{len(keys)} columns for the patient's key", where=place, hint=hint)
    hub = {label.lower().replace("-", "_"): label for label in label_set(HUB).labels}
    labels = []
    for index, name in enumerate(names):
        label = "" if index == keys[0] else USUAL.get(name) or hub.get(name)
        label = ONSET if name == ONSET else label
        if label is None:
            raise SettingsError(
                f"column {index + 1} has no known name",
                where=place,
                hint=f"known: {', '.join(sorted({*hub, *USUAL, ONSET}))}",
            )
        labels.append(label)
    return keys[0], labels
