"""Address blocks: the parts and the lines before a post code, and those below an addressee."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span

SCORE = 0.55  # below every finder that knows what a part is
LINES = 4  # above the one with the post code, or below an addressee
LEAST_PARTS = 2  # of an address below an addressee
# A line that names whom a letter is for, and nothing else.
ADDRESSEE = re.compile(
    r"^[ \t]*(?:To:?[ ]+)?(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Rev|Sir|Dame|Master)\.?"
    r"[ ][^\W\d_][^\n:;,\d]{1,40}\n",
    re.MULTILINE,
)
LONGEST = 48  # characters of an address line
WIDEST = 160  # characters of a line with more than one column
COLUMN = 6  # how far the lines of a block may begin apart
# The first capital stands before the alternatives, so that the search leaps from one to the next.
CODE = re.compile(
    r"[A-Z](?<!\w[A-Z])(?:[A-Z]?\d[A-Z\d]?[ ]{1,2}\d[A-Z]{2}|\d[\dW][ ][A-Z\d]{4}"
    r"|\d[A-Z][ ]\d[A-Z]\d"
    r"|(?:(?<=N)SW|(?<=V)IC|(?<=Q)LD|(?<=T)AS|(?<=[SW])A|(?<=N)T|(?<=A)CT)[ ]{1,2}\d{4}"
    r"|[A-Z][ ]{1,2}\d{5}(?:-\d{4})?)"
    r"(?=[.,]?[ \t]*(?:\n|\Z)|[ \t]{3})"
)
SEGMENT = re.compile(r"[^\s](?:[^\s]|[ ](?! )){0,90}")
PART = re.compile(r"[^,·|]+")
WORD = (
    r"(?:[^\W\d_a-zß-ÿ][\w'’.&-]*|\d{1,4}[A-Za-z]?(?:[-/]\d{1,4})?"
    r"|of|on|the|upon|by|le|y|and|in|at)"
)
PLACE = re.compile(rf"(?!\d+\b[ ]*\Z){WORD}(?:[ ]{WORD}){{0,5}}\.?")
OTHERS = re.compile(
    r"(?:Drs?|Mr|Mrs|Ms|Miss|Mx|Prof|Sr|Sister|Rev|Re|Dear|Tel|Phone|Fax|Email|Date|DOB|D\.O\.B|Ref|"
    r"NHS|MRN|Hospital|Ward|Consultant|Typed|Dictated|Clinic|Patient|Private|The|Dept|Department|Address|Addr|Add|"
    r"Postcode|Post[ ]?code|Eircode|Zip|Home|GP|Name|To|From)\b"
)


def parts_of_addresses(text: str) -> Iterator[Mention]:
    """Yield what stands before each post code at the end of a line, on it and on lines above.

    Capitalised parts between commas count; a line that is more than such parts ends the block.
    """
    for code in CODE.finditer(text):
        begins = text.rfind("\n", 0, code.start()) + 1
        if code.start() - begins > WIDEST:
            continue
        segments = list(SEGMENT.finditer(text, begins, code.start()))
        column = segments[-1].start() - begins if segments else code.start() - begins
        if segments and not (yield from _parts(text, segments[-1].span())):
            continue
        for _ in range(LINES):
            ends = begins - 1
            if ends < 0:
                break
            begins = text.rfind("\n", 0, ends) + 1
            if ends - begins > WIDEST:
                break
            lines = [
                m.span()
                for m in SEGMENT.finditer(text, begins, ends)
                if abs(m.start() - begins - column) <= COLUMN
            ]
            if len(lines) != 1 or not (yield from _parts(text, lines[0])):
                break


def addresses_of_letters(text: str) -> Iterator[Mention]:
    """Yield the parts of the lines between whom a letter is for and the next empty line."""
    for addressee in ADDRESSEE.finditer(text):
        begins = addressee.end()
        found: list[Mention] = []
        for _ in range(LINES + 1):
            ends = text.find("\n", begins)
            line = text[begins:ends] if ends >= 0 else ""
            if not line.strip():
                break
            parts = list(_parts(text, (begins + len(line) - len(line.lstrip()), ends)))
            if not parts:
                found = []
                break
            found += parts
            begins = ends + 1
        if len(found) >= LEAST_PARTS:
            yield from found


def _parts(text: str, span: tuple[int, int]) -> Generator[Mention, None, bool]:
    """Yield the parts of one line; return whether it is nothing but parts of an address."""
    start, end = span
    if end - start > LONGEST or OTHERS.match(text, start):
        return False
    found = []
    for part in PART.finditer(text, start, end):
        words = part[0].strip()
        if not words:
            continue
        first = part.start() + part[0].index(words)
        if not PLACE.fullmatch(words):
            return False
        label = "STREET" if words[0].isdigit() else "CITY"
        stop = first + len(words.rstrip("."))
        found.append(Mention(Span(first, stop), label, SCORE, "gazetteer:address"))
    yield from found
    return bool(found)
