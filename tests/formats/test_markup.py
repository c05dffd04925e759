from __future__ import annotations

import pytest

from phiscrub.formats.markup import hidden_by

ESCAPES = "text with HTML's escapes"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("{\\rtf1 Ann}", "RTF"),
        ("Note 1:\n{\\rtf1\\ansi Ren\\'e9e}", "RTF"),
        ("\ufeff<html><p>Jo</p></html>", "HTML"),
        (" <P>Jo</p>", "HTML"),
        ("O&#39;Brien", ESCAPES),
        ("O&#x27;Brien", ESCAPES),
        ("O&#39Brien", ESCAPES),
        ("O&amp;#39;Brien", ESCAPES),
        ("O&rsquo;Brien", ESCAPES),
        ("Jos&eacute;", ESCAPES),
        ("Jos&amp;eacute;", ESCAPES),
        ("Garc&iacutea", ESCAPES),
        ("&Zcaron;upan", ESCAPES),
        ("Ann&nbsp;Lee", ESCAPES),
        ("Ann&#160;Lee", ESCAPES),
        ("&#1040;&#1085;&#1085;&#1072;", ESCAPES),
        (
            "BP &ge; 140, 98&deg;F, 5 &micro;g, &beta;-blocker, a&#10;b &lt;3 &amp; &quot;",
            None,
        ),
        ("am&pm; and&or; labs&notes; PO&gtube; Sig&rx; ?a=1&lang;b &; &#; &#x; &#99999999;", None),
        ("A&Ox3, H&P, hip&knee; <NAME> saw <b> and AT&T; R&D;", None),
        ("<NAME>Ann</NAME> was seen", None),
        ("Seen: <p>Mr. Ann <b>L</b>ee</p>", "HTML"),
        ("Seen: Mr. A<I >nn</I > Lee", "HTML"),
        ("Seen: Ann<span\nstyle='color: red'>Lee", "HTML"),
        ('Seen: <IMG SRC="a.png"> Ann', "HTML"),
        ("Ann<br>Lee<BR/>Jo<br />Ray", "HTML"),
        ("A<!-- x -->nn Lee", "HTML"),
        ("Ann <st1:PersonName>Lee</st1:PersonName>", "HTML"),
        ("Ann<o:p></o:p>", "HTML"),
        ("BP <120/80>, K <3, a < b and c > d, p <b and c> d, <- x ->, <!>, </3, <br", None),
        ("[**Name**] <name> <p> <P-1> <b> <i@x.org> <p.lee@x.org> <hr.a@x.org> <table 1>", None),
        ("Mr. <NAME>Lee</NAME>, <CENTER>Ohio</CENTER>, <PHI TYPE='DOCTOR'>Ann</PHI>", None),
        ("10<sup>9</sup>/L, HR <p50 = low>, x <b = y> z", None),
    ],
)
def test_what_hides_names(text: str, kind: str | None) -> None:
    assert hidden_by(text) == kind
