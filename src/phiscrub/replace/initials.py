"""Whose initials letters are: the people of a note by the first letters of their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from phiscrub.replace.titles import PARTICLES

LEAST, MOST = 2, 4  # letters
MOST_WORDS = 5  # of a name that are looked at


@dataclass(frozen=True, slots=True)
class Initials:
    """The words, one a letter, that stand behind letters; `JS` may be more than one person's."""

    _owners: dict[str, list[tuple[bool, tuple[str, ...]]]] = field(default_factory=dict)

    @classmethod
    def of(cls, people: Iterable[tuple[Sequence[str], bool]]) -> Initials:
        """Take the words of each person's fullest name, folded, and whether it is a patient's."""
        owners: dict[str, list[tuple[bool, tuple[str, ...]]]] = {}
        ranked = sorted(
            (rank, at, patient, chosen)
            for at, (words, patient) in enumerate(people)
            for rank, chosen in _forms(words)
        )
        for _, _, patient, chosen in ranked:
            letters = "".join(word[0] for word in chosen)
            owners.setdefault(letters, []).append((patient, chosen))
        return cls(owners)

    def words(self, letters: str, *, patient: bool) -> tuple[str, ...]:
        """Return the words that letters, folded, stand for, none where they fit nobody.

        Of two people it is the patient, or who is none, as the label has it.
        """
        found = self._owners.get(letters, ())
        return next((words for is_one, words in found if is_one == patient), ()) or next(
            (words for _, words in found), ()
        )


def _forms(words: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the words of which initials are written, the likeliest with the lowest rank."""
    own = [word for word in words if word not in PARTICLES][:MOST_WORDS]
    if sum(len(word) > 1 for word in own) < LEAST:
        return
    for parts in (own, [part for word in own for part in word.split("-") if part]):
        first, *others = parts[:MOST_WORDS]
        for count in range(1, min(len(others), MOST - 1) + 1):
            for rest in combinations(others, count):
                whole = count == len(others)
                yield 0 if whole else 1 if rest[-1] == others[-1] else 2, (first, *rest)
        yield 3, (others[-1], first, *others[:-1])[:MOST]
        yield 3, (others[-1], first)
