"""What stands beside names and is none: titles, suffixes, credentials, particles."""

from __future__ import annotations

import re
from types import MappingProxyType

SEX = MappingProxyType(
    dict.fromkeys(("mr", "mister", "sir"), "m")
    | dict.fromkeys(("mrs", "ms", "miss", "madam", "dame", "lady", "sra", "srta", "dna"), "f")
)
TITLES = frozenset(SEX) | {
    *("dr", "drs", "doctor", "dra", "prof", "professor", "rev", "hon", "mx", "nurse"),
    *("sgt", "cpl", "capt", "lt", "cmdr", "pvt", "rabbi", "imam", "pastor", "chaplain"),
}
IN_FRONT = MappingProxyType({"es": frozenset({"d", "don", "dona"})})  # Don is a name elsewhere
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
LEADING = re.compile(r"\s*(?:JR|SR)\s+[^\W\d_]")  # in front of a surname they are initials
CREDENTIALS = frozenset(
    (
        *("md", "mbbs", "mbchb", "phd", "psyd", "rn", "lpn", "lvn", "cna", "bsn", "msn", "dnp"),
        *("aprn", "arnp", "crna", "fnp", "fnp-c", "fnp-bc", "agnp", "pmhnp", "acnp", "np-c"),
        *("pa-c", "dds", "dmd", "dpm", "pharmd", "bcps", "mph", "msc", "bsc", "msw", "lcsw"),
        *("lmsw", "lmft", "facs", "facp", "faap", "facc", "facog", "frcp", "frcs", "frcpc"),
        *("frcsc", "frcpath", "fracp", "fracs", "fracgp", "franzcp", "mrcp", "mrcs", "mrcgp"),
        *("otr", "otrl", "cota", "cotal", "otd", "dpt", "pta", "ccc-slp", "slp", "rdn", "rrt"),
        *("ccrn", "emt", "emt-p"),
    )
)
# Behind a name they are credentials, elsewhere names or initials.
AFTER_NAMES = frozenset(
    {"np", "pa", "do", "od", "dc", "pt", "ot", "rph", "rd", "rm", "cnm", "rt", "ma"}
)
ALONE = TITLES | SUFFIXES | CREDENTIALS | {"np"}  # no names where nothing else is said
JOINED = re.compile(  # one credential: `M.D.`, `Ph.D.`, `OTR/L`
    r"(?<!\w)(?:(?:[^\W\d_]{1,4}\.){2,}|(?:OTR|COTA)/L(?!\w))", re.I
)
PARTICLES = frozenset(
    (
        *("al", "af", "ap", "av", "ben", "bin", "binte", "binti", "da", "das", "de", "del"),
        *("della", "den"),
        *("a/l", "a/p", "anak", "d/o", "s/o", "w/o"),
        *("der", "di", "dos", "du", "el", "la", "las", "le", "los", "mac", "ter", "van", "von"),
        *("y"),
    )
)
