"""The arithmetic of check digits: Luhn, Verhoeff, weighted sums, and ISO 7064 mod 97-10."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# Verhoeff's tables (1969): the dihedral group of order 10, and a permutation by place modulo 8.
VERHOEFF_TIMES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
VERHOEFF_PLACES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)


def luhn(digits: Sequence[int]) -> bool:
    """Tell whether the last digit is the Luhn check digit of the others (ISO/IEC 7812-1, B)."""
    doubled = (2 * d - 9 * (d > 4) for d in digits[-2::-2])  # noqa: PLR2004 - cast out the nines
    return (sum(digits[::-2]) + sum(doubled)) % 10 == 0


def verhoeff(digits: Sequence[int]) -> bool:
    """Tell whether the last digit is the Verhoeff check digit of the others."""
    state = 0
    for place, digit in enumerate(reversed(digits)):
        state = VERHOEFF_TIMES[state][VERHOEFF_PLACES[place % 8][digit]]
    return state == 0


def weighted(values: Iterable[int], weights: Iterable[int]) -> int:
    """Return the sum of values times weights; the longer of the two is cut."""
    return sum(value * weight for value, weight in zip(values, weights, strict=False))


def mod97(words: str) -> int:
    """Return the remainder by 97, letters read as 10 for A to 35 for Z (ISO 7064)."""
    return int("".join(str(int(character, 36)) for character in words)) % 97
