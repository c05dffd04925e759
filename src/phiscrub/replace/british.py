"""What only a British note says."""

from __future__ import annotations

import re

AREAS = (  # of postcodes; one letter tells with two digits only, for `L5 1ST` may be anything
    "AB AL BA BB BD BH BL BN BR BS BT CA CB CF CH CM CO CR CT CV CW DA DD DE DG DH DL DN DT DY EC "
    "EH EN EX FK FY GL GU HA HD HG HP HR HS HU HX IG IP IV KA KT KW KY LA LD LE LL LN LS LU ME MK "
    "ML NE NG NN NP NR NW OL OX PA PE PH PL PO PR RG RH RM SA SE SG SK SL SM SN SO SP SR SS ST SW "
    "SY TA TD TF TN TQ TR TS TW UB WA WC WD WF WN WR WS WV YO ZE"
)
BRITISH = re.compile(
    r"(?<!\w)(?:NHS"
    r"|GP(?![\s-]*(?:[IVX]+[a-c]?(?!\w)|\d))"  # a glycoprotein is `GP IIb/IIIa` or `GP 120`
    rf"|(?:(?:{'|'.join(AREAS.split())})\d[A-Z\d]?|[BEGLMNSW]\d\d) \d[ABD-HJLNP-UW-Z]{{2}}"
    r"|\+44(?:[ ()-]{0,3}\d){9,11}"
    r"|\(?0(?:20\)?[ -]\d{4}[ -]?\d{4}|(?:11[3-8]|1[2-69]1)\)?[ -]\d{3}[ -]?\d{4}"
    r"|[17]\d{3}\)?[ -]\d{3}[ -]?\d{2,3}))(?!\w)"
)


def is_british(text: str) -> bool:
    """Tell whether a note has a word of Britain: the NHS, a GP, a postcode, a telephone number."""
    return BRITISH.search(text) is not None
