"""Words of addresses that name a kind of place, and so stay."""

from __future__ import annotations

BRITISH_TYPES = frozenset(  # how British streets are shortened
    (
        *("cl", "cres", "cresc", "tce", "terr", "crt", "cott", "cotts", "mws", "bldgs", "wlk"),
        *("yd", "est", "prom", "hse"),
    )
)
# What may end the name of a street, but also begin it, or end that of a town.
STREET_ENDS = frozenset(
    (
        *("gardens", "grove", "mews", "park", "view", "green", "vale", "yard", "rise", "walk"),
        *("cottages", "buildings", "heights", "promenade", "estate", "hill", "row", "parade"),
        *("gdns", "gdn", "gro", "grv", "pk", "vw", "grn", "hts"),
    )
)
STREET_WORDS = frozenset(
    (
        *BRITISH_TYPES,
        *("lot", "loop", "rise", "pike", "circle", "cir", "alley", "wharf", "quay", "mews"),
        *("street", "st", "road", "rd", "avenue", "ave", "av", "lane", "ln", "drive", "dr"),
        *("court", "ct", "place", "pl", "way", "boulevard", "blvd", "terrace", "ter"),
        *("highway", "hwy", "parkway", "pkwy", "close", "crescent", "square", "sq", "trail"),
        *("trace", "trl", "row", "gardens", "grove", "hill", "apt", "apartment", "unit"),
        *("suite", "ste", "flat", "floor", "fl", "box", "po", "p.o", "bldg", "building"),
        *("house", "lodge", "route", "rr", "rte", "north", "south", "east", "west", "n", "s"),
        *("e", "w", "ne", "nw", "se", "sw", "county", "parish", "rest", "area", "new", "the"),
        *("of", "and", "upper", "lower", "calle", "c", "avenida", "avda", "plaza", "pza"),
        *("paseo", "pº", "carretera", "ctra", "camino", "ronda", "travesía", "s/n", "sn"),
        *("nº", "no", "num", "piso", "esc", "escalera", "puerta", "bajo", "izq", "izda"),
        *("dcha", "d", "de", "del", "la", "las", "los", "el", "y", "km", "portal"),
        *("urbanización", "ruta", "autopista", "autovía", "barrio", "bº", "mz", "manzana"),
        *("depto", "dpto", "dto", "apto", "pje", "pasaje", "priv", "privada", "lgh", "vägen"),
        *("gatan", "gränd", "gata", "väg", "ort", "township", "province", "district"),
        *("region", "heights", "road.", "st.", "ave.", "private", "bag", "p.o.", "mile"),
        *("marker", "lote", "bloque", "edificio", "planta", "track", "walk", "bend", "path"),
        *("run", "spur", "crossing", "xing", "turnpike", "tpke", "expressway", "expy"),
        *("freeway", "fwy", "cove", "wynd", "brae", "parade", "pde"),
    )
)
NUMBERED = frozenset(  # such words where a number stands behind them
    (
        *("us", "rt", "interstate", "cr", "fm", "block", "blk", "shop", "stand", "ext"),
        *("extension", "room", "rm", "level", "mm", "plot", "cottage", "cottages", "tower"),
    )
)
GENERIC = frozenset(
    (
        *("co", "county", "parish", "lake", "river", "creek", "valley", "mountain", "mount"),
        *("bay", "island", "beach", "park", "rest", "area", "market", "school", "church"),
        *("bridge", "farm", "ranch", "hill", "hills", "trail", "road", "highway", "district"),
        *("township", "fort", "port", "camp", "section", "block", "lot", "mile", "north"),
        *("south", "east", "west", "upper", "lower", "the", "of", "at", "and", "on", "p.o"),
        *("po", "box", "private", "bag", "rr", "post", "office", "drawer", "dx", "rd", "rte"),
        *("rt", "route", "star", "r.f.d", "rfd", "hc", "us", "rodeo", "grounds"),
        *("fairgrounds", "pier", "pass", "fork", "divide", "canyon", "ridge", "point", "dam"),
        *("falls", "forest", "reservation", "airport", "airstrip", "harbor", "harbour"),
        *("marina", "dock", "docks", "station", "stadium", "centre", "center", "hall"),
        *("library", "pool", "rink", "gardens", "loch", "glen", "coast", "trailhead"),
        *("campground", "cemetery", "mall", "leisure"),
    )
)
GLUED = ("gatan", "vägen", "gränd", "torget", "gata")
NAME_PARTICLES = frozenset({"de", "del", "la", "las", "los", "el", "of", "y"})
COUNTRY_SHORT = frozenset({"ee.uu", "eeuu", "usa", "us", "uk", "uae", "u.s", "u.k", "u.s.a"})
TOWN_WORDS = {"st": "saint", "ste": "sainte", "ft": "fort", "mt": "mount"}
TOWNS_SHORT = {
    "la": "los angeles",
    "nyc": "new york",
    "new york city": "new york",
    "bronx": "the bronx",
    "sf": "san francisco",
    "dc": "washington",
    "washington dc": "washington",
    "slc": "salt lake city",
    "okc": "oklahoma city",
    "nola": "new orleans",
    "philly": "philadelphia",
    "vegas": "las vegas",
}
JOINTS = frozenset({"and", "at", "on", "near", "in", "by", "off", "behind"})
FLOORS = frozenset({"floor", "fl"})
STREET_TYPES = frozenset(
    (
        *BRITISH_TYPES,
        *("street", "st", "road", "rd", "avenue", "ave", "av", "lane", "ln", "drive", "dr"),
        *("court", "ct", "place", "pl", "way", "boulevard", "blvd", "terrace", "ter"),
        *("highway", "hwy", "parkway", "pkwy", "close", "crescent", "square", "sq", "row"),
    )
)
UNIT_WORDS = frozenset({"apt", "apartment", "unit", "suite", "ste", "flat", "floor", "bldg", "box"})
