"""Promises that a pipeline's file still has, and that no longer hold."""

from __future__ import annotations

from phiscrub.calibrate.certificate import is_void
from phiscrub.cli.report import stderr
from phiscrub.jobs.work import Recipe
from phiscrub.pipeline.load import load_pipeline, read_declaration
from phiscrub.pipeline.shipped import ANY


def warn_of_void(recipe: Recipe) -> None:
    """Say on standard error that the certificate of a pipeline's file is void, if it is.

    What a command changes of the file is another matter: it finds as much.
    """
    if recipe.pipeline == ANY:
        return
    promised = read_declaration(recipe.pipeline, recipe.changes.get("mode"))[0].certificate
    if promised and is_void(promised, load_pipeline(recipe.pipeline).fingerprint):
        stderr().print(
            f"{recipe.pipeline}: its certificate is of another pipeline or version, so that what "
            "was promised is void; calibrate it again",
            markup=False,
        )
