"""Penn Treebank words, each where it stands in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from phiscrub.core.document import Document
from phiscrub.core.note import Note
from phiscrub.core.tokens import Tokens
from phiscrub.tokenize.sentences import CLOSING, split_all, split_sentences

HIDDEN = r"\u00ad\u200b-\u200f\u2060\ufeff"  # invisible format characters
REST = rf"[\w\u0300-\u036f{HIDDEN}]*"  # what goes on with a word: marks and the invisible too
PIECE = re.compile(
    rf"""
      (?:(?<![\w.])\.(?=\d))?              # ".5"
      \w{REST}
      (?: [-./&'’] \w{REST}                # half-life, and/or, U.S, AT&T, O'Neil, 03/14/2012, 3.5
        | (?<=\d) [,:] (?=\d) \w{REST}     # 1,000 and 10:30
      )*
      (?: \. (?!\.) )?                     # Dr.
    | ['’](?:s|m|d|ll|re|ve)(?!\w)         # a clitic that was cut off before
    | \.{{2,}} | --+ | `` | ''             # ellipsis, dash, typed quotes
    | [^\s{HIDDEN}]                        # any other visible character
    """,
    re.VERBOSE | re.IGNORECASE,
)
ALONE = r"(?<![\w'’./&-])"
# A piece is cut where a match begins; lookbehinds stand last, so that letters are found fast.
JOINED = re.compile(
    rf"""
      n (?<=\wn) (?= ['’]t (?![\w-]) )
    | ['’] (?<=\w.) (?= (?:s|m|d|ll|re|ve) (?![\w-]) )
    | not (?<={ALONE}cannot) \b
    | na (?<={ALONE}gonna|{ALONE}wanna) \b
    | ta (?<={ALONE}gotta) \b
    | me (?<={ALONE}gimme|{ALONE}lemme) \b
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Treebank:
    """Words, punctuation and clitics after the conventions of the Penn Treebank.

    - Clitics are cut off: `do` `n't`, `he` `'s`, `they` `'ll`; so are `can` `not`, `gon` `na`,
      `got` `ta`, `wan` `na`, `gim` `me` and `lem` `me`.
    - Punctuation, brackets, quotes, `$`, `%` and `#` are tokens; runs of dashes and of periods
      are one token each.
    - A period is cut off the last word of a sentence and stays on any other: `Dr.`, `p.o.`.
    - Hyphens, slashes and periods inside a word stay, as do commas and colons between digits:
      `follow-up`, `and/or`, `03/14/2012`, `1,000`, `10:30`.

    Unlike the Treebank, nothing is rewritten: brackets are not `-LRB-`, quotes stay as typed.
    A mark or an invisible character behind a letter is part of the word; elsewhere the
    invisible is white space.

    Source: Marcus, Santorini and Marcinkiewicz 1993, "Building a large annotated corpus of
    English: the Penn Treebank", and its `tokenizer.sed`, which works on one sentence a line.
    """

    def cut(self, text: str) -> Tokens:
        """Cut one text."""
        return _cut(text, split_sentences(text))

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        """Return one note a document, in order."""
        sentences = split_all(document.text for document in documents)
        cut = zip(documents, sentences, strict=True)
        return [Note(document, _cut(document.text, s), s, "treebank") for document, s in cut]


def _cut(text: str, sentences: Tokens) -> Tokens:
    pieces = Tokens.of(text, (match.span() for match in PIECE.finditer(text)))
    cuts = [match.start() for match in JOINED.finditer(text)]
    cuts += _final_periods(text, sentences)
    if not cuts:
        return pieces
    points = np.unique(np.array(cuts, dtype=np.int32))
    inside = np.searchsorted(pieces.starts, points) - 1
    points = points[(inside >= 0) & (points < pieces.ends[inside])]
    starts, ends = np.append(pieces.starts, points), np.append(pieces.ends, points)
    return Tokens(text, np.sort(starts), np.sort(ends))


def _final_periods(text: str, sentences: Tokens) -> Iterator[int]:
    """Yield the offset of each period that ends a sentence, closing marks behind it or not."""
    for start, end in zip(sentences.starts.tolist(), sentences.ends.tolist(), strict=True):
        last = start + len(text[start:end].rstrip(CLOSING)) - 1
        if text[last] == "." and last > start and text[last - 1] != ".":
            yield last
