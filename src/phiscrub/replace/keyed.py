"""Choices that only the holder of a secret can repeat: HMAC-SHA256 in counter mode.

Source: RFC 2104 for the HMAC; the counter makes a stream of it, as NIST SP 800-108 does.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from phiscrub.core.errors import MissingError, SettingsError

T = TypeVar("T")
LEAST_BYTES = 16  # a shorter secret can be guessed
BLOCK = hashlib.sha256().digest_size
WORD = 8  # bytes of a number that is drawn


@dataclass(frozen=True, slots=True)
class Key:
    """A secret, with what it has been narrowed to: a patient, a kind of word, the word itself."""

    secret: bytes = field(repr=False)

    @classmethod
    def random(cls) -> Key:
        """Make a key that nobody has: nothing that it chose can be linked to another run."""
        return cls(secrets.token_bytes(BLOCK))

    @classmethod
    def read(cls, path: Path) -> Key:
        """Read a secret from a file, white space around it left out.

        Raises `MissingError` where there is no file, `SettingsError` where the secret is short.
        """
        try:
            secret = path.read_bytes().strip()
        except FileNotFoundError:
            hint = "make one with: openssl rand -hex 32 > FILE"
            raise MissingError("no such secret file", where=str(path), hint=hint) from None
        except OSError:
            raise SettingsError("cannot be read as a secret file", where=str(path)) from None
        if len(secret) < LEAST_BYTES:
            hint = "make one with: openssl rand -hex 32 > FILE"
            raise SettingsError(
                f"the secret is shorter than {LEAST_BYTES} bytes", where=str(path), hint=hint
            )
        return cls(secret)

    def narrow(self, *parts: str) -> Key:
        """Return the key of a part of the realm; other parts give keys that tell nothing of it."""
        told = b"".join(
            len(data).to_bytes(4, "big") + data
            for data in (part.encode("utf-8", "surrogatepass") for part in parts)
        )
        return Key(hmac.digest(self.secret, told, "sha256"))

    def numbers(self) -> Iterator[int]:
        """Yield numbers of 64 bits without end, always the same ones."""
        counter = 0
        while True:
            block = hmac.digest(self.secret, counter.to_bytes(WORD, "big"), "sha256")
            for at in range(0, BLOCK, WORD):
                yield int.from_bytes(block[at : at + WORD], "big")
            counter += 1

    def below(self, bound: int) -> int:
        """Return a number from 0 up to but not including `bound`; the bias is under 2 ** -32."""
        return next(self.numbers()) % bound

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def walk(self, options: Sequence[T]) -> Iterator[T]:
        """Yield the options from one of them on, each once, for when the first will not do."""
        start = self.below(len(options)) if options else 0
        for step in range(len(options)):
            yield options[(start + step) % len(options)]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """Return the options in an order of the key's."""
        left, numbers = list(options), self.numbers()
        return [left.pop(next(numbers) % len(left)) for _ in options]
