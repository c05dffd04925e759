"""One JSON object with its texts and mentions, which alone are ever rewritten."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import cast

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import EncodingError, InputError, Place
from phiscrub.core.mention import Annotated
from phiscrub.formats.choose import MENTIONS, Columns, choose
from phiscrub.formats.encoding import Encoding, check_text
from phiscrub.formats.limits import check_size
from phiscrub.formats.mentions import (
    ANSWER,
    DECLINED,
    OTHERS,
    are_mentions,
    read_mentions,
    usual_mentions,
    write_mentions,
)
from phiscrub.formats.record import Options
from phiscrub.formats.values import words_of

MARK = "\ufeff"
WIDEST = 6  # bytes a character: \u0041
SLACK = 1 << 20  # bytes of an object beside its note
SPACE = re.compile(r"[ \t\r\n]*+")
DECODE = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Object:
    """An object as it was: where its texts and its mentions stand, and what the texts say.

    `names` are the keys of the texts that are there; one that is null or absent has no note.
    `before` is what stands between it and the object before it in one array. `declined` says that
    its annotator rejected or skipped it.
    """

    raw: str = field(repr=False)
    names: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    columns: tuple[str, ...] = ()
    mentions: tuple[int, int] | None = None
    before: bytes = b""
    declined: bool = False

    def about(self) -> dict[str, str]:
        """Return the words that it holds beside its texts and mentions, by their keys."""
        if not self.names:
            return {}
        members = _members(self.raw, int(self.raw.startswith(MARK)), Place(), "line")
        return {
            member.key: words
            for member in members
            if member.key not in self.names
            and member.span != self.mentions
            and (words := words_of(member.value))
        }

    def spliced(self, notes: Sequence[Annotated], encoding: str) -> str:
        """Return the object with the texts that have changed and the mentions anew."""
        ascii_only = encoding != "utf-8"  # an escape stands for what cannot be encoded
        edits = [
            (span, json.dumps(note.document.text, ensure_ascii=ascii_only))
            for span, text, note in zip(self.spans, self.texts, notes, strict=True)
            if note.document.text != text
        ]
        if self.mentions is not None:
            claims = (
                (name, mention)
                for name, note in zip(self.names, notes, strict=True)
                for mention in note.mentions
            )
            edits.append((self.mentions, write_mentions(claims, self.columns)))
        raw = self.raw
        for (start, end), data in sorted(edits, reverse=True):
            raw = raw[:start] + data + raw[end:]
        return raw


@dataclass(frozen=True, slots=True)
class Member:
    """A key of an object with its value, and where the value stands in the object's text."""

    key: str
    value: object = field(repr=False)
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ObjectReader:
    """Reads objects as the options say; `noun` is what messages call one, `stem` the file's."""

    options: Options
    encoding: str
    stem: str
    noun: str
    _known: dict[tuple[str, ...], Columns] = field(default_factory=dict)

    def decoded(self, raw: bytes, where: Place) -> str:
        """Turn an object's bytes into text; raise `EncodingError` where they are none."""
        try:
            return raw.decode(self.encoding)
        except UnicodeDecodeError as error:
            raise EncodingError(
                f"byte {raw[error.start]:#04x} is not {self.encoding}",
                where=where,
                hint="convert the file to UTF-8",
            ) from None

    def read(
        self, text: str, at: int, number: int, where: Place
    ) -> tuple[tuple[Annotated, ...], Object]:
        """Read the object that begins at `at`, the file's with this number: its notes, and it.

        Where its annotator rejected or skipped it, the notes have no mentions.
        """
        members = _members(text, at, where, self.noun)
        keys = tuple(member.key for member in members)
        if keys not in self._known:
            self._known[keys] = self._choose(keys)
        columns = self._known[keys]
        base = _word(members, columns.id) or f"{self.stem}-{number}"
        key = _word(members, columns.subject)
        subject = Subject(key) if key else None
        names = [columns.names[column] for column in columns.texts]
        declined = any(m.key == ANSWER and m.value in DECLINED for m in members)
        place = None if columns.mentions is None else members[columns.mentions]
        claims = None if place is None else place.value
        if place is None:
            place = next((m for m in members if m.key in OTHERS and are_mentions(m.value)), None)
            claims = usual_mentions(place.value) if place else None
        found = read_mentions(None if declined else claims, names)
        meta = _meta(members)
        texts, notes = [], []
        for column in columns.texts:
            member = members[column]
            if member.value is None:
                continue
            if not isinstance(member.value, str):
                raise InputError(f"{member.key!r} is no string", hint="texts must be strings")
            check_size(len(member.value), self.options.max_note, where)
            if "\0" in member.value or not member.value.isascii():  # two glances cost less
                check_text(member.value, where)
            document = Document(columns.note_id(base, column), member.value, subject, meta)
            notes.append(Annotated(document, found[member.key]))
            texts.append(member)
        carry = Object(
            text,
            names=tuple(member.key for member in texts),
            spans=tuple(member.span for member in texts),
            texts=tuple(note.document.text for note in notes),
            columns=tuple(names),
            mentions=None if place is None else place.span,
            declined=declined,
        )
        return tuple(notes), carry

    def _choose(self, keys: tuple[str, ...]) -> Columns:
        options = self.options
        if not options.text_columns and {"data", "annotations"} <= {*keys}:
            hint = "export it anew as JSON-MIN, which is read"
            raise InputError("is Label Studio's whole export", hint=hint)
        if options.subject_column is None and "subject" in keys:
            options = replace(options, subject_column="subject")
        return choose(keys, options, "key", may_lack=True)


def written_object(note: Annotated, encoding: Encoding) -> str:
    """Return a note of any format as an object: its id, text and mentions, and what is known."""
    document = note.document
    row: dict[str, object] = {"id": document.id, "text": document.text}
    claims = write_mentions((("text", mention) for mention in note.mentions), ["text"])
    row[MENTIONS] = json.loads(claims)
    if document.subject is not None:
        row["subject"] = document.subject.key
    if document.meta:
        row["meta"] = dict(document.meta)
    return json.dumps(row, ensure_ascii=encoding.name != "utf-8")


def _members(line: str, at: int, where: Place, noun: str) -> list[Member]:
    """Cut the object that is all of the text into its members."""

    def sign(at: int, wanted: str) -> int:
        if line[at : at + 1] not in wanted or at >= len(line):
            raise json.JSONDecodeError("unexpected", line, at)
        return _skip(line, at + 1)

    members: list[Member] = []
    try:
        at = sign(_skip(line, at), "{")
        while line[at : at + 1] != "}":
            if members:
                at = sign(at, ",")
            if line[at : at + 1] != '"':
                raise json.JSONDecodeError("unexpected", line, at)
            key, at = DECODE(line, at)
            start = sign(_skip(line, at), ":")
            value, end = DECODE(line, start)
            members.append(Member(key, value, (start, end)))
            at = _skip(line, end)
        at = sign(at, "}")
        if at < len(line):
            raise json.JSONDecodeError("unexpected", line, at)
    except (ValueError, RecursionError) as error:
        place = replace(where, offset=getattr(error, "pos", None))
        raise InputError(
            f"the {noun} is no JSON object", where=place, hint=f"each {noun} must be one"
        ) from None
    return members


def _skip(line: str, at: int) -> int:
    return cast(re.Match[str], SPACE.match(line, at)).end()


def _word(members: list[Member], index: int | None) -> str:
    """Return an id or a subject: a string or a whole number; empty where there is none."""
    value = None if index is None else members[index].value
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        key = members[cast(int, index)].key
        raise InputError(f"{key!r} is neither a string nor a whole number")
    word = str(value)
    check_text(word, Place())
    return word


def _meta(members: list[Member]) -> dict[str, str]:
    """Return the metadata that we wrote; a `meta` of another shape only passes through."""
    value = next((member.value for member in members if member.key == "meta"), None)
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value.values()):
        return {}
    return value
