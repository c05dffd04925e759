"""Columns as several programs write them, and how tests read and write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.formats.conll import Conll
from phiscrub.formats.record import Failure, Options, Record
from phiscrub.formats.source import Source

CONLL_2003 = """-DOCSTART- -X- O O

EU NNP I-NP I-ORG
rejects VBZ I-VP O
German JJ I-NP I-MISC
British JJ I-NP B-MISC
. . O O

Peter NNP I-NP I-PER
Blackburn NNP I-NP I-PER

-DOCSTART- -X- O O

Brussels NNP I-NP I-LOC
"""
CONLL_2012 = """#begin document (bc/x/00/x_0000); part 000
bc/x/00/x_0000   0   0    Ann   NNP  (TOP(S*  -  -  -  Speaker#1  (PERSON*   *  (1
bc/x/00/x_0000   0   1    Lee   NNP        *  -  -  -  Speaker#1         *)  *  1)
bc/x/00/x_0000   0   2  slept   VBD        *  -  -  -  Speaker#1         *   *  -
bc/x/00/x_0000   0   3  today    NN       *)  -  -  -  Speaker#1    (DATE)   *  -

#end document
#begin document (bc/x/00/x_0000); part 001
bc/x/00/x_0000   1   0    Yes    UH  (TOP(S*)  -  -  -  Speaker#1  *   *  -

#end document
"""
UNER = """# newdoc id = P1
# sent_id = P1-1
# text = 'Ann Lee' sov, t ex.
1\t'\tO\t-\t-
2\tAnn\tB-PER\t-\tsomebody
3\tLee\tI-PER\t-\tsomebody
4\t'\tO\t-\t-
5\tsov\tO\t-\t-
6\t,\tO\t-\t-
7\tt ex\tO\t-\t-
8\t.\tO\t-\t-

# sent_id = P1-2
# text = another sentence
1\tUmeå\tB-LOC\t-\tsomebody

# newdoc id = P2
# text = Nej
1\tNej\tO\t-\t-

"""
TABBED = "Empire\tB-location\nState\tI-location\n=\tO\nESB\tB-location\n\n#\tO\nx\tO\n"
KLINTAN = "Gunhild\tPER\nWestman\tPER\n,\t0\nVisby    LOC\n.    0\n"
SUC = """\
1\tHär\thär\tAB\tAB\t_\t2\tAA\t_\t_\tO\t_\taa01a-001:1
2\tlog\tle\tVB\tVB\tPRT|AKT\t0\tROOT\t_\t_\tO\t_\taa01a-001:2
3\tEva\tEva\tPM\tPM\tNOM\t2\tSS\t_\t_\tB\tperson\taa01a-001:3
4\tEk\tEk\tPM\tPM\tNOM\t3\tHD\t_\t_\tI\tperson\taa01a-001:4
5\t.\t.\tMAD\tMAD\t_\t2\tIP\t_\t_\tO\t_\taa01a-001:5

1\tPå\tpå\tPP\tPP\t_\t0\tROOT\t_\t_\tO\t_\taa01a-002:1
2\tKTH\tKTH\tPM\tPM\tNOM\t1\tPA\t_\t_\tB\tinst\taa01a-002:2
"""
WORDS = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


class Regex:
    """Cuts at words, numbers and signs, and sentences at line feeds."""

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        return [
            Note(
                d,
                Tokens.of(d.text, [m.span() for m in WORDS.finditer(d.text)]),
                Tokens.of(d.text, [m.span() for m in re.finditer(r"[^\n]+", d.text)]),
            )
            for d in documents
        ]


@dataclass(frozen=True)
class Given:
    """Hands out notes that were cut before."""

    cut: tuple[Note, ...]

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        return [note for d in documents for note in self.cut if note.document is d]


def read(path: Path, options: Options = Options()) -> list[Record]:  # noqa: B008
    found = list(Conll().open(Source(path), options).records())
    failures = [str(each.error) for each in found if isinstance(each, Failure)]
    assert not failures, failures
    return [each for each in found if isinstance(each, Record)]


def parse(tmp_path: Path, text: str | bytes, options: Options = Options()) -> list[Record]:  # noqa: B008
    path = tmp_path / "in.conll"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read(path, options)


def write(
    path: Path,
    records: Sequence[Record],
    layout: object = None,
    options: Options = Options(),  # noqa: B008
) -> bytes:
    writer = Conll().create(path, layout, options)
    try:
        for record in records:
            writer.write(record)
    finally:
        writer.close()
    return path.read_bytes()


def rewrite(tmp_path: Path, records: Sequence[Record], options: Options = Options()) -> str:  # noqa: B008
    """Write in the columns of ``in.conll``."""
    layout = Conll().open(Source(tmp_path / "in.conll"), Options()).layout
    return write(tmp_path / "out.conll", records, layout, options).decode()


def places(note: Annotated) -> list[tuple[int, int, str]]:
    return sorted((m.span.start, m.span.end, m.label) for m in note.mentions)


def words(note: Annotated) -> list[tuple[str, str]]:
    return [(note.document.text[m.span.start : m.span.end], m.label) for m in note.mentions]


def facts(notes: Sequence[Annotated]) -> list[tuple[str, str, list[tuple[int, int, str]]]]:
    return [(note.document.id, note.document.text, places(note)) for note in notes]


def only(records: Sequence[Record]) -> Annotated:
    ((note,),) = [record.notes for record in records]
    return note


def plain(text: str, *mentions: tuple[int, int, str], name: str = "n") -> Record:
    found = tuple(Mention(Span(start, end), label) for start, end, label in mentions)
    return Record((Annotated(Document(name, text), found),))
