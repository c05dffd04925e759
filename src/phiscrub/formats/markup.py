"""HTML, RTF and XML that are none of the formats read: their tags and escapes hide names."""

from __future__ import annotations

import re
import sys
from html.entities import html5
from unicodedata import category, name

HTML_FILES = (".html", ".htm", ".xhtml")
FIRST = re.compile(
    r"\s*+(?:<!--.*?-->\s*+)*+<(?P<name>[!?]?[A-Za-z][\w:.-]*+)(?P<rest>[^<>]*+)>", re.DOTALL
)
HTML = re.compile(
    "a|b|body|br|center|div|em|font|form|h[1-6]|head|hr|html|i|img|li|link|meta|ol|p|pre|script"
    "|section|span|strong|style|table|tbody|td|th|thead|title|tr|u|ul"
)
ANYWHERE = re.compile(  # in a note that does not begin as HTML; placeholders are called otherwise
    r"</(?:a|b|blockquote|caption|code|d[ltd]|del|div|em|font|h[1-6]|html|i|ins|li|o:p|ol|p|pre|s"
    r"|script|small|span|st1:\w++|strike|strong|style|table|t[bd]|tbody|tfoot|th|thead|tr|tt|u|ul)"
    r"\s*+>"
    r"|<(?:a|div|font|h[1-6]|html|img|li|meta|ol|p|span|table|td|th|tr|ul)\s++[a-z-]++=[\"'][^<>]*+>"
    r"|<[bh]r\s*+/?>|<!--",
    re.IGNORECASE,
)
RTF = "{\\rtf"
ESCAPE = re.compile(
    r"&(?:amp;)*+(?:#(?P<number>\d{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,6})"
    r"|(?P<name>[A-Za-z]{2,24}\d{0,2})(?=;))"
)
ACCENTED = re.compile(  # browsers read these without a semicolon
    r"&(?:amp;)*+(?:[A-Za-z](?:acute|grave|circ|uml|tilde|cedil|ring|slash)|[Aa][Ee]lig|szlig|nbsp)"
)
SIGNS = "'-\u2010\u2011\u2018\u2019\u02bc"  # hyphens and apostrophes
LETTERS = ("LATIN", "CYRILLIC")
MARK = re.compile(r"<[A-Za-z/!]|&#?\w+;")


def markup_of(text: str, suffix: str) -> str | None:
    """Say what markup a text is, told by how it begins and by its file's name; None for none.

    A note may begin with a placeholder such as ``<NAME>``: a tag alone is no markup, unless it is
    closed somewhere.
    """
    if suffix.lower() in HTML_FILES and MARK.search(text):
        return "HTML"
    text = text.removeprefix("\ufeff")
    first = FIRST.match(text) if text[:1_000].lstrip().startswith("<") else None
    if first is None:
        return None
    tag, rest = first["name"].lower(), first["rest"].lower()
    if tag == "html" or (tag == "!doctype" and rest.lstrip().startswith("html")):
        return "HTML"
    if tag.startswith(("?xml", "!doctype")) or suffix.lower() == ".xml":
        return "XML of no known kind"
    if f"</{tag}" not in text.lower():
        return None
    return "HTML" if HTML.fullmatch(tag) else "XML of no known kind"


def hidden_by(text: str) -> str | None:
    """Say what a note is that is no plain text: RTF, HTML, or text with HTML's escapes.

    HTML may begin anywhere; a tag alone is none unless it has a quoted attribute or breaks a line.
    Only escapes count that can stand in a name: letters, apostrophes, hyphens, spaces; with or
    without the semicolon, and escaped again.
    """
    if RTF in text:
        return "RTF"
    if "<" in text and (ANYWHERE.search(text) or markup_of(text, "") == "HTML"):
        return "HTML"
    return "text with HTML's escapes" if "&" in text and _has_escapes(text) else None


def _has_escapes(text: str) -> bool:
    return ACCENTED.search(text) is not None or any(
        _is_in_names(found) for found in ESCAPE.finditer(text)
    )


def _is_in_names(escape: re.Match[str]) -> bool:
    """Tell whether what an escape stands for can stand in a name."""
    if escape["name"]:
        sign = html5.get(f"{escape['name']};", "")
    else:
        number = int(escape["number"]) if escape["number"] else int(escape["hex"], 16)
        sign = chr(number) if number <= sys.maxunicode else ""
    return bool(sign) and (
        sign in SIGNS or category(sign[0]) in ("Mn", "Zs") or name(sign[0], "").startswith(LETTERS)
    )
