"""Finds protected health information in clinical free text and replaces it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phiscrub.core.version import VERSION

if TYPE_CHECKING:
    from phiscrub.pipeline.auto import Auto
    from phiscrub.pipeline.pipeline import Pipeline

__version__ = VERSION
__all__ = ["__version__", "load"]


def load(pipeline: str = "en", mode: str | None = None) -> Pipeline | Auto:
    """Load a pipeline: a language that ships with phiscrub (`en`, `auto` for any), or a TOML file.

    The `mode` of a language is `balanced` (the default), `safe`, `fast` or `rules`.

    >>> import phiscrub
    >>> phiscrub.load("en").scrub("Seen by Dr. Lena Ortiz on 3/14.").text
    'Seen by Dr. [DOCTOR-1] on [DATE-1].'
    """
    from phiscrub.pipeline.load import load_any  # noqa: PLC0415 - importing does nothing

    return load_any(pipeline, mode)
