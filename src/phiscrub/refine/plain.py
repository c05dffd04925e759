"""Whether a common word that is also a name in the note is the word where it stands."""

from __future__ import annotations

import re

from phiscrub.lexicons.standing import sentence_mark

AROUND = 12  # characters before a word that are looked at
BEHIND = 32  # and behind it
# A word in lower case, or one that begins a sentence, is the name behind one of these.
CUE_BEFORE = re.compile(
    r"\b(?:per|by|told|asked|calls?|called|rang|w/|wife|husband|son|daughter|mother|mom|mum|father|"
    r"dad|sister|brother|partner|friend|contact|bf|gf|fr|rept to|report to)[ ]$|[\"“]$",
    re.IGNORECASE,
)
# With a capital at the start of a sentence it is the name before what people do and are.
DEED_AFTER = re.compile(
    r"""[ ](?:
        (?:is|was|has|had|will|did|does|can|could|would|should|must|cannot)(?:n['’]t)?
        |(?:ca|wo)n['’]t|also|again|never|now|not|still|then|too|who|c/o|s/p|d/c|w/
        |said|told|went|came|got|gave|saw|felt|took|slept|ate|drank|spoke|fell|woke|began|made|kept
        |sat|stood|ran|says|states|confirms|calls|comes|lives|wants|asks|agrees|thinks|denies
        |accepts|admits|advises|appears|arrives|attends|believes|complains|consents|continues
        |declines|drinks|eats|endorses|expects|explains|feels|finds|follows|gets|gives|goes|hopes
        |insists|keeps|knows|looks|makes|needs|notes|notices|offers|orders|performs|plans|prefers
        |presents|receives|recalls|recommends|refers|refuses|remains|remembers|reports|requests
        |requires|returns|reviews|sees|seems|shows|sleeps|speaks|stays|suffers|suggests|takes|talks
        |tells|tolerates|tries|understands|uses|visits|waits|walks|works|worries|writes
        |doing|eating|feeling|improving|resting|sleeping|tolerating|walking|working
        |afebrile|alert|ambulatory|anxious|asleep|awake|aware|better|calm|comfortable|home|here
        |overnight|pleasant|sleepy|stable|today|tomorrow|tonight|unwell|upset|well|yesterday
        |and[ ](?:his|her|I|wife|husband|family|partner|daughter|son|mother|father)
        |left(?=[.,;]|[ ](?:the|for|at|to|home|before|after|without|against)\b|\s*$)
        |to[ ](?!(?:an?|her|his|its|my|our|the|their|this|that|feet|full|normal|touch)\b)[a-z]{2,}
        |[a-z]{3,12}ed
        |mår|mådde|vill|sover|sov|äter|åt|bor|säger|sade|sa|uppger|uppgav|berättar|berättade|nekar
        |nekade|förnekar|önskar|önskade|undrar|undrade|frågar|frågade|svarar|svarade|tycker|minns
        |ringer|ringde|kontaktar|kontaktade|kontaktas|kontaktades|informeras|informerades|meddelar
        |meddelade|bedömer|bedömde|ordinerar|ordinerade|klagar|klagade|gråter|skrattar|tackar
        |samtycker|accepterar|arbetar|jobbar|studerar|röker|medicinerar|återkommer
        |upplever|upplevde|beskriver|beskrev
    )(?![\w-])""",
    re.VERBOSE,
)
OWNS = re.compile(r"['’]s\b", re.IGNORECASE)
MARK_AFTER = re.compile(r"[ ]?[:,](?=\s|$)|[ ]?[-–—]{1,2}(?=\s)|[ ][-–—]|[ \t]*(?:\n|$)")


def is_plain(text: str, start: int, form: str, *, firm: bool) -> bool:
    """Tell whether the word that stands there is no name.

    It is the name with its capital within a sentence, with a capital inside (`McDonald`), behind
    a cue, and before a deed or with a possessive. Where a sentence or line begins a mark behind it
    is enough if it is a `firm` name: `Marsh: no complaints`.
    """
    begins = sentence_mark(text, start)
    within = not form[1:].islower() or not begins
    if form[0].isupper() and not form.isupper() and within:
        return False
    if form.isupper():
        capitals = text[max(0, start - AROUND) : start].isupper()
        if not capitals and not begins:
            return False
    if CUE_BEFORE.search(text, max(0, start - AROUND), start):
        return False
    if form[0].islower():
        return True
    end = start + len(form)
    behind = text[end : end + BEHIND]
    if DEED_AFTER.match(behind.lower() if form.isupper() else behind) or OWNS.match(behind):
        return False
    return not (firm and begins not in ("", ":", ";") and MARK_AFTER.match(behind))
