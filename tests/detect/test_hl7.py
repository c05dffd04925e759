"""Messages of HL7 version 2: each field gives what is laid down for it, and nothing else does."""

from __future__ import annotations

import pytest

from phiscrub.core.document import Document
from phiscrub.detect.hl7 import Hl7
from phiscrub.tokenize.clinical import Clinical

HEAD = "MSH|^~\\&|LABSYS|ELMGEN|EHR|ELMGEN|20250618142207||ORU^R01|EG00536210|P|2.5.1\n"


def found(text: str) -> list[tuple[str, str]]:
    (note,) = Clinical().tokenize([Document("note", text)])
    (mentions,) = Hl7().detect([note])
    return [(m.label, text[m.span.start : m.span.end]) for m in mentions]


@pytest.mark.parametrize(
    ("segment", "wanted"),
    [
        (
            "PID|1||0062953^^^EG^MR~38290465^^^TX^DL||VOSS^MARIA^T^^^MD||19880907|F",
            [
                ("MEDICALRECORD", "0062953"),
                ("LICENSE", "38290465"),
                ("PATIENT", "VOSS^MARIA^T"),
                ("DATE", "19880907"),
            ],
        ),
        (
            "PID|||||ORBELL^IDA^^JR||||||7 ELM ROW^^DUNMORE^TX^70001^US||(555)555-0100",
            [
                ("PATIENT", "ORBELL^IDA^^JR"),
                ("STREET", "7 ELM ROW"),
                ("CITY", "DUNMORE"),
                ("STATE", "TX"),
                ("ZIP", "70001"),
                ("COUNTRY", "US"),
                ("PHONE", "(555)555-0100"),
            ],
        ),
        ("PID|||||||||||PO BOX 9^^DUNMORE", [("LOCATION-OTHER", "PO BOX 9"), ("CITY", "DUNMORE")]),
        ("PID|||||||||||||^PRN^PH^^^555^5550100", [("PHONE", "555^5550100")]),
        ("NK1|1|SAME|SPO|SAME", []),
        ("PV1|1|E|ED^09^B^EAST||||1990000000^MOSS^FAY^^^^MD", [
            ("HOSPITAL", "EAST"), ("IDNUM", "1990000000"), ("DOCTOR", "MOSS^FAY")]),
        ("OBR|1|ORD5|L-77^LAB|5^CULTURE|||202506170340|||rsmoss||||||^MOSS^FAY", [
            ("IDNUM", "ORD5"), ("IDNUM", "L-77"), ("DATE", "20250617"),
            ("USERNAME", "rsmoss"), ("DOCTOR", "MOSS^FAY")]),
        ("TXA|1|CN|TX|202501021042|MOSS^FAY||||71^REED^JON|ALL^ORR^PAM|rsmoss||DOC-7", [
            ("DATE", "20250102"), ("DOCTOR", "MOSS^FAY"), ("IDNUM", "71"),
            ("DOCTOR", "REED^JON"), ("DOCTOR", "ALL^ORR^PAM"), ("USERNAME", "rsmoss"),
            ("IDNUM", "DOC-7")]),
        ("SCH|A-41|B-42||||||||||71^REED^JON|^PRN^PH^^^555^5550100", [
            ("IDNUM", "A-41"), ("IDNUM", "B-42"), ("IDNUM", "71"), ("DOCTOR", "REED^JON"),
            ("PHONE", "555^5550100")]),
        ("AIP|1||71^REED^JON|||20250618", [
            ("IDNUM", "71"), ("DOCTOR", "REED^JON"), ("DATE", "20250618")]),
        ("AIS|1||CT^SCAN|20250618", [("DATE", "20250618")]),
        ("ROL|1|AD|AT|71^REED^JON|20250618|20250619", [
            ("IDNUM", "71"), ("DOCTOR", "REED^JON"), ("DATE", "20250618"), ("DATE", "20250619")]),
        ("SPM|1|25037-M8||SPT^Sputum|||||||||||||202506180412|20250619", [
            ("IDNUM", "25037-M8"), ("DATE", "20250618"), ("DATE", "20250619")]),
        ("RXA|0|1|20250618|20250618|08^HEPB|0.5|mL||00|71^REED^JON", [
            ("DATE", "20250618"), ("DATE", "20250618"), ("IDNUM", "71"), ("DOCTOR", "REED^JON")]),
        ("PRD|RP|REED^JON|7 ELM ROW^^DUNMORE^TX||(555)555-0100||1990000000", [
            ("DOCTOR", "REED^JON"), ("STREET", "7 ELM ROW"), ("CITY", "DUNMORE"), ("STATE", "TX"),
            ("PHONE", "(555)555-0100"), ("IDNUM", "1990000000")]),
        ("CTD|CP|VOSS^MARIA|||(555)555-0100", [("PHONE", "(555)555-0100")]),
        ("PV2|||CHF|||||20250618|20250620", [("DATE", "20250618"), ("DATE", "20250620")]),
        ("DG1|1||I50|CHF|20250618|A||||||||||71^REED^JON", [
            ("DATE", "20250618"), ("IDNUM", "71"), ("DOCTOR", "REED^JON")]),
        ("PR1|1||TAVR||20250618|||8^ORR^PAM|||71^REED^JON|^MOSS^FAY", [
            ("DATE", "20250618"), ("IDNUM", "8"), ("DOCTOR", "ORR^PAM"), ("IDNUM", "71"),
            ("DOCTOR", "REED^JON"), ("DOCTOR", "MOSS^FAY")]),
        ("MRG|0062953^^^EG^MR||A771||||VOSS^MARIA", [
            ("MEDICALRECORD", "0062953"), ("ACCOUNT", "A771"), ("PATIENT", "VOSS^MARIA")]),
        ("OBX|1|NM|718-7^HGB^LN||14.2|g/dL", []),
        ("ZZZ|1|MOSS^FAY", []),
    ],
)  # fmt: skip
def test_fields(segment: str, wanted: list[tuple[str, str]]) -> None:
    head = [("HOSPITAL", "ELMGEN"), ("HOSPITAL", "ELMGEN"), ("DATE", "20250618")]
    assert found(HEAD + segment) == [*head, ("IDNUM", "EG00536210"), *wanted]


def test_a_table_with_strokes_is_no_message() -> None:
    assert found("OBR|1|ORD5|L-77\nOBX|2|Moss^Fay\n") == []
