"""Places, units and occupations by lists of names, weighed against the words around them."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.addresses import addresses_of_letters, parts_of_addresses
from phiscrub.detect.casing import Casing
from phiscrub.detect.jobs import Jobs
from phiscrub.detect.letterheads import Letterheads
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.detect.strangers import Strangers
from phiscrub.detect.towns import PLACES, Towns
from phiscrub.detect.units import POSTED, Units
from phiscrub.lexicons.phrases import Hit
from phiscrub.lexicons.words import load_words
from phiscrub.tokenize.clinical import clinical_tokens

LABELS = frozenset(
    [
        "CITY",
        "STATE",
        "COUNTRY",
        "STREET",
        "LOCATION-OTHER",
        "HOSPITAL",
        "ORGANIZATION",
        "PROFESSION",
        "ZIP",
    ]
)
WELL_KNOWN = 0.85
PREPOSITION = ("preposition",)
KNOWN = MappingProxyType(
    {
        "hospital": "HOSPITAL",
        "hospital_weak": "HOSPITAL",
        "organization": "ORGANIZATION",
        "organization_weak": "ORGANIZATION",
    }
)


@dataclass(frozen=True, slots=True)
class Settings:
    """`lists` names the folder of gazetteers: the pipeline's language, or a path.

    `words` names the folder of lexicons whose medical words name no place by themselves.
    """

    lists: str = ""
    words: str = "en"


def build(settings: Settings, toolbox: Toolbox) -> Gazetteer:
    """Load the lists."""
    name = settings.lists or toolbox.language
    lists = Lists.load(toolbox.folder("gazetteers", name), name)
    return Gazetteer(lists, load_words(toolbox.folder("lexicons", settings.words), "medical"))


class Gazetteer:
    """Looks listed terms up, and asks the finder of their kind whether they are meant.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has, because the
    lists are cut as it cuts.
    """

    def __init__(self, lists: Lists, medical: Container[str] = frozenset()) -> None:
        self._lists = lists
        self._units = Units.of(lists)
        self._towns = Towns(lists)
        self._jobs = Jobs(lists, medical)
        self._strangers = Strangers.of(lists, medical)
        self._letterheads = Letterheads(lists, medical)
        self._casing = Casing(lists, medical)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that the gazetteer gives."""
        return LABELS

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions of each note."""
        return [tuple(self._find(Reading.of(clinical_tokens(note)))) for note in notes]

    def _find(self, reading: Reading) -> Iterator[Mention]:
        reading = self._casing.restore(reading)
        yield from parts_of_addresses(reading.text)
        yield from addresses_of_letters(reading.text)
        yield from self._letterheads.find(reading.text)
        yield from self._strangers.find(reading)
        for hit in self._lists.terms.find(reading.words):
            if hit.last - hit.first > 1 and not reading.on_one_line(hit.first, hit.last):
                continue
            if hit.kinds == PREPOSITION and not reading.is_name(hit.last):
                continue
            for kind in hit.kinds:
                name, _, label = kind.partition(":")
                if label:
                    weak = name == "head_weak"
                    for _, last, mention in self._units.find(reading, hit, label, weak):
                        yield mention
                        yield from self._towns.behind(reading, last)
                elif name in ("job", "job_weak"):
                    yield from self._jobs.find(reading, hit, weak="job_weak" in hit.kinds)
                elif name in KNOWN:
                    yield from self._known(reading, hit, KNOWN[name], weak=name.endswith("_weak"))
                elif name == "preposition":
                    yield from self._towns.unlisted(reading, hit.first)
                    yield from self._strangers.initials(reading, hit.last)
                elif name == "at":
                    yield from self._towns.site(reading, hit.first)
                    yield from self._strangers.initials(reading, hit.last)
                elif name == "initials":
                    yield from self._strangers.initials(reading, hit.last)
            if not PLACES.isdisjoint(hit.kinds):
                yield from self._towns.find(reading, hit)

    def _known(self, reading: Reading, hit: Hit, label: str, *, weak: bool) -> Iterator[Mention]:
        posted = reading.before(hit.first) in POSTED
        if reading.capitals(hit.first, hit.last) and (posted or not weak):
            span = Span(reading.starts[hit.first], reading.ends[hit.last - 1])
            yield Mention(span, label, WELL_KNOWN, f"gazetteer:{label.lower()}")
