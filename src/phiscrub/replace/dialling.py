"""Numbering plans: where an area's code ends, and which lines behind it nobody has.

Kept for stories. NANPA: 555-01xx; Ofcom: 0113 496 0xxx and its like, 01632 960xxx, 07700 900xxx;
PTS: 08-465 004 xx, 031-390 06 xx, 040-628 04 xx, 0980-319 2xx, 070-174 06 05 to 99; ACMA: 5550 and
7010 xxxx behind 02, 03, 07 and 08, and the mobile numbers below; ARCEP: 01 99 00 xx xx and its
like. Spain keeps none: 000 1xx behind a
province, and 79x, which as far as we know no mobile network has. Nor does India: 0 behind 55501,
for no subscriber's number begins with 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.replace.keyed import Key


@dataclass(frozen=True, slots=True)
class Plan:
    """One country's telephone numbers, written without its prefix and without a trunk zero.

    `code` matches what stands before the line; `stories` gives by code the beginnings of a line
    that nobody has, by "" those of every other code; `homes` are codes of areas from which one is
    drawn, of the same length if there is one; `moved` gives by the beginning of a code that tells
    no place another, "" where it stays; `groups` is how lines of a length are written; `local` is
    how many digits a line has that may be dialled without its code, 0 where none is.
    """

    prefix: str
    trunk: str
    length: int
    code: re.Pattern[str]
    stories: Mapping[str, str]
    homes: tuple[str, ...]
    moved: Mapping[str, str]
    groups: Mapping[int, tuple[int, ...]]
    local: int = 0

    def cut(self, number: str) -> int:
        """Return where the code ends, 0 where a number has none."""
        found = self.code.match(number) if len(number) != self.local else None
        return found.end() if found else 0

    def line(self, number: str) -> str:
        """Return what is one for all who call it: the line where that can be dialled alone."""
        return number[self.cut(number) :] if self.local else number

    def another(self, number: str, key: Key, area: Callable[[str], str]) -> tuple[str, str]:
        """Return the code and the line of a number that nobody has, in another area.

        `area` gives the code of the surrogate place, "" where it knows none. A number without a
        code gets none, and the line that it would have behind one.
        """
        was = number[: self.cut(number)]
        code = next((self.moved[p] or was for p in self.moved if was.startswith(p)), "")
        if was and not code:
            told = area(self.trunk + was).removeprefix(self.trunk)
            is_told = told and (told in self.stories or "" in self.stories)
            others = [home for home in self.homes if home != was]
            alike = [home for home in others if len(home) == len(was)]
            code = told if is_told else key.narrow("home", was).choice(alike or others)
        drawn = key.numbers()
        begun = self.stories.get(code, self.stories.get("", "")).split()
        line = key.narrow("begun").choice(begun) if begun else ""
        left = (self.length - len(code) if was else self.local) - len(line) - 1
        first = str(next(drawn) % 9 + 1)  # not 0: the PTS's mobile numbers begin with 05
        tail = "".join((first, *(str(next(drawn) % 10) for _ in range(left)))) if left >= 0 else ""
        if code + line == number:
            line = next(one for one in begun if one != line)
        if tail and code + line + tail == number:
            tail = f"{tail[:-1]}{(int(tail[-1]) + 1) % 10}"
        return code, line + tail


TOLL_FREE = ("800", "833", "844", "855", "866", "877", "888", "900")
AU_LANDLINES, AU_MOBILES = (
    ("2", "3", "7", "8"),
    ("570006 570156 570157 570158 570159 570110 570313 570737 571266 571491 571804"),
)
UK_CITIES = ("113", "114", "115", "116", "117", "118", "121", "131", "141", "151", "161")
PLANS: Mapping[str, Plan] = MappingProxyType(
    {
        "us": Plan(
            prefix="1",
            trunk="",
            length=10,
            code=re.compile(r"\d{3}"),
            stories={"": "55501"},
            homes=("614", "816", "402", "509", "336", "920", "501", "785"),
            moved=dict.fromkeys(TOLL_FREE, ""),
            groups={7: (3, 4)},
            local=7,
        ),
        "uk": Plan(
            prefix="44",
            trunk="0",
            length=10,
            code=re.compile(r"7\d{3}|2\d|11\d|1\d1|1\d{3}|\d{3}"),
            stories=dict.fromkeys(UK_CITIES, "4960")
            | {"191": "4980", "20": "79460", "28": "96496", "29": "20180", "1632": "960"}
            | {"7700": "900", "306": "9990", "808": "1570", "909": "8790"},
            homes=(*UK_CITIES, "191", "1632", "20", "28", "29"),
            moved={"7": "7700", "3": "306", "8": "808", "9": "909", "5": "306"},
            groups={8: (4, 4), 7: (3, 4), 6: (6,)},
        ),
        "sv": Plan(
            prefix="46",
            trunk="0",
            length=9,
            code=re.compile(r"8|7[02369]|1[013689]|2[0136]|3[1356]|4[0246]|54|6[03]|90|\d{3}"),
            stories={"8": "465004", "31": "39006", "40": "62804", "980": "3192", "70": "17406"},
            homes=("8", "31", "40", "980"),
            moved={"7": "70"},
            groups={8: (3, 3, 2), 7: (3, 2, 2), 6: (3, 3)},
        ),
        "es": Plan(
            prefix="34",
            trunk="",
            length=9,
            code=re.compile(r"\d{3}"),
            stories={"": "0001", "790": ""},
            homes=("983", "947", "975", "927", "967", "953", "964", "974", "982", "921", "978"),
            moved={"6": "790", "7": "790", "80": "", "90": ""},
            groups={6: (2, 2, 2)},
        ),
        "au": Plan(
            prefix="61",
            trunk="0",
            length=9,
            code=re.compile(r"4\d\d|\d"),
            stories=dict.fromkeys(AU_LANDLINES, "5550 7010") | {"491": AU_MOBILES},
            homes=AU_LANDLINES,
            moved={"4": "491"},
            groups={8: (4, 4), 6: (3, 3)},
        ),
        "au free": Plan(
            prefix="61",
            trunk="",
            length=10,
            code=re.compile(r"\d{4}"),
            stories=dict.fromkeys(("1300", "1800"), "975707 975708 975709 975710 975711"),
            homes=("1300", "1800"),
            moved={"18": "1800", "": "1300"},
            groups={6: (3, 3)},
        ),
        "fr": Plan(
            prefix="33",
            trunk="0",
            length=9,
            code=re.compile(r"\d"),
            stories={"1": "9900", "2": "6191", "3": "5301", "4": "6571", "5": "3649", "6": "3998"},
            homes=("1", "2", "3", "4", "5"),
            moved={"6": "6", "7": "6"},
            groups={8: (2, 2, 2, 2)},
        ),
        "in": Plan(
            prefix="91",
            trunk="0",
            length=10,
            code=re.compile(r"\d{5}"),
            stories={"": "0"},
            homes=("55501",),
            moved={"": "55501"},
            groups={5: (5,)},
        ),
    }
)
