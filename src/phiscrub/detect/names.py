"""Person names by additive evidence: what the words are, and what stands around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.name_codes import Codes
from phiscrub.detect.name_cues import Cue, Cues
from phiscrub.detect.name_evidence import TITLES, Evidence
from phiscrub.detect.name_rosters import Rosters
from phiscrub.detect.name_runs import Part, Runs, Told, best_stretch
from phiscrub.detect.name_words import Kinds, Shape, Word
from phiscrub.lexicons.words import load_words
from phiscrub.tokenize.clinical import clinical_tokens

PATIENT, DOCTOR, USERNAME = "PATIENT", "DOCTOR", "USERNAME"
SOURCE = "names"
FORCING = TITLES | {"field"}  # what follows these is a name even if it is a common word
HOPELESS = -2.5  # worth of a word that even a title makes no name of
SIGNATURE = 4  # words of a name before a credential, at most
INITIAL = 2  # tokens of `j.`; letters of `Ong ZX`
MARKS = 2  # quotes and brackets around a nickname
LETTERS = 5  # of an abbreviation, at most
NICKNAMES = 2  # words of it
DASHES = frozenset("-–—~")  # before who signs
NEAR = 2  # tokens between two names of which the second takes the first's label
SURE = 0.97
QUOTES = {"(": ")", '"': '"', "“": "”", "‘": "’", "'": "'"}


@dataclass(frozen=True, slots=True)
class Settings:
    """The folder of word lists, cues and weights, and the evidence that makes a name.

    A mention's score is 0.5 at the threshold, and a tenth more for each further point up to `most`.
    """

    lists: str = "en"
    threshold: float = 1.6
    most: float = SURE


def build(settings: Settings, toolbox: Toolbox) -> Names:
    """Load the lists."""
    folder = toolbox.folder("lexicons", settings.lists)
    file = folder / "names.toml"
    cues = Cues.read(file.read_text("utf-8"), f"{settings.lists}/names.toml")
    kinds = Kinds(
        given=load_words(folder, "given"),
        surname=load_words(folder, "surname"),
        common=load_words(folder, "common"),
        medical=load_words(folder, "medical"),
        place=load_words(folder, "place"),
        never=cues.never,
        weights=cues.weights,
        derived=cues.derived,
    )
    return Names(kinds, cues, settings.threshold, settings.most)


@dataclass(frozen=True, slots=True)
class _Claim:
    """Tokens ``[first, end)`` of a name, what the evidence sums up to, and whose name it is."""

    first: int
    end: int
    worth: float
    label: str


class Names:
    """Finds the names of people: PATIENT, DOCTOR and, made of their names, USERNAME.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has.
    """

    labels = frozenset({PATIENT, DOCTOR, USERNAME})

    def __init__(
        self, kinds: Kinds, cues: Cues, threshold: float = 1.6, most: float = SURE
    ) -> None:
        self._kinds = kinds
        self._cues = cues
        self._runs = Runs(cues)
        self._evidence = Evidence(cues)
        self._codes = Codes(cues, kinds)
        self._rosters = Rosters(kinds)
        self._threshold = threshold
        self._most = most

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the names in each note."""
        return [tuple(self._find(clinical_tokens(note))) for note in notes]

    def _find(self, tokens: Tokens) -> Iterator[Mention]:
        told = Told(tokens, self._kinds)
        last = _Claim(-9, -9, 0.0, PATIENT)
        done = 0
        names: list[tuple[Span, str]] = []
        for token, kind in enumerate(told.kinds):
            if kind is None or token < done or self._hopeless(told, token, kind):
                continue
            if told.abbreviates(token, kind):
                continue
            run = self._runs.gather(told, token, kind)
            done = run[-1].last
            claim = self._claim(told, run, last)
            if claim is None:
                continue
            for part in (claim, *_nickname(told, claim)):
                last = part
                score = min(self._most, 0.5 + (claim.worth - self._threshold) / 10)
                span = Span(told.starts[part.first], told.ends[part.end - 1])
                yield Mention(span, part.label, score, SOURCE)
                names.append((span, part.label))
            done = max(done, last.end)
        yield from self._codes.find(told, names)
        yield from self._rosters.find(told.text, names)

    def _hopeless(self, told: Told, token: int, kind: Word) -> bool:
        """Tell quickly that no evidence could make a name of a word."""
        if kind.shape == Shape.LOWER:
            doubtful = kind.strange or kind.common > 0
            return doubtful and token > 0 and not self._evidence.may_name(told.words[token - 1])
        alone = token + 1 == len(told.kinds) or told.kinds[token + 1] is None
        return alone and kind.worth < HOPELESS

    def _claim(self, told: Told, run: list[Part], last: _Claim) -> _Claim | None:
        """Choose the run's stretch of the highest worth, with what stands around it."""
        if _is_code(told, run):
            return None
        left, evidence = self._evidence.before(told, run[0].first, last.end)
        worth, low, high, right = self._best(told, run, left, evidence)
        if low > 0:
            left = None
        if worth < self._threshold or not _may_be_name(run[low:high], left, right):
            return None
        cues = [cue for cue in (left, right) if cue is not None and cue.label]
        if cues:
            label = max(cues, key=lambda cue: cue.worth).label
        else:
            label = last.label if run[low].first - last.end <= NEAR else PATIENT
        first = run[low].first - INITIAL * _small_initial(told, run[low])
        high += high < len(run) and self._follows(run[high - 1].word, run[high].word)
        return _Claim(first, run[high - 1].last, worth, label)

    def _best(
        self, told: Told, run: list[Part], left: Cue | None, evidence: float
    ) -> tuple[float, int, int, Cue | None]:
        """Return the run's stretch of the highest worth, as `_weigh` tells it."""
        if len(run) == 1 or (left is not None and left.group == "field"):
            return self._weigh(told, run, (0, len(run)), evidence)
        best = best_stretch(run, left is not None and left.worth > 0)
        stretches = {best, (best[0], len(run))}
        if len(run) <= SIGNATURE:
            stretches.add((0, len(run)))
        weighed = [self._weigh(told, run, stretch, evidence) for stretch in stretches]
        return max(weighed, key=itemgetter(0, 1, 2))

    def _follows(self, name: Word, ahead: Word) -> bool:
        """Tell whether two capitals behind a name are the initials of its bearer: `Ong ZX`."""
        initials = ahead.shape == Shape.CAPS and len(ahead.lower) == INITIAL and ahead.strange
        return (
            initials and name.shape == Shape.TITLE and ahead.lower not in self._cues.abbreviations
        )

    def _weigh(
        self, told: Told, run: list[Part], stretch: tuple[int, int], evidence: float
    ) -> tuple[float, int, int, Cue | None]:
        """Return a stretch's worth with what stands around it, and the cue behind it."""
        low, high = stretch
        worth = sum(part.worth for part in run[low:high])
        right = None
        if high == len(run):
            right, more = self._evidence.after(told, run[-1].last)
            if right is not None and right.group == "credential":
                worth = max(worth, 0.0)  # a signature, whatever its words
        else:
            more = self._evidence.against(run[high].word.lower)
        return worth + more + (evidence if low == 0 else 0.0), low, high, right


def _small_initial(told: Told, part: Part) -> bool:
    """Tell whether an initial in lower case stands before a name in lower case: `j. smith`."""
    at = part.first - INITIAL
    if part.word.shape != Shape.LOWER or at < 0:
        return False
    letter, stop = told.words[at : part.first]
    stopped = stop == "." and told.glued(at + 1) and told.joined(part.first)
    glued = at > 0 and told.glued(at) and told.words[at - 1] not in DASHES
    return stopped and len(letter) == 1 and letter.islower() and not glued


def _nickname(told: Told, claim: _Claim) -> Iterator[_Claim]:
    """Yield the name in quotes or brackets behind a name: `("Bud")`, `"Bud"`."""
    words, at = told.words, claim.end
    closing: list[str] = []
    while len(closing) < MARKS and at < len(words) and words[at] in QUOTES:
        closing.append(QUOTES[words[at]])
        at += 1
    if (
        not any(mark != ")" for mark in closing)
        or "\n"
        in told.text[
            told.ends[claim.end - 1] : told.starts[at] if at < len(words) else len(told.text)
        ]
    ):
        return
    end = at
    while (
        end < min(at + NICKNAMES, len(words)) and words[end].isalpha() and not words[end].islower()
    ):
        end += 1
    if at < end < len(words) and words[end] in closing:
        yield _Claim(at, end, claim.worth, claim.label)


def _is_code(told: Told, run: list[Part]) -> bool:
    """Tell whether digits are glued to a run: `S20`, `20G`, but not `3041023MARY`."""
    first, end = run[0].first, run[-1].last
    if told.glued(end) and told.words[end].isdigit():
        return True
    behind_digits = first > 0 and told.glued(first) and told.words[first - 1].isdigit()
    return behind_digits and not run[0].word.given


def _is_abbreviation(word: Word) -> bool:
    """Tell whether a word in capitals is too short, or too unlike names, to be one alone."""
    known = bool(word.given or word.surname) and len(word.lower) > INITIAL
    return word.shape == Shape.CAPS and len(word.lower) <= LETTERS and not known


def _may_be_name(parts: list[Part], left: Cue | None, right: Cue | None) -> bool:
    """Tell whether words may be a name at all, however much evidence there is."""
    if left is not None and left.group in FORCING:
        return True
    spelt = [part.word for part in parts if part.word.shape != Shape.INITIAL]
    if not spelt:
        return False
    first = spelt[0]
    if first.shape != Shape.LOWER:
        signed = right is not None and right.group == "credential"
        return signed or len(parts) > 1 or not _is_abbreviation(first)
    close = (left is not None and left.group == "relation") or (
        right is not None and right.group == "credential"
    )
    return not first.strange and (close or not first.common)
