"""HTML, RTF and XML that are none of the formats read: their tags and escapes hide names."""

from __future__ import annotations

import re
from html import unescape

HTML_FILES = (".html", ".htm", ".xhtml")
FIRST = re.compile(
    r"\s*+(?:<!--.*?-->\s*+)*+<(?P<name>[!?]?[A-Za-z][\w:.-]*+)(?P<rest>[^<>]*+)>", re.DOTALL
)
HTML = re.compile(
    "a|b|body|br|center|div|em|font|form|h[1-6]|head|hr|html|i|img|li|link|meta|ol|p|pre|script"
    "|section|span|strong|style|table|tbody|td|th|thead|title|tr|u|ul"
)
RTF = "{\\rtf"
ESCAPE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
HARMLESS = '&<>"'  # characters whose escapes stand in no word
MARK = re.compile(r"<[A-Za-z/!]|&#?\w+;")


def markup_of(text: str, suffix: str) -> str | None:
    """Say what markup a text is, told by how it begins and by its file's name; None for none.

    A note may begin with a placeholder such as ``<NAME>``: a tag alone is no markup, unless it is
    closed somewhere.
    """
    if suffix.lower() in HTML_FILES and MARK.search(text):
        return "HTML"
    first = FIRST.match(text) if text[:1_000].lstrip().startswith("<") else None
    if first is None:
        return None
    name, rest = first["name"].lower(), first["rest"].lower()
    if name == "html" or (name == "!doctype" and rest.lstrip().startswith("html")):
        return "HTML"
    if name.startswith(("?xml", "!doctype")) or suffix.lower() == ".xml":
        return "XML of no known kind"
    if f"</{first['name']}" not in text:
        return None
    return "HTML" if HTML.fullmatch(name) else "XML of no known kind"


def hidden_by(text: str) -> str | None:
    """Say what a note is that is no plain text: RTF, HTML, or text with HTML's escapes."""
    if text[:1_000].lstrip().startswith(RTF):
        return "RTF"
    if "<" in text and markup_of(text, "") == "HTML":
        return "HTML"
    return "text with HTML's escapes" if "&" in text and _has_escapes(text) else None


def _has_escapes(text: str) -> bool:
    told = ((found[0], unescape(found[0])) for found in ESCAPE.finditer(text))
    return any(own != sign and sign not in HARMLESS for own, sign in told)
