"""Longer invented Swedish notes: all that is marked is found, and nothing else."""

from __future__ import annotations

import re

import pytest

from phiscrub.core.document import Document
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.pipeline import Pipeline

MARK = re.compile(r"\{([A-Z])\|(.*?)\}")
LABELS = {
    "F": "First_Name",
    "L": "Last_Name",
    "P": "Phone_Number",
    "A": "Age",
    "D": "Full_Date",
    "T": "Date_Part",
    "H": "Health_Care_Unit",
    "O": "Location",
    "S": "SSN",
    "I": "ID",
    "E": "Email",
}
NOTES = (
    """Patient: {F|Anna} {L|Karlsson}, {S|500312-1234}
{A|57-årig} kvinna, gift med {F|Erik}, bor i radhus i {O|Tumba}. Pensionerad lärare.
Tidigare: hypertoni, Parkinsons sjukdom, op för bröstcancer {T|1998}.
Aktuellt: Inkommer {D|14/3-07} med bröstsmärta sedan i {T|tisdags}. Blodtryck 150/85, puls 92.
Mediciner: Waran enligt ordination, Furix 40 mg 1+0+0, Alvedon 500 mg vid behov.
Läggs in på {H|avd 52, KS Huddinge}. Dottern {F|Eva} {L|Berg} nås på {P|070-123 45 67}.
/{F|Bengt} {L|Ohlsson}, öl""",
    """Remiss till {H|ortopedkliniken Danderyds sjukhus}
{A|82-årig} man som fallit i hemmet på {O|Storgatan 14} i {O|Täby}.
Ingen medvetslöshet.
Status: rodnad över höger höft, förkortat ben. Röntgen visar fraktur. Hb 112, INR 2,4.
Kontaktperson: {F|Lars-Erik} {L|Modig}, {P|08-123 45 67}.
Mvh
{F|Karin} {L|Sjöholm}, distriktsläkare, {H|Gullmarsplans vårdcentral}""",
    """Telefonkontakt {D|2007-05-02}. Mamma {F|Leila} ringer om sonen {F|Omid}, {A|8 mån},
som har feber.
Dricker bra, kissar som vanligt. Råd enligt rutin.
Hör av sig till {H|BVC Hornstull} vid försämring.
ssk {F|Agneta}""",
    """Daganteckning {D|070611}. Pat mår bättre idag än igår. Kräktes två gånger i natt.
Ssk {F|Fatemeh} har pratat med hustrun, som kommer på {T|torsdag}. CRP sjunker från 145 till 62.
Planeras hem efter {T|midsommar}. Dr {L|Lindqvist} informerad. Sign: {L|AK}""",
    """Epikris. Vårdtid {D|3/6}-{D|11/6}. {A|Vid 40 års ålder} debuterade diabetes.
Haft Crohns sjukdom i 20 år. Rökt 30 år, slutade {T|våren 2001}.
Återbesök {D|14 augusti 2007} kl 10.30 hos {F|Maria} {L|Lind}.
Svar till {E|maria.lind@exempel.se}.""",
    """BUP. {A|Åttaåriga} {F|Elsa} går på {O|Vasaskolan} i {O|Gävle}.
Bor hos pappa {F|Dragan} varannan vecka.
Läraren {F|Pernilla} beskriver oro. WISC genomförd, resultat inom normalvariationen.""",
    """PAD {I|T12345-07}: duktal cancer grad 2. Remissnr: {I|R2007-4455}. Journalnr {I|887766}.
Diskuterat på konferens med {H|Radiumhemmet}. Informerar patienten {D|5 april}.
Anknytning {P|4321}, sökare {P|5678}.""",
    """Hemtjänst fyra gånger om dagen. Bor på {H|äldreboendet Solrosen} sedan {T|hösten 2005}.
God man: {F|Per} {L|Sandberg}. Maken avled {T|2003}, sonen bor i {O|Norge}.
Blåsljud grad 2. Sover dåligt, Imovane 5 mg till natten. Frisk i övrigt.""",
    """Pat kommer från {O|Irak}, i {O|Sverige} sedan {T|90-talet}.
Arbetar på {O|Scania} i {O|Södertälje}.
Stark smärta i ryggen, VAS 7. Lasègue positiv vid 40 grader. Naproxen 500 mg 1x2 i 10 dagar.
Personnummer {S|19700612-0123}. Försäkringskassan önskar utlåtande.""",
    """Gravid vecka 32+4, mår bra. SF-mått 30 cm. BT 120/80. Sambon {F|Mehmet} är med.
Barnmorska {F|Ulla} {L|Ek} planerar förlossning på {H|SöS} i {T|september}.
Adress: {O|Odengatan 3}. Mobil {P|0701234567}.""",
)


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load_pipeline("sv-rules")


@pytest.mark.parametrize("marked", NOTES)
def test_a_note(pipeline: Pipeline, marked: str) -> None:
    text = MARK.sub(r"\2", marked)
    (cover,) = pipeline.covers([Document("note", text)])
    found = [(m.label, text[m.span.start : m.span.end]) for m in cover]
    assert found == [(LABELS[label], words) for label, words in MARK.findall(marked)]
