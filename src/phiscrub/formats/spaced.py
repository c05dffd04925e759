r"""Our own columns: token, white space, tag; the one dialect that gives the text back exactly.

    -DOCSTART-<tab>Doc=note-1|Scheme=BIO<tab>O

    Seen<tab>_<tab>O
    by<tab>_<tab>O
    Ann<tab>_<tab>B-DOCTOR
    Lee<tab>SpaceAfter=No<tab>I-DOCTOR
    .<tab>SpacesAfter=\n\n<tab>O

The first and the last column are those of CoNLL-2003, so other programs read it as that. The
one between says what follows the token where that is not one blank, in the words of CoNLL-U
(https://universaldependencies.org/format.html#untokenized-text) with UDPipe's escapes. A token
never holds white space; a mention that begins or ends with some has it as a row of its own,
``_`` with ``Form=``. What a scrub leaves in place of a mention (``[PATIENT-1]``, stars) is one
row, however the tokenizer cuts it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from phiscrub.core.cover import Cover
from phiscrub.core.errors import AnnotationError, LabelError, Place
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.tokens import Tokens
from phiscrub.formats.columns import DOCSTART, ENDS, Row
from phiscrub.formats.tags import Chunk, TagStyle

WORD = re.compile(r"\S+")
STAND_IN = re.compile(r"\[[^\s\[\]]+\]|\*+")
MARK = re.compile(rf"{DOCSTART}\t(?P<about>Doc=[^\t]*)\t{OUTSIDE}[\r\n]*$")
END_MARK = f"{DOCSTART}\t_\t{OUTSIDE}\n\n"  # behind a note, where one without a mark may follow
WIDTH = 3
ESCAPES = {" ": "s", "\t": "t", "\n": "n", "\r": "r", "|": "p", "\\": "\\"}
ESCAPED = re.compile(r"[ \t\n\r|\\]")
UNESCAPES = {letter: character for character, letter in ESCAPES.items()}
UNESCAPED = re.compile(r"\\(.)")


def about(line: str) -> Mapping[str, str] | None:
    """Return what the line that begins a note says of it; None for any other line."""
    match = MARK.match(line)
    return None if match is None else _attributes(match["about"])


def read(lines: Sequence[str], where: Place) -> tuple[str, list[list[Row]]]:
    """Read the lines of a note, its mark first at `where`: its text and sentences."""
    pieces = [(about(lines[0]) or {}).get("SpacesBefore", "")]
    done = len(pieces[0])
    sentences: list[list[Row]] = []
    closed = True
    for index, line in enumerate(lines[1:], 1):
        if not line.strip(ENDS):
            closed = True
            continue
        cells = line.rstrip("\r\n").split("\t")
        if len(cells) != WIDTH or not all(cells):
            raise AnnotationError(
                "the row is not token, tab, white space, tab, tag",
                where=Place(where.path, (where.line or 1) + index),
                hint="keep the three columns of phiscrub's own files",
            )
        facts = _attributes(cells[1])
        word = facts.get("Form", cells[0])
        after = "" if facts.get("SpaceAfter") == "No" else facts.get("SpacesAfter", " ")
        if closed:
            sentences.append([])
        closed = False
        sentences[-1].append(Row(index, done, done + len(word), cells[2]))
        pieces += (word, after)
        done += len(word) + len(after)
    return "".join(pieces), sentences


def write(note: Note, cover: Cover, style: TagStyle, facts: Mapping[str, str]) -> str:
    """Write one note; `facts` go to its mark, beside its id.

    Tokens are cut at the edges of mentions, so that these stay exact. A sentence's end inside a
    mention is none. Raises `LabelError` for a label that no column holds, and `AnnotationError`
    where the tags do not give the mentions back (IO cannot part two that touch).
    """
    pieces = _pieces(note.text, (note.tokens, note.sentences), cover)
    chunks = _chunks(pieces, cover)
    breaks = _breaks([start for start, _ in pieces], note.sentences, chunks)
    lead = pieces[0][0] if pieces else len(note.text)
    before = {"SpacesBefore": note.text[:lead]} if lead else {}
    mark = _written({"Doc": note.document.id, **facts, **before})
    rows = [f"{DOCSTART}\t{mark}\t{OUTSIDE}\n"]
    firsts = [first for first, _, _ in chunks]
    for start, end in pairwise([*breaks, len(pieces)]):
        mine = chunks[bisect_left(firsts, start) : bisect_left(firsts, end)]
        inside = [(first - start, last - start, label) for first, last, label in mine]
        tags = style.write(end - start, inside)
        if style.chunks(tags) != inside:
            raise AnnotationError(
                "the tag scheme cannot hold these mentions",
                where=Place(record=note.document.id),
                hint="two that touch need one of BIO, IOB1, BIOES and BILOU (--scheme)",
            )
        rows.append("\n")
        rows += _rows(note.text, pieces[start : end + 1], tags)
    rows.append("\n")
    return "".join(rows)


def _rows(text: str, pieces: Sequence[tuple[int, int]], tags: Sequence[str]) -> Iterator[str]:
    """Yield a row a tag; `pieces` has one more, the first of the next sentence, or not."""
    follow = [start for start, _ in pieces[1:]] + [len(text)]
    for (start, end), behind, tag in zip(pieces, follow, tags, strict=False):
        word, after = text[start:end], text[end:behind]
        facts = {} if WORD.fullmatch(word) else {"Form": word}
        if not after:
            facts["SpaceAfter"] = "No"
        elif after != " ":
            facts["SpacesAfter"] = after
        yield f"{'_' if 'Form' in facts else word}\t{_written(facts) or '_'}\t{tag}\n"


def _pieces(text: str, cuts: Sequence[Tokens], cover: Cover) -> list[tuple[int, int]]:
    """Cut all that is not white space at every edge; add the white edges of mentions."""
    edges = {0, len(text)}
    for cut in cuts:
        edges.update(cut.starts.tolist(), cut.ends.tolist())
    white: list[tuple[int, int]] = []
    for mention in cover:
        start, end = mention.span.start, mention.span.end
        words = text[start:end]
        for match in STAND_IN.finditer(words):
            edges.difference_update(range(start + match.start() + 1, start + match.end()))
        edges.update((start, end))
        left = end - len(words.lstrip())
        right = start + len(words.rstrip())
        white += [(start, left)] if start < left else []
        white += [(right, end)] if left < end and right < end else []
    found = [
        match.span() for a, b in pairwise(sorted(edges)) for match in WORD.finditer(text, a, b)
    ]
    # A word that is the mark of CoNLL-2003 itself would begin a note.
    marks = [(a, b) for a, b in found if b - a == len(DOCSTART) and text[a:b] == DOCSTART]
    halves = [half for a, b in marks for half in ((a, b - 1), (b - 1, b))]
    return sorted({*found, *white, *halves}.difference(marks))


def _chunks(pieces: Sequence[tuple[int, int]], cover: Cover) -> list[Chunk]:
    """Return the mentions as chunks of pieces; every edge of one is a piece's."""
    starts = {start: index for index, (start, _) in enumerate(pieces)}
    ends = {end: index for index, (_, end) in enumerate(pieces, 1)}
    for label in {mention.label for mention in cover}:
        if label.split() != [label]:
            raise LabelError(
                f"label {label!r} has white space, which columns cannot hold",
                hint="map it to a label in one word",
            )
    return [(starts[m.span.start], ends[m.span.end], m.label) for m in cover]


def _breaks(starts: Sequence[int], sentences: Tokens, chunks: Sequence[Chunk]) -> list[int]:
    """Return the indices of the pieces that begin a sentence, 0 among them if there are any."""
    inside = {index for first, end, _ in chunks for index in range(first + 1, end)}
    openings = sorted(sentences.starts.tolist())
    found, at = [0] if starts else [], 0
    for index, start in enumerate(starts):
        begun = at
        while at < len(openings) and openings[at] <= start:
            at += 1
        if at > begun and index and index not in inside:
            found.append(index)
    return found


def _attributes(words: str) -> dict[str, str]:
    """Read ``Key=value|Key=value``, escapes undone; ``_`` has none."""
    parts = (part.partition("=") for part in words.split("|"))
    return {key: UNESCAPED.sub(_unescape, value) for key, sign, value in parts if sign}


def _written(facts: Mapping[str, str]) -> str:
    """Write ``Key=value|Key=value``."""
    return "|".join(f"{key}={ESCAPED.sub(_escape, value)}" for key, value in facts.items())


def _escape(match: re.Match[str]) -> str:
    return "\\" + ESCAPES[match[0]]


def _unescape(match: re.Match[str]) -> str:
    return UNESCAPES.get(match[1], match[0])
