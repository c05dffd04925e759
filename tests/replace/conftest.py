"""A secret and a replacer with it, for every test of surrogates."""

from __future__ import annotations

from pathlib import Path

import pytest

from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates


@pytest.fixture(scope="session")
def secret(tmp_path_factory):
    file = tmp_path_factory.mktemp("secret") / "secret"
    file.write_text("0123456789abcdef0123456789abcdef")
    return file


KEYS = [f"{number:064x}" for number in range(1, 13)]


@pytest.fixture(params=KEYS)
def key(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "key.txt").write_text(request.param)
    return tmp_path / "key.txt"


class Quiet:
    """A replacer that hypothesis prints in short."""

    def __init__(self, made):
        self.replace, self.countries = made.replace, made.countries

    def __repr__(self):
        return "english"


@pytest.fixture(scope="session")
def english(secret: Path):
    return Quiet(surrogates.build(surrogates.Settings(secret_file=str(secret)), Shelf("en", None)))
